// Small calls without a plan.
#pragma once

#include <trigon/call.hpp>

namespace trigon::cpu {

/// Carries out a checked call if its plan is known beforehand (core::direct_calls); false, with nothing written, if
/// it is not.
bool direct(const Call&);

}  // namespace trigon::cpu
