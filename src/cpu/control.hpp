// The floating-point control register, which is each thread's own: the caller's holds for all of a call.
#pragma once

#include <cfenv>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace trigon::cpu {

/// How a thread rounds, and what it does with subnormal numbers; no exception traps.
struct Control {
#if defined(__x86_64__)
  static constexpr unsigned flags_ = 0x3f, masks = 0x1f80;
  unsigned bits = masks;
  static Control now() { return {(_mm_getcsr() & ~flags_) | masks}; }
  void apply() const { _mm_setcsr(bits); }
  /// The exceptions that were raised since it was applied; what raises them as well, though traps are enabled.
  static int raised() { return static_cast<int>(_mm_getcsr() & flags_); }
  static void raise(int flags) { _mm_setcsr(_mm_getcsr() | static_cast<unsigned>(flags)); }
#else
  int rounding = FE_TONEAREST;
  static Control now() { return {std::fegetround()}; }
  void apply() const {
    std::fesetround(rounding);
    std::feclearexcept(FE_ALL_EXCEPT);
  }
  static int raised() { return std::fetestexcept(FE_ALL_EXCEPT); }
  static void raise(int flags) {
    if (flags) std::feraiseexcept(flags);
  }
#endif
};

}  // namespace trigon::cpu
