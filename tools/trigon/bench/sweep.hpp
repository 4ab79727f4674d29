// Which calls a benchmark times: operations × precisions × variants × shapes × sizes × leading dimensions.
#pragma once

#include <trigon/call.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "trigon/bench/variants.hpp"

namespace trigon::bench {

/// One line of a benchmark.
struct Row {
  Call call;  ///< no operands
  int threads = 1;
  std::string shape;  ///< "square", "few-rhs", ..., "random", "replay"
  double weight = 1;  ///< how often the call occurs, when a trace is replayed
};

/// What identifies a row across runs.
std::string key(const Row&);

struct SweepOptions {
  std::vector<Operation> operations;
  std::string precisions = "d";
  std::vector<index> sizes;
  std::vector<std::string> shapes = {"square"};
  std::vector<std::string> variants;  ///< patterns as "LLNN" or "R***", all, sample; empty: the first
  std::vector<index> rhs = {1, 2, 4, 8, 16};
  index rows = 8192;  ///< the long side of right-tall and left-wide
  index rank = 32;    ///< k of low-rank
  std::string ld = "plain";
  std::vector<index> increments = {1};
  std::vector<std::string> layouts = {"C"};
  std::vector<int> threads = {1};
  int random = 0;           ///< random rows per operation and precision
  index random_max = 4096;  ///< their largest size
  double max_flops = 3e10;  ///< their largest work
  std::uint64_t seed = 1;
  double alpha = 1, beta = 1;
};

/// "7,32,64:512:64,100:1600": values, A:B:STEP, and A:B by doubling. Throws trigon::error naming the bad part.
std::vector<index> parse_list(const std::string& text, const std::string& option, index least);

/// The rows of the options; those that an operation cannot have (few right-hand sides of a rank-k update)
/// are left out. Throws trigon::error when nothing is left or a word is unknown.
std::vector<Row> sweep(const SweepOptions&);

/// The standard sweep of docs/benchmarking.md, with precisions, threads and seed from the options.
std::vector<Row> standard_sweep(const SweepOptions&, bool quick);

}  // namespace trigon::bench
