// How this thread's floating-point unit rounds, traps and treats subnormals: a library has to leave it so.
#pragma once

#include <cfenv>
#include <vector>

namespace trigon::selftest {

/// But for the flags, which tell what has happened and not what will.
std::vector<unsigned> control_state();

/// Makes it what it was at the beginning again: under another rounding, or with subnormals flushed, no result could be
/// judged.
class KeptControlState {
 public:
  KeptControlState() : state_(control_state()) { std::fegetenv(&all_); }
  /// Whether it had to.
  bool restored() const {
    if (control_state() == state_) return false;
    std::fesetenv(&all_);
    return true;
  }

 private:
  std::vector<unsigned> state_;
  std::fenv_t all_;
};

}  // namespace trigon::selftest
