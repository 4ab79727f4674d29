// Carries out one case and judges everything that it may and may not do.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "trigon/check/case.hpp"

namespace trigon::selftest {

using Implementation = std::function<void(const Call&)>;

struct Judged {
  std::string failure;  ///< empty, or what kind: "accuracy", "written", "flags", "control state", "repeat", "exception"
  std::string words;    ///< what is wrong
  double ratio = 0;     ///< the worst error / bound
  std::uint64_t bits = 0;  ///< a hash of the result
  bool ok() const { return failure.empty(); }
};

struct JudgeOptions {
  bool flags = true;                          ///< floating-point exceptions that the data do not explain are a failure
  bool repeat = true;                         ///< a second run must give the same bits
  bool realign = false;                       ///< so must one with operands an element further on
  std::function<void(Operands&)> plant = {};  ///< puts special values into the operands
};

/// Judges `run` on the operands of the case. A read or write out of bounds ends the process.
Judged judge(const Implementation& run, const Case&, const JudgeOptions& = {});

/// The library through the door of the case.
void call_library(const Case&, const Call&);
/// Whether the drop-in lies beside the library.
bool has_drop_in();

}  // namespace trigon::selftest
