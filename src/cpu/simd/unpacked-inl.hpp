// Small triangles for which nothing is packed: which of the ways is taken.
#if defined(TRIGON_CPU_SIMD_UNPACKED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_UNPACKED_INL
#undef TRIGON_CPU_SIMD_UNPACKED_INL
#else
#define TRIGON_CPU_SIMD_UNPACKED_INL
#endif

#include "cpu/simd/flat_solve-inl.hpp"
#include "cpu/simd/short-inl.hpp"
#include "cpu/simd/short_solve-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// b := alpha t^-1 b or alpha t b, from where they lie. False, with nothing written, where packing is better or there
/// is no memory for what has to be transposed. `beside`: other threads have other parts of the same right-hand sides.
template <bool inverse, class T>
bool apply_unpacked(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b, bool beside) {
  if constexpr (inverse) {
    if (is_turned_solve(t, b)) return solve_turned(alpha, t, b);
    if (is_short_solve(t, b)) return solve_short(alpha, t, b);
    return is_flat<true>(t, b) && solve_flat(alpha, t, b, beside);
  } else {
    if (is_turned(t, b)) return multiply_turned(alpha, t, b);
    if (is_short(t, b)) return multiply_short(alpha, t, b);
    if (!is_flat<false>(t, b) || meets_others(b, beside)) return false;
    multiply_flat(alpha, t, b, beside);
    return true;
  }
}

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
