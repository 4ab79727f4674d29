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

#define TRIGON_ENTRY(prefix, T, routine, Name, SHAPE)                                                  \
  trigon_status trigon_##prefix##routine(int layout SHAPE(TRIGON_PARAMETER, TRIGON_PARAMETER, C<T>)) { \
    const auto prepare = [=](trigon::Call& call) { C<T>::read(call.layout, layout); };                 \
    const auto reject = [=](const trigon::Call& call, trigon::Argument bad) {                          \
      return trigon::doors::reject(call, bad, layout SHAPE(TRIGON_ARGUMENT, TRIGON_ARGUMENT, C<T>));   \
    };                                                                                                 \
    TRIGON_BODY(T, Name, SHAPE, C<T>, prepare, trigon::doors::not_at_once, reject, trigon::doors::run) \
  }
TRIGON_ROUTINES(TRIGON_ENTRY)
