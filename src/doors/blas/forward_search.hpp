// Where the drop-in looks for the BLAS that carries out what Trigon does not. Depends on nothing, so that the
// command line can tell what the drop-in would choose.
#pragma once

#include <string>
#include <vector>

namespace trigon::doors {

struct ForwardCandidate {
  std::string path;
  std::string origin;  ///< "TRIGON_BLAS_FORWARD", "recorded when Trigon was built", "searched"
  bool named;          ///< by somebody who wants this one: not searched
};

/// The environment variable that names the library: one for each width of integers.
const char* forward_variable(bool ilp64);

/// The libraries to try, best first: what the environment names, and nothing else if it does; what was recorded
/// at configure time; then the places where Linux distributions keep optimised BLAS, then the reference, and last one
/// that is known to be for one thread.
/// Only files that exist are listed, except one named by the environment, and never one that is the same file
/// as `self` (the drop-in itself may be installed as libblas.so.3).
std::vector<ForwardCandidate> forward_candidates(bool ilp64, const std::string& self);

}  // namespace trigon::doors
