// A trace as rows of a benchmark: every distinct call once, weighted by how often it occurs.
#pragma once

#include <string>
#include <vector>

#include "trigon/bench/sweep.hpp"

namespace trigon::bench {

struct Trace {
  std::vector<Row> rows;  ///< the heaviest first
  double calls = 0;       ///< in the whole trace
  double flops = 0;
  std::size_t kinds = 0;     ///< distinct calls in the whole trace
  double flops_covered = 0;  ///< share of the flops that `rows` stand for
};

/// Reads the lines of TRIGON_TRACE or `trigon run --trace`; `limit` > 0 keeps the heaviest calls by flops.
/// Throws trigon::error naming file and line for what is no call.
Trace read_trace(const std::string& path, std::size_t limit, int threads);

}  // namespace trigon::bench
