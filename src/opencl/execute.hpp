// Carrying out one planned request.
#pragma once

#include "core/plugin.hpp"
#include "opencl/host.hpp"
#include "opencl/lane.hpp"

namespace trigon::opencl {

core::Plan plan(const core::Request&);
std::size_t workspace_size(const core::Request&, const core::Plan&);
core::Status execute(const core::Request&, const core::Plan&);
core::Status execute_timed(const core::Request&, const core::Plan&, std::vector<Task>&);

/// The device that operands in host memory go to: the one that TRIGON_DEVICE names for this
/// backend, or the first. Null if there is none; then there are no such calls.
const Device* host_device();

}  // namespace trigon::opencl
