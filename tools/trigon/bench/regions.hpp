// The regions in which a triangular BLAS shows what it is worth, and the bar of each (docs/benchmarking.md#regions).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trigon/bench/measure.hpp"

namespace trigon::bench {

/// What a row must reach and what it aims at; 0 where nothing is set.
struct Bar {
  double least = 0, aim = 0;
};

/// One row of one region. Every one must also be no slower than the best peer.
struct RegionRow {
  std::string region;
  Row row;
  Bar share;    ///< of the machine's multiply-add rate
  Bar of_gemm;  ///< of the speed of the fastest GEMM of that order in the same run
  Bar gflops;   ///< where memory is the limit
};

/// All rows of one and two threads, the GEMMs they are held against among them (region "gemm").
std::vector<RegionRow> region_rows();

/// How a measured row stands.
struct Standing {
  RegionRow what;
  double gflops = 0, share = 0, of_gemm = 0, ratio = 0;
  std::string peer;  ///< the best one
  bool reached = false, aim_reached = false;
  std::string open;  ///< why it cannot be said whether it is reached: neither is
};

/// Of the results that are rows of a region, but the GEMMs.
std::vector<Standing> standings(const std::vector<Result>&);
void print(const std::vector<Standing>&);
nlohmann::json to_json(const Standing&);

}  // namespace trigon::bench
