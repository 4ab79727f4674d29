// Where a call's flops and time go: GEMM against leaves, by level of the recursion.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "trigon/bench/measure.hpp"

namespace trigon::bench {

struct Part {
  int level = 0;
  std::string kind;
  int tasks = 0;
  double flops = 0, seconds = 0;
};

struct Breakdown {
  Row row;
  PlanInfo plan;
  std::vector<Part> parts;  ///< by level, then kind
  double whole = 0;         ///< seconds of the call itself, on the path that the plan takes
  double peak = 0;          ///< flop/s
};

/// Medians over rounds of the recursion carried out task by task on one thread.
Breakdown break_down(const Row&, Machine&, const MeasureOptions&);

void print(const Breakdown&);
nlohmann::json to_json(const Breakdown&);

}  // namespace trigon::bench
