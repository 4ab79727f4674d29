// The short way of a small call, taken by its door: one load, and where there is a way, one jump. (Of a triangle that
// registers hold there is a shorter one: at_once.hpp.)
#pragma once

#include "core/plugin.hpp"

#include <trigon/export.hpp>

namespace trigon::core {

/// The ways in force. Null before the first call, while calls are observed, and with a backend that has none.
TRIGON_API extern std::atomic<const Direct*> ways_in_force;

/// To be called after what they depend on has changed.
void update_ways();

/// Carries out a checked call, if it has a short way. Operation and precision are given once more, because doors know
/// them when they are compiled.
[[gnu::always_inline]] inline bool directly(const Call& call, Operation operation, Precision precision) {
  const Direct* const ways = ways_in_force.load(std::memory_order_acquire);
  return ways && ways->way[static_cast<int>(operation)][index_of(precision)](call);
}

/// Whether a size is from 1 to `most`: 0 and negative ones become larger than all numbers.
constexpr bool fits(index size, index most) {
  return static_cast<std::size_t>(size) - 1 < static_cast<std::size_t>(most);
}

/// What is left for calls without: checked, by a plan.
TRIGON_API void execute_as_planned(const Call&);

}  // namespace trigon::core
