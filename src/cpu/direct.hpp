// Small calls without a plan.
#pragma once

#include <trigon/call.hpp>

#include <array>

namespace trigon::cpu {

/// Which calls have a plan that is known beforehand: of Level 3, all sizes up to `order` (per precision, in the
/// order s d c z), packed and on one thread; of TRMV and TRSV all, narrow.
struct DirectCalls {
  std::array<index, 4> order{};
  bool vectors = false;
};
const DirectCalls& direct_calls();

/// Carries out a checked call if it is one of these; false, with nothing written, if it is not.
bool direct(const Call&);

}  // namespace trigon::cpu
