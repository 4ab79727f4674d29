// Compiled programs on disk: TRIGON_CACHE, or trigon/ in XDG_CACHE_HOME or ~/.cache. A file holds the whole key and a
// checksum, so that what is damaged or belongs to something else is ignored. Writing replaces a file at once, and
// failing to write is no failure.
#pragma once

#include <string>

namespace trigon::opencl::cache {

/// What was kept for the key, or "".
std::string read(const std::string& key);
void write(const std::string& key, const std::string& binary);

}  // namespace trigon::opencl::cache
