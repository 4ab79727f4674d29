// How far apart the variants of one operation are: all of one size timed in turn.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trigon/bench/measure.hpp"
#include "trigon/bench/run.hpp"

namespace trigon::bench {

/// Rows that differ in nothing but side, uplo, op and diag.
struct Evenness {
  struct Variant {
    std::string letters;
    double seconds = 0;  ///< median, per call
    double speed = 0;    ///< of the fastest: the ratio of medians over rounds
  };
  Row row;                        ///< the first of them
  std::vector<Variant> variants;  ///< fastest first
  int measurements = 1;           ///< 2 when it was measured again because it fell below --min-ratio

  double slowest() const { return variants.back().speed; }
};

/// Groups the rows, times each group and prints it. Rows are of one thread. Throws trigon::error when a row has no
/// other variant beside it, cli::exit_request when a group is below --min-ratio in two measurements.
void run_evenness(const RunOptions&, const std::vector<Row>&);

nlohmann::json to_json(const Evenness&);

}  // namespace trigon::bench
