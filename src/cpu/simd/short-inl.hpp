// Products with triangles of order 9 to 16 and contiguous columns: lanes run down the rows, the triangle is copied once
// and stays in the first cache, columns are read and written where they are, several at a time. Packing them would take
// longer than the product. Every entry is rounded as the packed kernels round it. AVX-512 only, whose masked
// multiply-adds keep what lies beyond the diagonal from meeting a NaN.
#if defined(TRIGON_CPU_SIMD_SHORT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_SHORT_INL
#undef TRIGON_CPU_SIMD_SHORT_INL
#else
#define TRIGON_CPU_SIMD_SHORT_INL
#endif

#include "cpu/simd/complex-inl.hpp"
#include "cpu/simd/tiny-inl.hpp"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Up to this order, and above the tiny ones. Floats of order 16 are packed without any loss.
inline constexpr int short_order = 16;
/// So many columns pay for the copy of the triangle.
inline constexpr index short_columns = 24;

template <class T>
bool is_short(const Triangle<T*>& t, const Matrix<T*>& b) {
  return HWY_TARGET == HWY_AVX3 && t.n() > tiny_order && t.n() <= (sizeof(T) == 4 ? 15 : short_order) &&
         b.row_stride == 1;
}

#if HWY_TARGET == HWY_AVX3
/// a b + c in the lanes of m, c in the others.
HWY_INLINE hn::Vec<Tag<float>> multiply_add(unsigned m, hn::Vec<Tag<float>> a, hn::Vec<Tag<float>> b,
                                            hn::Vec<Tag<float>> c) {
  return hn::Vec<Tag<float>>{_mm512_mask3_fmadd_ps(a.raw, b.raw, c.raw, static_cast<__mmask16>(m))};
}
HWY_INLINE hn::Vec<Tag<double>> multiply_add(unsigned m, hn::Vec<Tag<double>> a, hn::Vec<Tag<double>> b,
                                             hn::Vec<Tag<double>> c) {
  return hn::Vec<Tag<double>>{_mm512_mask3_fmadd_pd(a.raw, b.raw, c.raw, static_cast<__mmask8>(m))};
}

/// A triangle of up to U vectors of rows, column after column; of complex elements first the real parts, each twice,
/// then the imaginary ones, with the sign of -i and of i. What is not of the triangle is zero, rows beyond the last one
/// repeat it.
template <class T, int U>
struct ShortTriangle {
  using R = real_t<T>;
  static constexpr int L = lanes_of<R>, P = parts_of<T>, rows = U * L / P, step = P * U * L;
  HWY_ALIGN R data[short_order * step];

  explicit ShortTriangle(const Triangle<T*>& t) {
    const int n = static_cast<int>(t.n());
    const bool lower = t.uplo == Uplo::Lower;
    std::fill(data, data + n * step, R(0));
    for (int k = 0; k < n; ++k)
      for (int i = lower ? k : 0, end = lower ? rows : k + 1; i < end; ++i) {
        const int row = std::min(i, n - 1);
        const T a = row == k && t.diag == Diag::Unit ? T(1) : t.a.data[row * t.a.row_stride + k * t.a.col_stride];
        R* const at = data + k * step + P * i;
        at[0] = real_part(a);
        if constexpr (is_complex<T>) {
          at[1] = at[0];
          at[U * L + 1] = t.a.conj ? -a.imag() : a.imag();
          at[U * L] = -at[U * L + 1];
        }
      }
  }
};

/// CC columns. `unit`: the diagonal, of complex numbers, is no factor: (1, 0) times an infinity would be a NaN.
template <class T, int U, int CC, bool lower, bool unit>
struct ShortColumns {
  using R = real_t<T>;
  using D = Tag<R>;
  using V = hn::Vec<D>;
  static constexpr int L = lanes_of<R>, P = parts_of<T>, lines = L / P;
  V sum[CC][U];

  static HWY_INLINE V broadcast(const T* x) {
    const D d;
    if constexpr (!is_complex<T>)
      return hn::Set(d, *x);
    else if constexpr (sizeof(R) == 8)
      return hn::LoadDup128(d, reinterpret_cast<const R*>(x));
    else {
      double both;
      std::memcpy(&both, x, sizeof(both));
      return hn::BitCast(d, hn::Set(Tag<double>(), both));
    }
  }

  /// Adds what the rows of vector u are multiplied by, in the order of substitution.
  template <int u>
  HWY_INLINE void add(const R* triangle, int n, const T* b, index ldb) {
    constexpr int first = lower ? u : 0, end = lower ? U : u + 1;
    // The last row meets only its diagonal, which repeated rows beyond it do not have.
    const int count = std::min(lines, n - u * lines), steps = count - (lower && unit && u + 1 == U);
    constexpr int edge = unit == lower ? P : 0;
    for (int q = 0; q < steps; ++q) {
      const int lane = lower ? q : count - 1 - q, k = u * lines + lane;
      const unsigned mask = lower ? ~0u << (P * lane + edge) : (1u << (P * lane + edge)) - 1;
      const R* const a = triangle + k * P * U * L;
#pragma GCC unroll 8
      for (int c = 0; c < CC; ++c) {
        const V x = broadcast(b + k + c * ldb);
#pragma GCC unroll 4
        for (int v = first; v < end; ++v) {
          const V re = hn::Load(D(), a + v * L);
          sum[c][v] = v == u ? multiply_add(mask, re, x, sum[c][v]) : hn::MulAdd(re, x, sum[c][v]);
        }
        if constexpr (is_complex<T>) {
          const V swapped = hn::Reverse2(D(), x);
#pragma GCC unroll 4
          for (int v = first; v < end; ++v) {
            const V im = hn::Load(D(), a + (U + v) * L);
            sum[c][v] = v == u ? multiply_add(mask, im, swapped, sum[c][v]) : hn::MulAdd(im, swapped, sum[c][v]);
          }
        }
      }
    }
  }

  HWY_INLINE void multiply(const T& alpha, const R* triangle, int n, T* b, index ldb) {
    const D d;
#pragma GCC unroll 8
    for (int c = 0; c < CC; ++c)
#pragma GCC unroll 4
      for (int v = 0; v < U; ++v) sum[c][v] = hn::Zero(d);
    add<lower ? 0 : U - 1>(triangle, n, b, ldb);
    if constexpr (U > 1) add<lower ? 1 : U - 2>(triangle, n, b, ldb);
    if constexpr (U > 2) add<lower ? 2 : U - 3>(triangle, n, b, ldb);
    if constexpr (U > 3) add<lower ? 3 : U - 4>(triangle, n, b, ldb);
    const Front<D> last(P * n - (U - 1) * L);
    if constexpr (unit)
#pragma GCC unroll 8
      for (int c = 0; c < CC; ++c)
#pragma GCC unroll 4
        for (int v = 0; v < U; ++v) {
          const R* const at = reinterpret_cast<const R*>(b + c * ldb) + v * L;
          sum[c][v] = hn::Add(sum[c][v], v + 1 < U ? hn::LoadU(d, at) : last.load(at));
        }
#pragma GCC unroll 8
    for (int c = 0; c < CC; ++c)
#pragma GCC unroll 4
      for (int v = 0; v < U; ++v) {
        V y = sum[c][v];
        if (alpha != T(1)) {
          const V x = y;
          y = hn::Mul(hn::Set(d, real_part(alpha)), x);
          if constexpr (is_complex<T>) y = hn::MulAdd(hn::Set(d, imag_part(alpha)), times_i(d, x), y);
        }
        R* const at = reinterpret_cast<R*>(b + c * ldb) + v * L;
        if (v + 1 < U)
          hn::StoreU(y, d, at);
        else
          last.store(y, at);
      }
  }
};

template <class T, int U, bool lower, bool unit>
void multiply_short(const T& alpha, const ShortTriangle<T, U>& t, const Matrix<T*>& b) {
  constexpr int CC = U <= 2 ? 8 : 4;
  const int n = static_cast<int>(b.rows);
  index j = 0;
  for (; j + CC <= b.cols; j += CC) {
    ShortColumns<T, U, CC, lower, unit> columns;
    columns.multiply(alpha, t.data, n, b.data + j * b.col_stride, b.col_stride);
  }
  for (; j < b.cols; ++j) {
    ShortColumns<T, U, 1, lower, unit> column;
    column.multiply(alpha, t.data, n, b.data + j * b.col_stride, b.col_stride);
  }
}
#endif

/// b := alpha t b.
template <class T>
void multiply_short([[maybe_unused]] const T& alpha, [[maybe_unused]] const Triangle<T*>& t,
                    [[maybe_unused]] const Matrix<T*>& b) {
#if HWY_TARGET == HWY_AVX3
  constexpr int lines = lanes_of<real_t<T>> / parts_of<T>, most = short_order / lines;
  const auto run = [&]<int U>(std::integral_constant<int, U>) HWY_ATTR {
    const ShortTriangle<T, U> copy(t);
    const auto with = [&]<bool unit>(std::bool_constant<unit>) HWY_ATTR {
      if (t.uplo == Uplo::Lower)
        multiply_short<T, U, true, unit>(alpha, copy, b);
      else
        multiply_short<T, U, false, unit>(alpha, copy, b);
    };
    if (is_complex<T> && t.diag == Diag::Unit)
      with(std::bool_constant<is_complex<T>>{});
    else
      with(std::false_type{});
  };
  if constexpr (most > 2)
    if (t.n() <= (most - 1) * lines) return run(std::integral_constant<int, most - 1>{});
  run(std::integral_constant<int, most>{});
#endif
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
