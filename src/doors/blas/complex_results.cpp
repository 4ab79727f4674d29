#include "doors/blas/complex_results.hpp"

#include <atomic>
#include <complex>
#include <cstdint>
#include <cstring>

namespace trigon::doors {
namespace {

template <class C>
using InRegisters = C (*)(const void* n, const void* x, const void* incx, const void* y, const void* incy);
template <class C>
using Hidden = void (*)(C* result, const void* n, const void* x, const void* incx, const void* y, const void* incy);

/// Whether the sum of nothing is written through the first argument. As a count that is 0 in 32 bits and negative in
/// 64; all others are read as a count of 0, as increments, or not at all.
bool hides_result(void* dot) {
  struct Cell {
    std::int64_t first, second;
  };
  constexpr Cell before{static_cast<std::int64_t>(0xffffffff00000000u), -1};
  Cell result = before, none{0, 0}, one{1, 1};
  reinterpret_cast<void (*)(void*, void*, void*, void*, void*, void*)>(dot)(&result, &none, &one, &one, &one, &one);
  return std::memcmp(&result, &before, sizeof result) != 0;
}

/// One routine called in the other way.
template <class C, int>
struct Other {
  static inline std::atomic<void*> routine{nullptr};
  static C in_registers(const void* n, const void* x, const void* incx, const void* y, const void* incy) {
    C result;
    reinterpret_cast<Hidden<C>>(routine.load(std::memory_order_relaxed))(&result, n, x, incx, y, incy);
    return result;
  }
  static void hidden(C* result, const void* n, const void* x, const void* incx, const void* y, const void* incy) {
    *result = reinterpret_cast<InRegisters<C>>(routine.load(std::memory_order_relaxed))(n, x, incx, y, incy);
  }
};

/// The address of the other way to call `routine`.
template <class C, int which>
void* other(void* routine, bool hidden) {
  using O = Other<C, which>;
  O::routine.store(routine, std::memory_order_relaxed);
  return hidden ? reinterpret_cast<void*>(&O::hidden) : reinterpret_cast<void*>(&O::in_registers);
}

}  // namespace

void* with_results_as(void* own, void* routine, std::size_t which) {
  const bool hidden = own != nullptr && hides_result(own);
  if (hides_result(routine) == hidden) return routine;
  switch (which) {
    case 0: return other<std::complex<float>, 0>(routine, hidden);
    case 1: return other<std::complex<float>, 1>(routine, hidden);
    case 2: return other<std::complex<double>, 0>(routine, hidden);
    default: return other<std::complex<double>, 1>(routine, hidden);
  }
}

}  // namespace trigon::doors
