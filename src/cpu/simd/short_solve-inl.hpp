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
#include "cpu/simd/short-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Columns are solved in groups of as many as a vector has elements, two groups at a time because rows wait for each
/// other, which of complex numbers registers hold together; rows in blocks of the vectors that registers then hold.
template <class T>
inline constexpr int solve_groups = is_complex<T> ? 2 : 1;
template <class T>
inline constexpr int solve_height = 16 / solve_groups<T> / unit_lanes<T>* unit_lanes<T>;

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
  constexpr index small = 32, large = in_place_most<T>, few = 200, many = std::is_same_v<T, double> ? 40 : 64;
  const bool worth = (t.n() <= large || b.cols <= few) && (t.n() <= small || b.cols > many || !copies_bands(t));
  return HWY_TARGET == HWY_AVX3 && t.n() > tiny_order && t.n() <= in_place_solve<T>() && b.row_stride == 1 &&
         2 * b.cols > unit_lanes<T> && worth && !columns_collide<T>(b.col_stride);
}

#if HWY_TARGET == HWY_AVX3
/// A block of rows of the triangle.
template <class T>
struct SolveRows {
  const T* a;           ///< the column that is met first, contiguous
  index column;         ///< to the next one, negative in an upper triangle
  index before;         ///< columns that meet rows which are known
  const T* corner;      ///< on the diagonal, columns |column| apart
  const real_t<T>* by;  ///< reciprocals of the diagonal, null if it is a unit one
  int rows;
  bool conj;
};

/// C columns. If all exist, by four pointers and three distances: addresses that instructions can form by themselves.
/// Those from `count` on repeat the last one.
template <class T, int C, bool all>
struct SolveColumns {
  T* at[all ? (C + 3) / 4 : C];
  index ldb, row = 0;

  HWY_INLINE SolveColumns(T* x, index stride, int count) : ldb(stride) {
#pragma GCC unroll 16
    for (int i = 0; i < (all ? (C + 3) / 4 : C); ++i) at[i] = x + (all ? 4 * i : std::min(i, count - 1)) * ldb;
  }
  HWY_INLINE T* operator[](int c) const { return all ? at[c / 4] + c % 4 * ldb : at[c] + row; }
  HWY_INLINE void advance(index rows) {
    if constexpr (all)
#pragma GCC unroll 4
      for (T*& x : at) x += rows;
    else
      row += rows;
  }
};

/// U vectors of L reals down C columns, of which some rows may be missing unless they are `whole`.
template <class T, int L, int C, int U, bool whole, bool all>
struct SolveSums {
  using R = real_t<T>;
  using D = hn::CappedTag<R, L>;
  using V = hn::Vec<D>;
  using Columns = SolveColumns<T, C, all>;
  static constexpr int P = parts_of<T>;
  V sum[C][U];

  HWY_INLINE void load(const T& alpha, const Columns& y, int rows) {
    const D d;
#pragma GCC unroll 16
    for (int c = 0; c < C; ++c)
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u) {
        const R* const p = reinterpret_cast<const R*>(y[c]) + u * L;
        sum[c][u] = whole ? hn::LoadU(d, p) : Front<D>(P * rows - u * L).load(p);
        if (alpha != T(1)) sum[c][u] = multiplied(d, alpha, sum[c][u]);
      }
  }
  HWY_INLINE void store(const Columns& y, int rows, int count) const {
    const D d;
#pragma GCC unroll 16
    for (int c = 0; c < C; ++c)
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u) {
        R* const p = reinterpret_cast<R*>(y[c]) + u * L;
        if (!all && c >= count) continue;
        whole ? hn::StoreU(sum[c][u], d, p) : Front<D>(P * rows - u * L).store(sum[c][u], p);
      }
  }

  /// What the column at a does to the rows, its factors beginning at x.
  HWY_INLINE void take_off(const T* a, V sign, const Columns& x) {
    const D d;
    V re[U], im[U];
#pragma GCC unroll 2
    for (int u = 0; u < U; ++u) {
      const V av = hn::LoadU(d, reinterpret_cast<const R*>(a) + u * L);
      if constexpr (is_complex<T>)
        re[u] = hn::DupEven(av), im[u] = hn::Xor(hn::DupOdd(av), sign);
      else
        re[u] = av;
    }
#pragma GCC unroll 16
    for (int c = 0; c < C; ++c) {
      const V factor = broadcast(d, x[c]);
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u) sum[c][u] = hn::NegMulAdd(re[u], factor, sum[c][u]);
      if constexpr (is_complex<T>) {
        const V swapped = hn::Reverse2(d, factor);
#pragma GCC unroll 2
        for (int u = 0; u < U; ++u) sum[c][u] = hn::NegMulAdd(im[u], swapped, sum[c][u]);
      }
    }
  }

  /// What all columns do whose rows are known. `x`: the first of these rows.
  HWY_INLINE void meet(const SolveRows<T>& t, V sign, T* x, index ldb, int count) {
    const T* a = t.a;
    const index next = t.column > 0 ? 1 : -1;
    Columns known(x, ldb, count);
#pragma GCC unroll 1
    for (index k = 0; k < t.before; ++k, a += t.column, known.advance(next)) take_off(a, sign, known);
  }
};

/// Rows that are brought up to date before they are solved: with twice as many of them a column is read half as often.
template <class T, int C, bool all>
HWY_NOINLINE void update_tile(const T& alpha, const SolveRows<T>& t, T* x, T* y, index ldb, int count) {
  using Sums = SolveSums<T, lanes_of<real_t<T>>, C, 2, true, all>;
  const typename Sums::Columns here(y, ldb, count);
  Sums sums;
  sums.load(alpha, here, t.rows);
  sums.meet(t, turning_sign(typename Sums::D(), t.conj), x, ldb, count);
  sums.store(here, t.rows, count);
}

/// A square of N vectors, transposed: `to` takes what `from` gives.
template <class T, int N, class V, class From, class To>
HWY_INLINE void turn_square(const From& from, const To& to) {
  using Square = Unit<T, N>;
  const typename Square::D units;
  typename Square::V square[N];
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i) square[i] = hn::BitCast(units, from(i));
  Square::turn(square);
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i) to(i, hn::BitCast(hn::DFromV<V>(), square[i]));
}

/// Q rows of a block from row `first` on, G vectors of L reals along each.
template <class T, int L, int G, int Q, int first, bool lower, bool whole>
struct SolveSome {
  using R = real_t<T>;
  using D = hn::CappedTag<R, L>;
  using V = hn::Vec<D>;
  static constexpr int P = parts_of<T>;
  V row[Q][G];

  /// What x, row k of the block, does to row i of these.
  HWY_INLINE void take_off(const SolveRows<T>& t, int i, int k, int g, V x, V turned) {
    const D d;
    const R* const a = reinterpret_cast<const R*>(t.corner + k * (lower ? t.column : -t.column) + first + i);
    row[i][g] = hn::NegMulAdd(hn::Set(d, a[0]), x, row[i][g]);
    if constexpr (is_complex<T>) row[i][g] = hn::NegMulAdd(hn::Set(d, a[1]), turned, row[i][g]);
  }
  /// Row r is known but for its divisor; those after it lose what it does to them.
  template <int r>
  HWY_INLINE void eliminate(const SolveRows<T>& t, V sign) {
    const D d;
#pragma GCC unroll 2
    for (int g = 0; g < G; ++g) {
      V& x = row[r][g];
      if (t.by) {
        const R* const by = t.by + P * (first + r);
        const V y = x;
        x = hn::Mul(hn::Set(d, by[0]), y);
        if constexpr (is_complex<T>) x = hn::MulAdd(hn::Set(d, by[1]), times_i(d, y), x);
      }
      const V turned = is_complex<T> ? hn::Xor(hn::Reverse2(d, x), sign) : x;
#pragma GCC unroll 16
      for (int q = 1; q < Q; ++q) {
        const int i = lower ? r + q : r - q;
        if (i < 0 || i >= Q || (!whole && first + i >= t.rows)) continue;
        take_off(t, i, first + r, g, x, turned);
      }
    }
  }
  template <int q = 0>
  HWY_INLINE void solve(const SolveRows<T>& t, V sign) {
    if constexpr (q < Q) {
      constexpr int r = lower ? q : Q - 1 - q;
      if (whole || first + r < t.rows) eliminate<r>(t, sign);
      solve<q + 1>(t, sign);
    }
  }
};

/// G groups of N columns, which registers hold at once.
template <class T, int N, int G, int U, bool lower, bool whole, bool all>
struct SolveTile : SolveSums<T, N * parts_of<T>, G * N, U, whole, all> {
  using Sums = SolveSums<T, N * parts_of<T>, G * N, U, whole, all>;
  using Sums::P, Sums::sum;
  using typename Sums::Columns, typename Sums::D, typename Sums::V;

  /// `x`: the row of the right-hand sides that is met first, `y`: the first of the block. A block that is not whole is
  /// the first one and meets none.
  HWY_INLINE void run(const T& alpha, const SolveRows<T>& t, T* x, T* y, index ldb, int count) {
    const V sign = turning_sign(D(), t.conj);
    const Columns here(y, ldb, count);
    this->load(alpha, here, t.rows);
    if constexpr (whole) this->meet(t, sign, x, ldb, count);
    SolveSome<T, N * P, G, U * N, 0, lower, whole> block;
#pragma GCC unroll 2
    for (int g = 0; g < G; ++g)
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u)
        turn_square<T, N, V>([&](int i) HWY_ATTR { return sum[g * N + i][u]; },
                             [&](int i, V v) HWY_ATTR { block.row[u * N + i][g] = v; });
    block.solve(t, sign);
#pragma GCC unroll 2
    for (int g = 0; g < G; ++g)
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u)
        turn_square<T, N, V>([&](int i) HWY_ATTR { return block.row[u * N + i][g]; },
                             [&](int i, V v) HWY_ATTR { sum[g * N + i][u] = v; });
    this->store(here, t.rows, count);
  }
};

/// Two groups of N columns of reals, all of them there, U vectors down each. The rows of one group would wait for each
/// other longer than they take; registers hold half of the rows of both, so that these go through memory.
template <class T, int N, int U, bool lower>
struct SolvePair {
  static constexpr int G = 2, H = U * N, Q = H / 2;
  using Sums = SolveSums<T, N, N, U, true, true>;
  using D = typename Sums::D;
  using V = typename Sums::V;
  HWY_ALIGN T room[H][G][N];

  /// Half of the rows: the first ones to be solved, or those that meet them.
  template <int first>
  HWY_INLINE void solve(const SolveRows<T>& t) {
    const D d;
    const V none = hn::Zero(d);
    constexpr int known = lower ? 0 : Q;
    SolveSome<T, N, G, Q, first, lower, true> some;
#pragma GCC unroll 16
    for (int i = 0; i < Q; ++i)
#pragma GCC unroll 2
      for (int g = 0; g < G; ++g) some.row[i][g] = hn::Load(d, room[first + i][g]);
    if constexpr (first != known)
#pragma GCC unroll 16
      for (int q = 0; q < Q; ++q)
#pragma GCC unroll 2
        for (int g = 0; g < G; ++g) {
          const int k = known + (lower ? q : Q - 1 - q);
          const V x = hn::Load(d, room[k][g]);
#pragma GCC unroll 16
          for (int i = 0; i < Q; ++i) some.take_off(t, i, k, g, x, none);
        }
    some.solve(t, none);
#pragma GCC unroll 16
    for (int i = 0; i < Q; ++i)
#pragma GCC unroll 2
      for (int g = 0; g < G; ++g) hn::Store(some.row[i][g], d, room[first + i][g]);
  }

  HWY_INLINE void run(const T& alpha, const SolveRows<T>& t, T* x, T* y, index ldb) {
    const D d;
#pragma GCC unroll 1
    for (int g = 0; g < G; ++g) {
      const index at = g * N * ldb;
      Sums sums;
      sums.load(alpha, {y + at, ldb, N}, H);
      sums.meet(t, hn::Zero(d), x + at, ldb, N);
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u)
        turn_square<T, N, V>([&](int i) HWY_ATTR { return sums.sum[i][u]; },
                             [&](int i, V v) HWY_ATTR { hn::Store(v, d, room[u * N + i][g]); });
    }
    solve<lower ? 0 : Q>(t);
    solve<lower ? Q : 0>(t);
#pragma GCC unroll 1
    for (int g = 0; g < G; ++g)
#pragma GCC unroll 2
      for (int u = 0; u < U; ++u)
        turn_square<T, N, V>([&](int i) HWY_ATTR { return hn::Load(d, room[u * N + i][g]); },
                             [&](int i, V v) HWY_ATTR { hn::StoreU(v, d, y + (g * N + i) * ldb + u * N); });
  }
};

template <class T, int N, int U, bool lower>
HWY_NOINLINE void solve_pair(const T& alpha, const SolveRows<T>& t, T* x, T* y, index ldb) {
  SolvePair<T, N, U, lower> pair;
  pair.run(alpha, t, x, y, ldb);
}

template <class T, int N, int G, int U, bool lower, bool whole, bool all>
HWY_NOINLINE void solve_tile(const T& alpha, const SolveRows<T>& t, T* x, T* y, index ldb, int count) {
  SolveTile<T, N, G, U, lower, whole, all> tile;
  tile.run(alpha, t, x, y, ldb, count);
}

/// A block of rows of all columns. The last ones may be less than a group, of floats less than half of one.
template <class T, bool lower, int U, bool whole>
void solve_block(const T& alpha, const SolveRows<T>& t, T* x, T* y, const Matrix<T*>& b) {
  constexpr int N = unit_lanes<T>, G = solve_groups<T>, half = std::min(N, 8);
  index j = 0;
  const auto columns = [&]<int n, int g, bool all>(std::integral_constant<int, n>, std::integral_constant<int, g>,
                                                   std::bool_constant<all>) HWY_ATTR {
    const index at = j * b.col_stride, count = std::min<index>(n * g, b.cols - j);
    solve_tile<T, n, g, U * N / n, lower, whole, all>(alpha, t, x + at, y + at, b.col_stride, static_cast<int>(count));
    j += count;
  };
  const std::integral_constant<int, N> lines;
  const std::integral_constant<int, G> groups;
  const std::integral_constant<int, 1> one;
  if constexpr (whole && !is_complex<T>)
    for (; j + 2 * N <= b.cols; j += 2 * N) {
      const index at = j * b.col_stride;
      solve_pair<T, N, U, lower>(alpha, t, x + at, y + at, b.col_stride);
    }
  if constexpr (whole)
    while (j + G * N <= b.cols) columns(lines, groups, std::true_type{});
  while (j < b.cols) {
    if (G > 1 && b.cols - j <= N)
      columns(lines, one, std::false_type{});
    else if (half < N && b.cols - j <= half)
      columns(std::integral_constant<int, half>{}, one, std::false_type{});
    else
      columns(lines, groups, std::false_type{});
  }
}

/// Blocks of one vector of reals would wait for loads: two of them, a band, are brought up to date together.
template <class T>
inline constexpr int solve_band = sizeof(T) == sizeof(float) ? 2 * solve_height<T> : solve_height<T>;

template <class T>
void update_band(const T& alpha, const SolveRows<T>& t, T* x, T* y, const Matrix<T*>& b) {
  constexpr index C = 8;
  for (index j = 0; j < b.cols; j += C) {
    const index at = j * b.col_stride;
    if (j + C <= b.cols)
      update_tile<T, C, true>(alpha, t, x + at, y + at, b.col_stride, C);
    else
      update_tile<T, C, false>(alpha, t, x + at, y + at, b.col_stride, static_cast<int>(b.cols - j));
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
    const bool updated = band > H && done > 0;
    const index step = lower ? lda : -lda, from = updated ? done : 0;
    const bool conj = is_complex<T> && t.a.conj;
    if constexpr (band > H)
      if (updated) update_band<T>(alpha, {column(0), step, done, nullptr, nullptr, band, conj}, row(0), b.data + i, b);
    for (index solved = 0, some; solved < rows; solved += some) {
      some = solved == 0 && rows % H != 0 ? rows % H : H;
      const index r = lower ? solved : rows - solved - some;
      const SolveRows<T> block{column(from) + r,
                               step,
                               done + solved - from,
                               a + r + (i + r - k) * lda,
                               by ? by + parts_of<T> * (i + r) : nullptr,
                               static_cast<int>(some),
                               conj};
      const T factor = updated ? T(1) : alpha;
      if (some == H)
        solve_block<T, lower, H / N, true>(factor, block, row(from), b.data + i + r, b);
      else if (H > N && some > N)
        solve_block<T, lower, H / N, false>(factor, block, row(from), b.data + i + r, b);
      else
        solve_block<T, lower, 1, false>(factor, block, row(from), b.data + i + r, b);
    }
  }
}
#endif

/// b := alpha t^-1 b. False, with nothing written, if reciprocals of the diagonal are not safe or there is no memory.
template <class T>
bool solve_short([[maybe_unused]] const T& alpha, [[maybe_unused]] const Triangle<T*>& t,
                 [[maybe_unused]] const Matrix<T*>& b) {
#if HWY_TARGET == HWY_AVX3
  constexpr int C = solve_groups<T> * unit_lanes<T>, band = solve_band<T>, P = parts_of<T>;
  constexpr index cached = index{1} << 19;  // bytes of right-hand sides: half of a second cache
  const index n = t.n(), step = t.a.row_stride + t.a.col_stride;
  const bool unit = t.diag == Diag::Unit;
  HWY_ALIGN real_t<T> by[P * in_place_solve_most<T>];
  bool safe = true;
  for (index i = 0; i < n && !unit; i += 8)
    safe &= invert(t.a.data + i * step, step - 1, static_cast<int>(std::min<index>(8, n - i)),
                   is_complex<T> && t.a.conj, by + P * i);
  if (!safe) return false;
  T* rows = nullptr;  // of the triangle
  if (copies_bands(t)) {
    rows = reinterpret_cast<T*>(scratch<real_t<T>>(0, static_cast<std::size_t>(P * band * round_up(n, band))));
    if (!rows) return false;
  }
  const index columns = std::max<index>(C, cached / (n * static_cast<index>(sizeof(T))) / C * C);
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
