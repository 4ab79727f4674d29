// Small products of two general matrices, without what they do not need: nothing is left to choose, sums are of one
// block, and what is copied lies on the stack. Tiles and bits are those of gemm_small.
#if defined(TRIGON_CPU_SIMD_LEAN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_LEAN_INL
#undef TRIGON_CPU_SIMD_LEAN_INL
#else
#define TRIGON_CPU_SIMD_LEAN_INL
#endif

#include "cpu/simd/gemm-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// Whether c := alpha a bt^T + beta c is one of them: is_small would say so, and columns of a that push each other out
/// of the cache are used too seldom to be copied. Columns of c are contiguous. Above an order that is small in all ways
/// nothing is copied; one size may be larger then, of rows no more than the small ways take at a time or than stay
/// near.
template <class T>
HWY_INLINE bool is_lean(const Matrix<T*>& a, const Matrix<T*>& c, index small) {
  const index most = std::max({c.rows, c.cols, a.cols}), few = std::min(small_order, small);
  if (most <= few) return true;
  if (a.row_stride != 1 || (!is_complex<T> && falls_together<T>(a.col_stride))) return false;
  if (sums_widely && most <= std::min(2 * small_order, small)) return true;
  constexpr index near = (16 << 10) / static_cast<index>(sizeof(T));
  const bool stays = c.rows <= rows_at_a_time || c.rows * a.cols <= near;
  return (c.rows > few) + (c.cols > few) + (a.cols > few) == 1 && stays;
}

/// Where columns of a are not contiguous.
template <class T>
HWY_NOINLINE void lean_turned(SmallFactors<T>& f, index rows, const InterleavedScaling<T>& scaling, const Matrix<T*>& c,
                              Mask mask) {
  HWY_ALIGN real_t<T> room[parts_of<T> * small_order * small_order];
  T* const copy = reinterpret_cast<T*>(room);
  SmallFactor<T>& a = f.a[0];
  turn(a.data, a.row, rows, f.depth[0], Part::Whole, copy, small_order);
  a.data = copy, a.row = 1, a.column = small_order;
  small_block_of_rows(f, 0, scaling, c, mask);
}

/// c := alpha a bt^T + beta c with sums of one block, lean or not.
template <class T>
HWY_NOINLINE bool gemm_beyond(const T& alpha, const Matrix<T*>& a, const Matrix<T*>& bt, const T& beta,
                              const Matrix<T*>& c, Mask mask, const Blocking& blocking) {
  if (c.row_stride != 1 && c.col_stride == 1)
    return gemm_beyond(alpha, bt, a, beta, core::transpose(c), transposed(mask), blocking);
  if constexpr (goes_across<T>)
    if (blocking.small >= tiny_order && mask == Mask::All && is_across(a, bt, c))
      return gemm_across(alpha, a, bt, beta, c, blocking.k), true;
  // The diagonal of a Hermitian one becomes real, which gemm sees to.
  if (c.row_stride != 1 || hermitian(mask) || !is_lean(a, c, blocking.small))
    return gemm<T>(alpha, {a}, {bt}, beta, c, mask, blocking);
  SmallFactors<T> f;
  f.count = 1, f.depth[0] = a.cols;
  read_in_place(f.a[0], a), read_in_place(f.x[0], bt);
  const InterleavedScaling<T> scaling(alpha, beta);
  a.row_stride == 1 ? small_block_of_rows(f, 0, scaling, c, mask) : lean_turned(f, c.rows, scaling, c, mask);
  return true;
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
