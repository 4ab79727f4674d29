// Writes compiled programs to the cache behind the calls' back: asking PoCL for a binary takes seconds.
#pragma once

#include "opencl/api.hpp"

#include <filesystem>
#include <string>

namespace trigon::opencl {

/// Keeps the program once nothing has been built for two seconds. A process that ends before that keeps none.
void keep_later(cl_program, const std::filesystem::path& folder, const std::string& key);

}  // namespace trigon::opencl
