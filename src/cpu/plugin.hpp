// The CPU backend as the core sees it.
#pragma once

#include "core/plugin.hpp"

namespace trigon::cpu {

const core::Plugin& plugin();

/// What plans depend on, here and now.
core::Machine machine();

}  // namespace trigon::cpu
