// The self-test as a whole: which environments are tried, for how long, and what is said about it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trigon::selftest {

struct RunOptions {
  std::vector<std::string> operations = {"all"};
  std::string precisions = "sdcz";
  long long max_size = 500;
  std::uint64_t seed = 0;  ///< 0: a new one, printed
  double seconds = 45;     ///< about, all parts together
  std::string only;        ///< parts whose title contains this; empty: all
  std::string provider;    ///< check this GEMM provider instead of the library
  std::string one_case;    ///< carry out this case alone
  bool accuracy = false;   ///< also the worst errors by operation and precision, a table for each part
  bool json = false, quiet = false;
};

/// Prints what was tried and what failed; whether all passed. Throws trigon::error for bad options.
bool run(const RunOptions&);

}  // namespace trigon::selftest
