// The implementations that a benchmark is about: Trigon and its peers, found and opened.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trigon/bench/contestant.hpp"

namespace trigon::bench {

/// Trigon, as the first, and the peers by name or path. A known name that is not installed is reported on stderr and
/// left out. "gemm" is none of them.
std::vector<Contender> contenders(const std::vector<std::string>& peers, int threads, Entry door);

/// Opens Trigon, as the first, and the peers by name or path: in this process for one thread, else in one each; last,
/// where the peers name "gemm", Trigon's own GEMM (own_gemm.hpp). Throws trigon::error.
std::vector<std::unique_ptr<Contestant>> open_all(const std::vector<std::string>& peers, int threads, Entry door);

}  // namespace trigon::bench
