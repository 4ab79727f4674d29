// What the processes of `trigon check` do: each tries the library in one environment.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "trigon/check/child.hpp"
#include "trigon/check/generator.hpp"

namespace trigon::selftest {

/// The order to a process.
struct Work {
  std::string part;  ///< "sweep", "same-bits", "concurrent", "errors" or "case"
  std::string one;   ///< the case, in words
  CaseOptions cases;
  std::uint64_t first = 0;  ///< the number of the first case
  std::uint64_t count = 0;  ///< the last is below this; 0: as many as time allows
  double seconds = 1;       ///< until then, and until every combination has had its turn
};

nlohmann::json to_json(const Work&);
Work work_from_json(const nlohmann::json&);

/// The failure of a case whose operands no memory holds.
inline constexpr const char* not_tried = "not tried";

/// Reports, in lines: `C number text` before a case, `F json` for a failure, `H number hash` for the bits of a result,
/// `D json` at the end; a single case, as one line of JSON.
void work(const Work&, const Reporter&);

inline constexpr int concurrent_callers = 8;

}  // namespace trigon::selftest
