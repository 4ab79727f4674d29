// One case, judged in every way a case can fail. All sweeps, and the mutants that prove them, go through it.
#pragma once

#include <trigon/operands.hpp>

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace trigon::test {

using Implementation = std::function<void(const Call&)>;

enum class Failure {
  None,
  Accuracy,      ///< an entry beyond its bound, or a NaN or Inf that the reference does not have
  Intrusion,     ///< padding, an input or the other triangle was written
  Flags,         ///< an invalid, divide-by-zero or overflow flag that the data do not explain
  ControlState,  ///< rounding, exception masks or flush-to-zero are not what they were
  Unrepeatable,  ///< a second run gave other bits
  Crash,         ///< a guard page was touched, or worse
  Exception,
};
std::ostream& operator<<(std::ostream&, Failure);

struct Plant {
  Argument operand;
  index i, j;
  std::complex<double> value;
};

struct Case {
  Call call;
  OperandOptions operands = {};
  Sample sample = {};
  std::vector<Plant> plants = {};
  bool check_flags = true;  ///< those that an ordinary BLAS raises are explained
  bool repeat = true;
  bool hide_padding = false;  ///< pages between lines are inaccessible during the call
};

struct Outcome {
  Failure failure = Failure::None;
  double ratio = 0;   ///< the worst error / bound
  std::string words;  ///< why, and the line that replays it
  bool ok() const { return failure == Failure::None; }
};

/// Runs the case in this process. A crash ends the process, with the case on stderr.
Outcome run_case(const Implementation&, const Case&);

/// Runs the case in a forked child, so that a crash is an outcome.
Outcome run_case_in_child(const Implementation&, const Case&);

/// The floating-point control state: what a call must leave as it found it.
std::vector<unsigned> control_state();

}  // namespace trigon::test
