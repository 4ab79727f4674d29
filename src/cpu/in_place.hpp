// When operands are better left where they lie than packed.
#pragma once

#include "core/view.hpp"

namespace trigon::cpu {

/// Whether lines so far apart fall on each other in the first cache.
template <class T>
constexpr bool falls_together(index stride) {
  constexpr index period = 2048;
  return stride * static_cast<index>(sizeof(T)) % period == 0;
}

/// The largest order of a triangle whose products are summed from where it and the right-hand sides lie. Elements of
/// large double complex ones are no faster broadcast in place than packed.
template <class T>
inline constexpr index in_place_order = sizeof(T) == 16 ? 128 : 256;

}  // namespace trigon::cpu
