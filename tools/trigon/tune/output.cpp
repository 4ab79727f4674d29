#include "trigon/tune/output.hpp"

#include <cstdio>
#include <filesystem>
#include <trigon/error.hpp>

#include "trigon/bench/report.hpp"
#include "trigon/files/formats.hpp"

namespace trigon::tune {
namespace {

/// The file itself, and not before all of it is known to be possible.
std::string writable(const std::string& path) {
  if (path.empty()) throw error("--out: '' names no file");
  if (cli::is_device(path)) throw error(path + ": is no ordinary file");
  const std::string file = cli::behind_links(path);
  cli::require_writable(file);
  return file;
}

}  // namespace

Output::Output(const std::string& path, bool force)
    : path_(path), unfinished_(path + ".unfinished"), force_(force), lock_(writable(path) + ".lock") {
  if (!force && std::filesystem::exists(path)) throw error(path + ": exists already; --force replaces it");
  writable(unfinished_);
}

void Output::keep(const std::string& text) const {
  cli::write_atomically(path_, force_, [&](const cli::Sink& put) { put(text.data(), text.size()); });
  std::filesystem::remove(unfinished_);
  std::printf("written: %s; in force with TRIGON_TUNING=%s\n", path_.c_str(),
              std::filesystem::absolute(path_).lexically_normal().c_str());
}

}  // namespace trigon::tune
