#include "trigon/check/control_state.hpp"

namespace trigon::selftest {

std::vector<unsigned> control_state() {
  std::vector<unsigned> state{static_cast<unsigned>(std::fegetround())};
#if defined(__x86_64__)
  unsigned mxcsr = 0;
  unsigned short x87 = 0;
  asm volatile("stmxcsr %0" : "=m"(mxcsr));
  asm volatile("fnstcw %0" : "=m"(x87));
  constexpr unsigned flags = 0x3f;
  state.push_back(mxcsr & ~flags);
  state.push_back(x87);
#elif defined(__aarch64__)
  unsigned long fpcr = 0;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  state.push_back(static_cast<unsigned>(fpcr));
#endif
  return state;
}

}  // namespace trigon::selftest
