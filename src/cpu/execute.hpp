// One planned request on the CPU: which path, and how threads share it.
#pragma once

#include "core/dispatch.hpp"
#include "core/plan.hpp"

namespace trigon::cpu {
template <class T>
void execute(const core::Request&, const core::Plan&);
}
