#include "trigon/run/notes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <trigon/error.hpp>

#include "trigon/run/lapack.hpp"

namespace trigon::cli {
namespace {

std::string loaded(const std::string& path) {
  if (has_wide_integers(path)) {
    return path +
           " has 64-bit integers under the plain names, and its calls went to Trigon, which has 32-bit ones there: "
           "what was computed with it may be wrong. Run that program without Trigon.";
  }
  const std::string renamed = unknown_blas_name(path);
  if (!renamed.empty()) {
    return path + " is a BLAS bundled under names of its own (" + renamed +
           "): its calls do not reach Trigon. The distribution's packages use the system's BLAS, which Trigon "
           "replaces.";
  }
  if (path.find("/libmkl") == std::string::npos) return {};
  return path + ": MKL's LAPACK calls MKL's kernels directly, past Trigon; only direct calls of BLAS reach it.";
}

std::string advice_for(const std::string& what, const std::string& path) {
  if (what == "loaded") return loaded(path);
  if (calls_blas_by_its_symbols(path)) return {};
  const std::string lapack = "the LAPACK in " + path + " is OpenBLAS's, which calls its own kernels past BLAS";
  if (what == "replaced") return lapack + ": where it does, Trigon's own took its place.";
  if (what == "bypassed") return lapack + ". The reference LAPACK (package liblapack3) would not.";
  return {};
}

}  // namespace

TemporaryFile::TemporaryFile() {
  const char* folder = std::getenv("TMPDIR");
  path_ = std::string(folder && *folder ? folder : "/tmp") + "/trigon-run-XXXXXX";
  const int file = mkostemp(path_.data(), O_CLOEXEC);
  if (file < 0) throw backend_error(path_ + ": cannot be created: " + std::strerror(errno));
  close(file);
}

TemporaryFile::~TemporaryFile() { unlink(path_.c_str()); }

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> advice(const std::string& notes) {
  std::istringstream file(notes);
  std::set<std::string> seen;
  std::vector<std::string> lines;
  for (std::string note; std::getline(file, note);) {
    const auto blank = note.find(' ');
    if (blank == std::string::npos || !seen.insert(note).second) continue;
    const std::string line = advice_for(note.substr(0, blank), real_path(note.substr(blank + 1)));
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace trigon::cli
