// The environments in which the library is tried.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "trigon/check/worker.hpp"

namespace trigon::selftest {

struct Part {
  std::string title;
  std::map<std::string, std::string> environment;  ///< added to ours
  Work work;
  /// The parts of one group must give the same bits; 0: none.
  int group = 0;
};

/// Every instruction set of this machine, one and two threads, our own GEMM and a provider's, reproducible mode,
/// concurrent callers, wrong arguments. What the environment settles already (TRIGON_CPU_TARGET, …) is not varied.
std::vector<Part> parts(const CaseOptions&, double seconds);

/// "TRIGON_CPU_TARGET=avx2 TRIGON_NUM_THREADS=1": in front of a command that repeats something.
std::string to_text(const std::map<std::string, std::string>& environment);

}  // namespace trigon::selftest
