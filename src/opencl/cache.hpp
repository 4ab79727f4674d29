// Compiled programs on disk. A file holds the whole key and a checksum, so that what is damaged or belongs to something
// else is ignored. Writing replaces a file at once, and failing to write is no failure.
#pragma once

#include <filesystem>
#include <string>

namespace trigon::opencl::cache {

/// `chosen` (TRIGON_CACHE), or trigon/ in XDG_CACHE_HOME or ~/.cache; empty where there is none of them.
std::filesystem::path folder(const std::string& chosen);

/// What was kept for the key, or "".
std::string read(const std::filesystem::path& folder, const std::string& key);
void write(const std::filesystem::path& folder, const std::string& key, const std::string& binary);

}  // namespace trigon::opencl::cache
