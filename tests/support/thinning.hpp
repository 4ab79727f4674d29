// How much of a test is left out, as its environment says: for devices, simulated ones, sanitizers, and settings that
// others resemble.
//
// TRIGON_TEST_SWEEP      one case of the sweep in so many, one pivot in a tenth of so many, from 10 on one round of the
//                        inaccessible padding
// TRIGON_TEST_PHASE      … another one for each number
// TRIGON_TEST_NUMERICS   one extreme pivot in so many
// TRIGON_TEST_NONFINITE  one place of an infinity or NaN in so many
// TRIGON_TEST_REPEAT     one case in so many is repeated, for the same bits; 0: none
#pragma once

#include <algorithm>
#include <cstdlib>

namespace trigon::test {

/// The number that a variable holds, `otherwise` without it.
inline unsigned number(const char* variable, int otherwise) {
  const char* value = std::getenv(variable);
  return static_cast<unsigned>(std::max(0, value ? std::atoi(value) : otherwise));
}
inline unsigned one_in(const char* variable) { return std::max(1u, number(variable, 1)); }

/// Of the sweep.
class Thinning {
 public:
  bool keeps(unsigned long long number) const { return (number + phase_) % n_ == 0; }
  /// As if N were another.
  Thinning times(unsigned factor) const { return {n_ * factor, phase_}; }
  Thinning over(unsigned divisor) const { return {std::max(1u, n_ / divisor), phase_}; }
  unsigned n() const { return n_; }
  static Thinning of_sweep() { return {one_in("TRIGON_TEST_SWEEP"), number("TRIGON_TEST_PHASE", 0)}; }

 private:
  Thinning(unsigned n, unsigned phase) : n_(n), phase_(phase) {}
  unsigned n_, phase_;
};

}  // namespace trigon::test
