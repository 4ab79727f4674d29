// Calls with few right-hand sides: which of the kernels that leave the triangle where it lies serves them.
#if defined(TRIGON_CPU_SIMD_NARROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_NARROW_INL
#undef TRIGON_CPU_SIMD_NARROW_INL
#else
#define TRIGON_CPU_SIMD_NARROW_INL
#endif

#include "cpu/kernels.hpp"
#include "cpu/scratch.hpp"
#include "cpu/simd/multiply_in_place-inl.hpp"
#include "cpu/simd/shared-inl.hpp"
#include "cpu/simd/thin-inl.hpp"
#include "cpu/simd/tiny-inl.hpp"
#include "cpu/simd/unpacked-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Complex products as BLAS means them: no recovery of infinities.
template <class T>
HWY_INLINE T times(T a, T x) {
  if constexpr (is_complex<T>)
    return {a.real() * x.real() - a.imag() * x.imag(), a.real() * x.imag() + a.imag() * x.real()};
  else
    return a * x;
}

/// Dot products with rows in place, where an element is so large that a broadcast of each costs more.
template <class T>
inline constexpr index broadcast_order = sizeof(T) == 16 ? 6 : held_orders<T>(Lie::Single).any;
template <class T>
bool dots_are_better(const Triangle<T*>& t, const Matrix<T*>& b) {
  return t.a.row_stride != 1 && b.cols == 1 && t.n() > broadcast_order<T>;
}

/// Products of a small triangle and contiguous columns need not be transposed; a solve would wait for each of its rows.
template <bool inverse, class T>
bool stays_in_registers(const Triangle<T*>& t, const Matrix<T*>& b) {
  return HWY_TARGET != HWY_AVX2 && !inverse && b.row_stride == 1 && t.n() <= corner_order<T>;
}

/// to[i] := from[i]. Of reals backwards some elements at a time: one by one, to and fro takes a tenth of a solve.
template <class T>
HWY_INLINE void copy_elements(const T* HWY_RESTRICT from, index from_step, index n, T* HWY_RESTRICT to, index to_step) {
  if (!is_complex<T> && from_step == -1)
    for (index i = 0; i < n; ++i) to[i] = from[-i];
  else if (!is_complex<T> && to_step == -1)
    for (index i = 0; i < n; ++i) to[-i] = from[i];
  else
    for (index i = 0; i < n; ++i) to[i * to_step] = from[i * from_step];
}

template <bool inverse, class T>
HWY_NOINLINE bool narrow_by_strips(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b, int threads) {
  if (b.row_stride == 1) {
    if (alpha != T(1))
      for (index j = 0; j < b.cols; ++j)
        for (index i = 0; i < b.rows; ++i) b.data[i + j * b.col_stride] = times(alpha, b.data[i + j * b.col_stride]);
    by_strips_on_threads<inverse>(t, b, threads);
    return true;
  }
  // Of reals, because complex elements would be cleared.
  HWY_ALIGN real_t<T> room[parts_of<T> * 64];
  T* const copy =
      b.rows * b.cols <= 64 ? reinterpret_cast<T*>(room) : scratch<T>(2, static_cast<std::size_t>(b.rows * b.cols));
  if (!copy) return false;
  const Matrix<T*> x{copy, b.rows, b.cols, 1, b.rows};
  if (b.cols == 1) {  // a vector with an increment
    copy_elements(b.data, b.row_stride, b.rows, copy, 1);
    if (alpha != T(1))
      for (index i = 0; i < b.rows; ++i) copy[i] = times(alpha, copy[i]);
    by_strips_on_threads<inverse>(t, x, threads);
    copy_elements(copy, 1, b.rows, b.data, b.row_stride);
    return true;
  }
  // Row after row: they are contiguous, and columns of rows far apart would meet in one set of a cache.
  for (index i = 0; i < b.rows; ++i)
    for (index j = 0; j < b.cols; ++j) {
      const T value = b.data[i * b.row_stride + j * b.col_stride];
      copy[i + j * b.rows] = alpha == T(1) ? value : times(alpha, value);
    }
  by_strips_on_threads<inverse>(t, x, threads);
  for (index i = 0; i < b.rows; ++i)
    for (index j = 0; j < b.cols; ++j) b.data[i * b.row_stride + j * b.col_stride] = copy[i + j * b.rows];
  return true;
}

/// A choice and nothing else, so that the smallest problems need not make room for what larger ones need.
template <bool inverse, class T>
bool narrow(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b, int threads) {
  if (is_tiny(t, b) && !(!inverse && dots_are_better(t, b))) return tiny<inverse>(alpha, t, b);
  if (threads == 1 && apply_unpacked<inverse>(alpha, t, b, false)) return true;
  if constexpr (!inverse)
    if (threads == 1 && is_multiplied_in_place_of_few(t, b) && multiply_in_place(alpha, t, b)) return true;
  if (is_thin(t, b.cols) && !stays_in_registers<inverse>(t, b)) return thin<inverse>(alpha, t, b, threads);
  return narrow_by_strips<inverse>(alpha, t, b, threads);
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
