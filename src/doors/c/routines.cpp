// The C door: what CBLAS's door does, with 64-bit sizes and a status instead of a handler.
#include "doors/routines.hpp"

#include "doors/by_value.hpp"
#include "doors/c/status.hpp"

#include <trigon/trigon.h>

namespace trigon::doors {
namespace {

template <class T>
using C = ByValue<T, std::int64_t>;

template <class... P>
[[gnu::cold, gnu::noinline]] trigon_status reject(const Call& call, Argument bad, int layout, P... arguments) noexcept {
  const long long values[] = {layout, raw(arguments)...};
  return invalid(call, bad, values[position(call.operation, bad, true) - 1]);
}

}  // namespace
}  // namespace trigon::doors

using trigon::doors::C;

#define TRIGON_ENTRY(prefix, T, routine, Name, SHAPE)                                                      \
  trigon_status trigon_##prefix##routine(int layout SHAPE(TRIGON_PARAMETER, TRIGON_PARAMETER, C<T>)) {     \
    trigon::Call call;                                                                                     \
    const void* null = nullptr;                                                                            \
    constexpr auto operation = trigon::Operation::Name;                                                    \
    call.operation = operation;                                                                            \
    call.precision = trigon::precision_of<T>;                                                              \
    C<T>::read(call.layout, layout);                                                                       \
    SHAPE(TRIGON_FILL, TRIGON_FILL, C<T>)                                                                  \
    const trigon::Argument bad = trigon::doors::first_bad(call, operation, null);                          \
    if (bad != trigon::Argument::None) [[unlikely]]                                                        \
      return trigon::doors::reject(call, bad, layout SHAPE(TRIGON_ARGUMENT, TRIGON_ARGUMENT, C<T>));       \
    return trigon::doors::run(call);                                                                       \
  }
TRIGON_ROUTINES(TRIGON_ENTRY)
