// From contiguous rows to contiguous columns, for blocks that fit the first cache: N × N elements at a time are
// transposed in registers and written as whole vectors.
#if defined(TRIGON_CPU_SIMD_TURN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_TURN_INL
#undef TRIGON_CPU_SIMD_TURN_INL
#else
#define TRIGON_CPU_SIMD_TURN_INL
#endif

#include "cpu/simd/transpose-inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// N elements of T in a vector: a complex float travels as one double, a complex double as two.
template <class T, int N>
struct Unit {
  using R = std::conditional_t<is_complex<T>, double, real_t<T>>;
  static constexpr int lanes = sizeof(T) / sizeof(R);  ///< of an element
  using D = hn::CappedTag<R, N * lanes>;
  using V = hn::Vec<D>;

  static HWY_INLINE void store(V v, T* p) { hn::StoreU(v, D(), reinterpret_cast<R*>(p)); }
  static HWY_INLINE void turn(V (&v)[N]) {
    if constexpr (lanes == 2)
      transpose_pairs(D(), v);
    else
      transpose(D(), v);
  }
  /// The elements [from, to) of v, the others of w.
  static HWY_INLINE V choose(int from, int to, V v, V w) {
    return hn::IfThenElse(lanes_between(D(), from * lanes, to * lanes), v, w);
  }
  /// Complex: the conjugates. The sign of the imaginary part is the sign of the last double.
  static HWY_INLINE V conjugate(V v) {
    if constexpr (lanes == 2)
      return hn::OddEven(hn::Neg(v), v);
    else
      return hn::Neg(v);
  }
};

/// How many elements of T a vector holds.
template <class T>
inline constexpr int unit_lanes = lanes_of<real_t<T>> / parts_of<T>;

enum class Part { Whole, Lower, Upper };

/// One whole block. A function of its own, in which addresses are not kept from one to the next.
template <int N, class T>
HWY_NOINLINE void turn_block(const T* a, index lda, T* out, index ldo) {
  using U = Unit<T, N>;
  typename U::V r[N];
  load_turned(typename U::D(), reinterpret_cast<const typename U::R*>(a), lda * U::lanes, r);
#pragma GCC unroll 16
  for (int k = 0; k < N; ++k) U::store(r[k], out + k * ldo);
}

/// out(i, k) := a(i, k), rows of a `lda` and columns of out `ldo` apart. Of the blocks on the diagonal the other part
/// becomes zero; blocks beyond it are left out. Rows of `out` are written up to the next multiple of N, unless `exact`.
template <int N, Part part, bool exact = false, class T>
void turn_blocks(const T* a, index lda, index rows, index cols, T* out, index ldo) {
  using U = Unit<T, N>;
  for (index i0 = 0; i0 < rows; i0 += N)
    for (index k0 = part == Part::Upper ? i0 : 0, end = part == Part::Lower ? std::min(cols, i0 + N) : cols; k0 < end;
         k0 += N) {
      typename U::V r[N];
      const index height = rows - i0, count = std::min<index>(N, cols - k0);
      const T* row = a + i0 * lda + k0;
      const bool crosses = part != Part::Whole && k0 == i0;
      if (!crosses && height >= N && count == N) {
        turn_block<N>(row, lda, out + i0 + k0 * ldo, ldo);
        continue;
      }
      const Front<typename U::D> front(static_cast<int>(count) * U::lanes);
#pragma GCC unroll 16
      for (int i = 0; i < N; ++i) {  // rows beyond the last one repeat it
        r[i] = front.load(reinterpret_cast<const typename U::R*>(row));
        row += i + 1 < height ? lda : 0;
      }
      U::turn(r);
      if (crosses)
#pragma GCC unroll 16
        for (int k = 0; k < N; ++k)
          r[k] =
              U::choose(part == Part::Lower ? k : 0, part == Part::Lower ? N : k + 1, r[k], hn::Zero(typename U::D()));
      T* column = out + i0 + k0 * ldo;
#pragma GCC unroll 16
      for (int k = 0; k < N; ++k, column += ldo)
        if (k < count) {
          if constexpr (exact)
            Front<typename U::D>(static_cast<int>(std::min<index>(N, height)) * U::lanes)
                .store(r[k], reinterpret_cast<typename U::R*>(column));
          else
            U::store(r[k], column);
        }
    }
}

/// The same with the blocks that suit the size. Returns their height.
template <class T>
int turn(const T* a, index lda, index rows, index cols, Part part, T* out, index ldo) {
  constexpr int N = unit_lanes<T>;
  const auto blocks = [&]<int height>(std::integral_constant<int, height>) HWY_ATTR {
    switch (part) {
      case Part::Whole: turn_blocks<height, Part::Whole>(a, lda, rows, cols, out, ldo); break;
      case Part::Lower: turn_blocks<height, Part::Lower>(a, lda, rows, cols, out, ldo); break;
      case Part::Upper: turn_blocks<height, Part::Upper>(a, lda, rows, cols, out, ldo); break;
    }
    return height;
  };
  if (N > 8 && (rows <= 8 || cols <= 8)) return blocks(std::integral_constant<int, std::min(N, 8)>{});
  return blocks(std::integral_constant<int, N>{});
}

/// Fills the square matrix of which the lower or the upper part is at a, columns contiguous: out(i, j) and
/// out(j, i) become a(i, j), or with `hermitian` conj(a(i, j)) where it is stored and a(i, j) across, with a real
/// diagonal: its imaginary parts are `zero`, of the sign that makes them +0 where conjugates are taken. Columns of out
/// are written up to the next multiple of N. Blocks on the diagonal are read as a whole, what is not stored is left
/// out.
template <int N, class T, bool lower>
void mirror_blocks(const T* a, index lda, index n, bool hermitian, real_t<T> zero, T* out, index ldo) {
  using U = Unit<T, N>;
  typename U::V stored[N], across[N];
  const auto load = [&](index i0, index j0, int rows, int cols) HWY_ATTR {
    const Front<typename U::D> front(rows * U::lanes);
    const T* column = a + i0 + j0 * lda;
#pragma GCC unroll 16
    for (int j = 0; j < N; ++j) {  // columns beyond the last one repeat it
      across[j] = stored[j] = front.load(reinterpret_cast<const typename U::R*>(column));
      column += j + 1 < cols ? lda : 0;
      if constexpr (is_complex<T>)
        if (hermitian) stored[j] = U::conjugate(stored[j]);
    }
    U::turn(across);
  };
  for (index j0 = 0; j0 < n; j0 += N) {
    const int cols = static_cast<int>(std::min<index>(N, n - j0));
    load(j0, j0, cols, cols);
#pragma GCC unroll 16
    for (int j = 0; j < N; ++j)
      if (j < cols)
        U::store(U::choose(lower ? j : 0, lower ? N : j + 1, stored[j], across[j]), out + j0 + (j0 + j) * ldo);
    for (index i0 = lower ? j0 + N : 0, end = lower ? n : j0; i0 < end; i0 += N) {
      const int rows = static_cast<int>(std::min<index>(N, n - i0));
      load(i0, j0, rows, cols);
#pragma GCC unroll 16
      for (int j = 0; j < N; ++j) {
        if (j < rows) U::store(across[j], out + j0 + (i0 + j) * ldo);
        if (j < cols) U::store(stored[j], out + i0 + (j0 + j) * ldo);
      }
    }
  }
  if constexpr (is_complex<T>)
    for (index i = 0; i < n && hermitian; ++i) out[i * (ldo + 1)].imag(zero);
}

/// Blocks of sixteen would not fit the registers twice, as they are and transposed.
template <class T>
void mirror(const T* a, index lda, index n, bool lower, bool hermitian, real_t<T> zero, T* out, index ldo) {
  constexpr int N = std::min(8, unit_lanes<T>);
  const auto blocks = [&]<int height>(std::integral_constant<int, height>) HWY_ATTR {
    if (lower)
      mirror_blocks<height, T, true>(a, lda, n, hermitian, zero, out, ldo);
    else
      mirror_blocks<height, T, false>(a, lda, n, hermitian, zero, out, ldo);
  };
  if (N > 4 && n <= 4)
    blocks(std::integral_constant<int, std::min(N, 4)>{});
  else
    blocks(std::integral_constant<int, N>{});
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
