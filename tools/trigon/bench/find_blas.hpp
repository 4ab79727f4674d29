// Where the BLAS libraries that people know by name lie on this machine.
#pragma once

#include <string>
#include <vector>

namespace trigon::bench {

/// The file of a BLAS known by name, where distributions, vendors and pip put it; `threads` chooses between its
/// serial and threaded builds unless the name does ("openblas-serial"). Empty when there is none.
std::string find_blas(const std::string& name, int threads);

/// The names that find_blas knows.
std::vector<std::string> known_blas();

}  // namespace trigon::bench
