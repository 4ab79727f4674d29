// Writes compiled programs to the cache behind the calls' back: asking PoCL for a binary takes seconds.
#pragma once

#include "opencl/api.hpp"

#include <filesystem>
#include <string>

namespace trigon::opencl {

/// Keeps what the program is on a device, once nothing has been built for two seconds. A process that ends before that
/// keeps none.
void keep_later(cl_program, cl_device_id, const std::filesystem::path& folder, const std::string& key);

}  // namespace trigon::opencl
