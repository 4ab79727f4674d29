// Products of reals where the columns of B are what rows of C are made of, and either the steps of A are next to each
// other, or C has few rows. Lanes run along the columns of B; tiles are transposed in registers when their sums are
// done, so that nothing is copied. Every entry is rounded as the packed kernel rounds it. AVX-512 only.
#if defined(TRIGON_CPU_SIMD_ACROSS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_ACROSS_INL
#undef TRIGON_CPU_SIMD_ACROSS_INL
#else
#define TRIGON_CPU_SIMD_ACROSS_INL
#endif

#include "cpu/simd/small-inl.hpp"
#include "cpu/simd/transpose-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

template <class T>
inline constexpr bool goes_across = HWY_TARGET == HWY_AVX3 && !is_complex<T>;

/// Whether c := alpha a bt^T + beta c is such a product of columns of c: neither so short that transposing tiles takes
/// long beside their sums (tiles of floats have more of it), nor so large that it should be packed, and with columns
/// that fill most lanes.
template <class T>
bool is_across(const Matrix<T*>& a, const Matrix<T*>& bt, const Matrix<T*>& c) {
  constexpr index deep = sizeof(T) == sizeof(float) ? 96 : 24, least = 16, near = 320, thin = 128;
  constexpr index kept = (index{8} << 20) / static_cast<index>(sizeof(T));
  if (a.col_stride != 1 || a.row_stride == 1 || bt.row_stride != 1 || c.row_stride != 1) return false;
  const auto [few, many] = std::minmax(c.rows, c.cols);
  const bool fills = 2 * round_up(c.cols, lanes_of<real_t<T>>) <= 3 * c.cols;
  return a.cols >= deep && few >= least && fills && c.cols * a.cols <= kept && (few <= thin || many <= near) &&
         !falls_together<T>(bt.col_stride);
}

/// The same of few rows, of which lanes down the columns of C would fill the smaller part of a vector and read but a
/// line of each row of B at a time: sums that are long enough for what transposing them takes, the longer the more rows
/// there are.
template <class T, class View>
HWY_INLINE bool is_across_few(index bt_row_stride, const View& c, index depth) {
  constexpr index most = 8, deep = 100;
  constexpr bool floats = sizeof(T) == sizeof(float);
  if (!goes_across<T> || bt_row_stride != 1 || c.row_stride != 1 || c.rows == 1 || c.rows > most) return false;
  if (floats) return c.cols >= 12 && depth >= (c.rows <= 3 && c.cols >= 32 ? 4 : 7);
  const index least = c.rows <= 3 ? 8 : c.rows == 4 ? 16 : c.rows <= 6 ? 32 : deep;
  return c.cols >= 20 && depth >= least;
}

#if HWY_TARGET == HWY_AVX3
/// Rows of C that a transposed tile writes at once.
inline constexpr int across_rows = 8;

/// C := alpha sums + beta C for `rows` <= S rows and `cols` columns, from sums that lie S apart. Eight columns are read
/// before any is written, and before the eight ahead of them are: loads wait for stores with masks that they overlap.
template <class T, int S, Old old>
HWY_NOINLINE void across_write(const T* sums, int rows, index cols, const T& by, const T& keeping, T* c, index ldc) {
  constexpr int W = 8;
  const hn::CappedTag<T, S> d;
  using V = hn::Vec<decltype(d)>;
  const Front<decltype(d)> front(rows);
  const V alpha = hn::Set(d, by), beta = hn::Set(d, keeping);
  V before[W];
  // Of fewer columns those beyond the last one repeat it.
  const auto at = [](auto j, index some) TRIGON_INLINE_LAMBDA { return std::min<index>(j, some - 1); };
  const auto read = [&](const T* from, index some) TRIGON_INLINE_LAMBDA {
    if constexpr (old != Old::Dropped)
      unrolled<W>([&](auto j) TRIGON_INLINE_LAMBDA { before[j] = front.load(from + at(j, some) * ldc); });
  };
  const auto read_some = [&](const T* from, index count)
                             TRIGON_INLINE_LAMBDA { count >= W ? read(from, W) : read(from, count); };
  const auto write = [&](index some, index after) TRIGON_INLINE_LAMBDA {
    V fresh[W];
    unrolled<W>([&](auto j) TRIGON_INLINE_LAMBDA {
      // No old entries would bring back the sums of other rows.
      const V sum = front.only(hn::Load(d, sums + at(j, some) * S));
      if constexpr (old == Old::Dropped)
        fresh[j] = hn::Mul(alpha, sum);
      else
        fresh[j] = hn::MulAdd(alpha, sum, old == Old::Scaled ? hn::Mul(beta, before[j]) : before[j]);
    });
    if (after > 0) read_some(c + W * ldc, after);
    unrolled<W>([&](auto j) TRIGON_INLINE_LAMBDA { front.store(fresh[j], c + at(j, some) * ldc); });
  };
  read_some(c, cols);
#pragma GCC unroll 1
  for (; cols >= W; cols -= W, sums += W * S, c += W * ldc) write(W, cols - W);
  if (cols > 0) write(cols, 0);
}

/// Vectors along N rows that are summed at a time: as many as registers hold. The more of a row of B are read together,
/// the faster they come.
constexpr int across_vectors(int N) { return std::min(8, 24 / N); }

/// N rows of C by `cols` columns, which U vectors hold. Rows of a are `row`, steps `step` apart.
template <class T, int N, int U>
HWY_NOINLINE void across_tile(index depth, const T* a, index row, index step, const T* b, index ldb, int cols,
                              const T& alpha, const T& beta, T* c, index ldc) {
  constexpr int L = lanes_of<T>, S = N <= 4 ? 4 : across_rows;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const Front<Tag<T>> last(cols - (U - 1) * L);
  V sum[N][U];  // cleared in a loop of its own: else compilers leave it in memory
#pragma GCC unroll 8
  for (int r = 0; r < N; ++r)
#pragma GCC unroll 8
    for (int u = 0; u < U; ++u) sum[r][u] = hn::Zero(d);
  const T* from[N];
#pragma GCC unroll 8
  for (int r = 0; r < N; ++r) from[r] = a + r * row;
  for (index k = 0; depth > 0; --depth, k += step, b += ldb) {
    V x[U];
#pragma GCC unroll 8
    for (int u = 0; u < U; ++u) {
      x[u] = u + 1 < U ? hn::LoadU(d, b + u * L) : last.template factor<1>(b + u * L);
      if constexpr (loads_twice<N>) x[u] = kept(x[u]);
    }
#pragma GCC unroll 8
    for (int r = 0; r < N; ++r) {
      const V ar = hn::Set(d, from[r][k]);
#pragma GCC unroll 8
      for (int u = 0; u < U; ++u)
        sum[r][u] = u + 1 < U ? hn::MulAdd(ar, x[u], sum[r][u]) : last.add(sum[r][u], x[u], ar);
    }
  }
  const hn::CappedTag<T, S> across;
  const InterleavedScaling<T, decltype(across)> scaling(alpha, beta);
  // Columns that fill vectors go where they belong, others next to each other first.
  constexpr bool whole = N == S;
  HWY_ALIGN T room[whole ? 1 : U * L * S];
  const auto put = [&](hn::Vec<decltype(across)> sums, int j) TRIGON_INLINE_LAMBDA {
    if constexpr (!whole) {
      hn::Store(sums, across, room + j * S);
    } else if (j < (U - 1) * L || j < cols) {
      T* const p = c + j * ldc;
      hn::StoreU(scaling.combine(sums, scaling.reads ? hn::LoadU(across, p) : hn::Zero(across)), across, p);
    }
  };
#pragma GCC unroll 8
  for (int u = 0; u < U; ++u) {
    if constexpr (S * sizeof(T) == 16) {
      V square[S];
#pragma GCC unroll 4
      for (int r = 0; r < S; ++r) square[r] = r < N ? sum[r < N ? r : 0][u] : hn::Zero(d);
      transpose_lanes(d, square);
      unrolled<L>([&](auto j) TRIGON_INLINE_LAMBDA {
        put(hn::Vec<decltype(across)>{_mm512_extractf32x4_ps(square[j % S].raw, j / S)}, u * L + j);
      });
    } else {
#pragma GCC unroll 2
      for (int h = 0; h < L; h += S) {
        hn::Vec<decltype(across)> square[S];
#pragma GCC unroll 8
        for (int r = 0; r < S; ++r) {
          if (r >= N)
            square[r] = hn::Zero(across);
          else if constexpr (L == S)
            square[r] = sum[r][u];
          else
            square[r] = h == 0 ? hn::LowerHalf(across, sum[r][u]) : hn::UpperHalf(across, sum[r][u]);
        }
        transpose(across, square);
#pragma GCC unroll 8
        for (int j = 0; j < S; ++j) put(square[j], u * L + h + j);
      }
    }
  }
  if constexpr (!whole) {
    const auto write = beta == T(0)   ? across_write<T, S, Old::Dropped>
                       : beta == T(1) ? across_write<T, S, Old::Kept>
                                      : across_write<T, S, Old::Scaled>;
    write(room, N, cols, alpha, beta, c, ldc);
  }
}
#endif

/// c := alpha a bt^T + beta c where is_across says so. `kc`: how many steps the packed kernel sums before it rounds.
template <class T>
HWY_NOINLINE void gemm_across([[maybe_unused]] const T& alpha, const Matrix<T*>& a,
                              [[maybe_unused]] const Matrix<T*>& bt, [[maybe_unused]] const T& beta,
                              [[maybe_unused]] const Matrix<T*>& c, [[maybe_unused]] index kc) {
#if HWY_TARGET == HWY_AVX3
  constexpr int L = lanes_of<T>;
  const T one(1);
  for (index i = 0; i < c.rows; i += across_rows)
    of_few<across_rows>(std::min<index>(across_rows, c.rows - i), [&]<int N>(std::integral_constant<int, N>) HWY_ATTR {
      for (index k = 0; k < a.cols; k += kc)
        of_each<across_vectors(N)>(
            (c.cols + L - 1) / L, [&]<int U>(std::integral_constant<int, U>, index done) HWY_ATTR {
              const index j = done * L;
              across_tile<T, N, U>(std::min(kc, a.cols - k), a.data + i * a.row_stride + k * a.col_stride, a.row_stride,
                                   a.col_stride, bt.data + j + k * bt.col_stride, bt.col_stride,
                                   static_cast<int>(std::min<index>(U * L, c.cols - j)), alpha, k == 0 ? beta : one,
                                   c.data + i + j * c.col_stride, c.col_stride);
            });
    });
#endif
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
