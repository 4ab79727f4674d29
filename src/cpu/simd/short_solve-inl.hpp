// Solves with small triangles and contiguous columns of right-hand sides. What rows that are known do to the next ones
// is summed as in short-inl.hpp, lanes down the rows, from where columns lie. A block of these is transposed in
// registers, so that lanes are right-hand sides, solved, and transposed back: nothing is packed. Every entry is rounded
// as the packed kernels round it. AVX-512 only.
#if defined(TRIGON_CPU_SIMD_SHORT_SOLVE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_SHORT_SOLVE_INL
#undef TRIGON_CPU_SIMD_SHORT_SOLVE_INL
#else
#define TRIGON_CPU_SIMD_SHORT_SOLVE_INL
#endif

#include "cpu/simd/corner-inl.hpp"
#include "cpu/simd/solve_tiles-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Whether columns so far apart push each other out of the first cache, of which they use one line each.
template <class T>
bool columns_collide(index stride) {
  constexpr index period = 4096, ways = 8;
  return solve_groups<T> * unit_lanes<T> > ways && stride * static_cast<index>(sizeof(T)) % period == 0;
}

/// Whether bands of the triangle are copied: its rows have to be transposed, and columns that push each other out of
/// the cache are better read once.
template <class T>
bool copies_bands(const Triangle<T*>& t) {
  return t.a.row_stride != 1 || crowds<T>(t.a.col_stride, t.n());
}

/// A copy takes many columns, the more so the shorter the vectors of the other way are that read it in place; a large
/// triangle no more than repay packing. Where it takes less than half of them, the last group is of use.
template <class T>
bool is_short_solve(const Triangle<T*>& t, const Matrix<T*>& b) {
  constexpr index small = 32, large = in_place_most, few = 200, many = std::is_same_v<T, double> ? 40 : 64;
  const bool worth = (t.n() <= large || b.cols <= few) && (t.n() <= small || b.cols > many || !copies_bands(t));
  return HWY_TARGET == HWY_AVX3 && t.n() > tiny_order && t.n() <= in_place_solve<T>() && b.row_stride == 1 &&
         2 * b.cols > unit_lanes<T> && worth && !columns_collide<T>(b.col_stride);
}

#if HWY_TARGET == HWY_AVX3
/// A block of rows of all columns. The last ones may be less than a group, of floats less than half of one; of few of
/// doubles only these are summed.
template <class T, bool lower, int U, bool whole>
void solve_block(const T& alpha, const SolveRows<T>& t, T* x, T* y, const Matrix<T*>& b) {
  constexpr int N = unit_lanes<T>, G = solve_groups<T>, half = std::min(N, 8);
  constexpr bool cuts = std::is_same_v<T, double>;
  index j = 0;
  const auto columns = [&]<int n, int C, bool all>(std::integral_constant<int, n>, std::integral_constant<int, C>,
                                                   std::bool_constant<all>) HWY_ATTR {
    constexpr int g = (C + n - 1) / n;
    const index at = j * b.col_stride, count = std::min<index>(C, b.cols - j);
    solve_tile<T, n, g, C, U * N / n, lower, whole, all>(alpha, t, x + at, y + at, b.col_stride,
                                                         static_cast<int>(count));
    j += count;
  };
  const std::integral_constant<int, N> lines;
  const std::integral_constant<int, half> some_lines;
  const std::integral_constant<int, G * N> most;
  if constexpr (whole && !is_complex<T>)
    for (; j + 2 * N <= b.cols; j += 2 * N) {
      const index at = j * b.col_stride;
      solve_pair<T, N, U, lower>(alpha, t, x + at, y + at, b.col_stride);
    }
  if constexpr (whole)
    while (j + G * N <= b.cols) columns(lines, most, std::true_type{});
  while (j < b.cols) {
    const index left = b.cols - j;
    if constexpr (cuts)
      if (left <= half / 2) {
        columns(some_lines, std::integral_constant<int, half / 2>{}, std::false_type{});
        continue;
      }
    if (half < N && left <= half)
      columns(some_lines, some_lines, std::false_type{});
    else if (G > 1 && left <= N)
      columns(lines, lines, std::false_type{});
    else
      columns(lines, most, std::false_type{});
  }
}

/// Blocks of one vector of reals may wait for loads, and of complex ones exchange the parts of each factor for it: two
/// of them, a band, are brought up to date together, as far as the tuning table says so.
template <class T>
inline constexpr int solve_band = sizeof(real_t<T>) == sizeof(float) ? 2 * solve_height<T> : solve_height<T>;

template <class T>
void update_band(const T& alpha, const SolveRows<T>& t, T* x, T* y, const Matrix<T*>& b) {
  constexpr index C = 8, few = 4;
  for (index j = 0; j < b.cols; j += C) {
    const index at = j * b.col_stride, left = b.cols - j;
    const auto rest = left > few ? update_tile<T, C, false> : update_tile<T, few, false>;
    if (left >= C)
      update_tile<T, C, true>(alpha, t, x + at, y + at, b.col_stride, C);
    else
      rest(alpha, t, x + at, y + at, b.col_stride, static_cast<int>(left));
  }
}

/// `count` elements, some vectors of them at most.
template <class T>
HWY_INLINE void copy_run(const T* from, index count, T* to) {
  using R = real_t<T>;
  constexpr int L = lanes_of<R>;
  const Tag<R> d;
  const index reals = count * parts_of<T>;
  const R* const p = reinterpret_cast<const R*>(from);
  R* const q = reinterpret_cast<R*>(to);
  index i = 0;
  for (; i + L <= reals; i += L) hn::StoreU(hn::LoadU(d, p + i), d, q + i);
  if (i < reals) hn::StoreU(load_first(d, p + i, static_cast<int>(reals - i)), d, q + i);
}

/// One band of rows after the other, for all columns, which stay in a cache. Only the first one may be less.
template <class T, bool lower>
void solve_bands(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b, const real_t<T>* by, T* copy) {
  constexpr int N = unit_lanes<T>, H = solve_height<T>, band = solve_band<T>;
  const index n = t.n();
  const bool together = band > H && solves_in_bands<T>();
  for (index done = 0, rows; done < n; done += rows) {
    rows = done == 0 && n % band != 0 ? n % band : band;
    const index i = lower ? done : n - done - rows, k = lower ? 0 : i;  // columns from k on meet the band
    const T* a = t.a.data + i * t.a.row_stride + k * t.a.col_stride;
    index lda = t.a.col_stride;
    if (copy) {
      const index cols = done + rows;
      if (t.a.row_stride == 1)
        for (index q = 0; q < cols; ++q) copy_run(a + q * lda, rows, copy + q * band);
      else
        for (index u = 0; u < rows; u += N)
          turn_blocks<N, Part::Whole>(a + u * t.a.row_stride, t.a.row_stride, std::min<index>(N, rows - u), cols,
                                      copy + u, band);
      a = copy, lda = band;
    }
    // By the order in which they are met.
    const auto column = [&](index q) { return a + (lower ? q : n - 1 - q - k) * lda; };
    const auto row = [&](index q) { return b.data + (lower ? q : n - 1 - q); };
    const bool updated = band > H && done > 0 && together;
    const index step = lower ? lda : -lda, from = updated ? done : 0;
    const bool conj = is_complex<T> && t.a.conj;
    if constexpr (band > H)
      if (updated) update_band<T>(alpha, {column(0), step, done, nullptr, nullptr, band, conj}, row(0), b.data + i, b);
    const T factor = updated ? T(1) : alpha;
    const auto solve = [&](index solved, index some) HWY_ATTR {
      const index r = lower ? solved : rows - solved - some;
      const SolveRows<T> block{column(from) + r,
                               step,
                               done + solved - from,
                               a + r + (i + r - k) * lda,
                               by ? by + parts_of<T> * (i + r) : nullptr,
                               static_cast<int>(some),
                               conj};
      if (some == H)
        solve_block<T, lower, H / N, true>(factor, block, row(from), b.data + i + r, b);
      else if (H > N && some > N)
        solve_block<T, lower, H / N, false>(factor, block, row(from), b.data + i + r, b);
      else
        solve_block<T, lower, 1, false>(factor, block, row(from), b.data + i + r, b);
    };
    if constexpr (band == H)
      solve(0, rows);
    else
      for (index solved = 0, some; solved < rows; solved += some) {
        some = solved == 0 && rows % H != 0 ? rows % H : H;
        solve(solved, some);
      }
  }
}
#endif

/// b := alpha t^-1 b. False, with nothing written, if reciprocals of the diagonal are not safe or there is no memory.
template <class T>
bool solve_short([[maybe_unused]] const T& alpha, [[maybe_unused]] const Triangle<T*>& t,
                 [[maybe_unused]] const Matrix<T*>& b) {
#if HWY_TARGET == HWY_AVX3
  constexpr int C = 2 * unit_lanes<T>, band = solve_band<T>, P = parts_of<T>;
  constexpr index cached = index{1} << 19;  // bytes of right-hand sides: half of a second cache
  const index n = t.n(), step = t.a.row_stride + t.a.col_stride;
  const bool unit = t.diag == Diag::Unit;
  HWY_ALIGN real_t<T> by[P * in_place_solve_most<T>];
  if (!unit && !invert(t.a.data, step, n, is_complex<T> && t.a.conj, by)) return false;
  T* rows = nullptr;  // of the triangle
  if (copies_bands(t)) {
    rows = reinterpret_cast<T*>(scratch<real_t<T>>(0, static_cast<std::size_t>(P * band * round_up(n, band))));
    if (!rows) return false;
  }
  const index bytes = n * static_cast<index>(sizeof(T));  // of a column
  const index columns = bytes * b.cols <= cached ? b.cols : std::max<index>(C, cached / bytes / C * C);
  for (index j = 0; j < b.cols; j += columns) {
    const Matrix<T*> some = b.block(0, j, n, std::min(columns, b.cols - j));
    t.uplo == Uplo::Lower ? solve_bands<T, true>(alpha, t, some, unit ? nullptr : by, rows)
                          : solve_bands<T, false>(alpha, t, some, unit ? nullptr : by, rows);
  }
  return true;
#else
  return false;
#endif
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
