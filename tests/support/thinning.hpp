// How much of a test is left out, as its environment says: for devices, simulated ones, sanitizers, and settings that
// others resemble.
//
// TRIGON_TEST_SWEEP      one case of the sweep in so many, one pivot in a tenth of so many
// TRIGON_TEST_NUMERICS   one extreme pivot in so many
#pragma once

#include <algorithm>
#include <cstdlib>

namespace trigon::test {

/// The number that a variable holds; 1 without it.
inline unsigned one_in(const char* variable) {
  const char* value = std::getenv(variable);
  return static_cast<unsigned>(std::max(1, value ? std::atoi(value) : 1));
}

}  // namespace trigon::test
