#include "trigon/run/notes.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <trigon/error.hpp>

#include "trigon/run/lapack.hpp"

namespace trigon::cli {
namespace {

bool is_system_library(const std::string& path) { return path.rfind("/usr/", 0) == 0 || path.rfind("/lib", 0) == 0; }

std::string advice_for(const std::string& path) {
  const std::string renamed = renamed_blas(path);
  if (!renamed.empty()) {
    return path + " is a BLAS bundled under other names (" + renamed +
           "): its calls did not reach Trigon. The distribution's own packages (python3-numpy, python3-scipy) use the "
           "system's BLAS, which Trigon replaces.";
  }
  const bool lapack = path.find("/liblapack") != std::string::npos;
  if (!lapack && is_system_library(path)) return {};
  const std::string why = bypasses_blas(path);
  if (why.empty()) return {};
  return path + " did LAPACK's work past Trigon: " + why +
         (lapack ? ". Package liblapack3 has one that does not." : ".");
}

}  // namespace

Notes::Notes() {
  const char* folder = std::getenv("TMPDIR");
  path_ = std::string(folder && *folder ? folder : "/tmp") + "/trigon-run-XXXXXX";
  const int file = mkstemp(path_.data());
  if (file < 0) throw error(path_ + ": cannot be created: " + std::strerror(errno));
  close(file);
}

Notes::~Notes() { unlink(path_.c_str()); }

std::vector<std::string> Notes::advice() const {
  std::ifstream file(path_);
  std::set<std::string> seen;
  std::vector<std::string> lines;
  for (std::string library; std::getline(file, library);) {
    if (!seen.insert(library).second) continue;
    const std::string line = advice_for(library);
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace trigon::cli
