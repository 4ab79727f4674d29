// Addresses of lines of a matrix, the same distance apart.
#if defined(TRIGON_CPU_SIMD_STRIDES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TRIGON_CPU_SIMD_STRIDES_INL
#undef TRIGON_CPU_SIMD_STRIDES_INL
#else
#define TRIGON_CPU_SIMD_STRIDES_INL
#endif

#include "cpu/simd/vec-inl.hpp"

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace trigon::cpu::HWY_NAMESPACE {

/// What compilers shall not see through: of addresses whose relation they know each would be computed from another.
template <class X>
HWY_INLINE X opaque(X x) {
#if HWY_ARCH_X86
  asm("" : "+r"(x));
#endif
  return x;
}

/// Four distances, with which and one pointer instructions form the addresses of eight lines by themselves, as many as
/// small kernels are unrolled to: an addition for each would be most of their instructions.
template <class T>
class Strides {
 public:
  HWY_INLINE explicit Strides(index apart)
      : one_(opaque(static_cast<std::uintptr_t>(apart) * sizeof(T))),
        three_(opaque(3 * one_)),
        five_(opaque(5 * one_)),
        seven_(opaque(7 * one_)) {}

  /// Element `i` of line `line` from p on. Every eight lines take a pointer.
  template <int line>
  HWY_INLINE T* of(T* p) const {
    if constexpr (line >= 8)
      return of<line - 8>(opaque(move(p, 8 * one_)));
    else
      return move(p, line % 2 == 0 ? (line == 6 ? 2 * three_ : line * one_)
                     : line == 1   ? one_
                     : line == 3   ? three_
                     : line == 5   ? five_
                                   : seven_);
  }

 private:
  static HWY_INLINE T* move(T* p, std::uintptr_t bytes) {
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(p) + bytes);
  }
  std::uintptr_t one_, three_, five_, seven_;
};

}  // namespace trigon::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
