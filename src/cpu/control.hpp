// The floating-point control register, which is each thread's own: the caller's holds for all of a call.
#pragma once

#include <cfenv>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#endif

namespace trigon::cpu {

/// How a thread rounds, what it does with subnormal numbers, and the exceptions it has seen; none of them traps.
struct Control {
#if defined(__x86_64__)
  static constexpr unsigned seen = 0x3f, masked = 0x1f80;
  unsigned bits = masked;
  static Control now() { return {_mm_getcsr() | masked}; }
  void apply() const { _mm_setcsr(bits); }
  /// The exceptions since it was applied that it had not seen; what raises them as well, trapping or not.
  int raised() const { return static_cast<int>(_mm_getcsr() & seen & ~bits); }
  static void raise(int flags) { _mm_setcsr(_mm_getcsr() | static_cast<unsigned>(flags)); }
#elif defined(__aarch64__)
  // FPCR with what traps, FPSR with what has been seen.
  static constexpr std::uint32_t seen = 0x9f, trapping = 0x9f00;
  std::uint32_t bits = 0, flags = 0;
  static Control now() { return {control() & ~trapping, status() & seen}; }
  void apply() const {
    asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{bits}));
    set_status(status() & ~seen);
  }
  int raised() const { return static_cast<int>(status() & seen & ~flags); }
  static void raise(int flags) { set_status(status() | static_cast<std::uint32_t>(flags)); }

 private:
  static std::uint32_t control() {
    std::uint64_t value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return static_cast<std::uint32_t>(value);
  }
  static std::uint32_t status() {
    std::uint64_t value;
    asm volatile("mrs %0, fpsr" : "=r"(value));
    return static_cast<std::uint32_t>(value);
  }
  static void set_status(std::uint32_t value) { asm volatile("msr fpsr, %0" : : "r"(std::uint64_t{value})); }
#else
  int rounding = FE_TONEAREST, flags = 0;
  static Control now() { return {std::fegetround(), std::fetestexcept(FE_ALL_EXCEPT)}; }
  void apply() const {
    std::fesetround(rounding);
    std::feclearexcept(FE_ALL_EXCEPT);
  }
  int raised() const { return std::fetestexcept(FE_ALL_EXCEPT) & ~flags; }
  static void raise(int flags) { std::feraiseexcept(flags); }
#endif
};

}  // namespace trigon::cpu
