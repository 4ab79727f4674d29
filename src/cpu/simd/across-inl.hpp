// Products of reals both of whose factors lie across: the steps of A are next to each other, and the columns of B are
// what rows of C are made of. Lanes run along these; tiles are transposed in registers when their sums are done, so
// that nothing is copied. Every entry is rounded as the packed kernel rounds it. AVX-512 only.
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

#if HWY_TARGET == HWY_AVX3
/// Rows of C that a transposed tile writes at once.
inline constexpr int across_rows = 8;

/// `rows` <= N rows of C by `cols` columns, which U vectors hold.
template <class T, int N, int U>
HWY_NOINLINE void across_tile(index depth, const T* a, index lda, const T* b, index ldb, int rows, int cols,
                              const T& alpha, const T& beta, T* c, index ldc) {
  constexpr int L = lanes_of<T>, S = across_rows;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const Front<Tag<T>> last(cols - (U - 1) * L);
  V sum[N][U];  // cleared in a loop of its own: else compilers leave it in memory
#pragma GCC unroll 8
  for (int r = 0; r < N; ++r)
#pragma GCC unroll 3
    for (int u = 0; u < U; ++u) sum[r][u] = hn::Zero(d);
  const T* row[N];  // those beyond the last repeat it
#pragma GCC unroll 8
  for (int r = 0; r < N; ++r) row[r] = a + std::min(r, rows - 1) * lda;
  for (index k = 0; k < depth; ++k, b += ldb) {
    V x[U];
#pragma GCC unroll 3
    for (int u = 0; u < U; ++u) x[u] = u + 1 < U ? hn::LoadU(d, b + u * L) : last.template factor<1>(b + u * L);
#pragma GCC unroll 8
    for (int r = 0; r < N; ++r) {
      const V ar = hn::Set(d, row[r][k]);
#pragma GCC unroll 3
      for (int u = 0; u < U; ++u)
        sum[r][u] = u + 1 < U ? hn::MulAdd(ar, x[u], sum[r][u]) : last.add(sum[r][u], x[u], ar);
    }
  }
  const hn::CappedTag<T, S> across;
  const InterleavedScaling<T, decltype(across)> scaling(alpha, beta);
  const Front<decltype(across)> some(rows);
#pragma GCC unroll 3
  for (int u = 0; u < U; ++u)
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
      for (int j = 0; j < S; ++j) {
        const int column = u * L + h + j;
        if (column >= cols) break;
        T* const p = c + column * ldc;
        if (scaling.enlarges) square[j] = some.only(square[j]);  // no old entries would bring back the others
        some.store(scaling.combine(square[j], scaling.reads ? some.load(p) : hn::Zero(across)), p);
      }
    }
}
#endif

/// c := alpha a bt^T + beta c where is_across says so. `kc`: how many steps the packed kernel sums before it rounds.
template <class T>
void gemm_across([[maybe_unused]] const T& alpha, const Matrix<T*>& a, [[maybe_unused]] const Matrix<T*>& bt,
                 [[maybe_unused]] const T& beta, [[maybe_unused]] const Matrix<T*>& c, [[maybe_unused]] index kc) {
#if HWY_TARGET == HWY_AVX3
  constexpr int vectors = 3, L = lanes_of<T>;
  const T one(1);
  for (index k = 0; k < a.cols; k += kc)
    for (index j = 0, width = 0; j < c.cols; j += width) {
      // About as many vectors each time.
      const index left = c.cols - j, parts = (left + vectors * L - 1) / (vectors * L);
      width = std::min(left, round_up((left + parts - 1) / parts, L));
      of_few<vectors>(static_cast<int>((width + L - 1) / L), [&]<int U>(std::integral_constant<int, U>) HWY_ATTR {
        for (index i = 0; i < c.rows; i += across_rows) {
          const int rows = static_cast<int>(std::min<index>(across_rows, c.rows - i));
          const auto tile =
              rows > across_rows / 2 ? across_tile<T, across_rows, U> : across_tile<T, across_rows / 2, U>;
          tile(std::min(kc, a.cols - k), a.data + i * a.row_stride + k, a.row_stride, bt.data + j + k * bt.col_stride,
               bt.col_stride, rows, static_cast<int>(width), alpha, k == 0 ? beta : one, c.data + i + j * c.col_stride,
               c.col_stride);
        }
      });
    }
#endif
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
