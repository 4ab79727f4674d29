// Small calls without a plan.
#pragma once

#include "core/plugin.hpp"

namespace trigon::cpu {

/// The calls whose plan is known beforehand: core::direct_calls.
const core::Direct& direct();

}  // namespace trigon::cpu
