#include "doors/blas/forward_search.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <utility>

// Set by the build where a path is recorded.
#ifndef TRIGON_BLAS_FORWARD_PATH
#define TRIGON_BLAS_FORWARD_PATH ""
#endif
#ifndef TRIGON_BLAS64_FORWARD_PATH
#define TRIGON_BLAS64_FORWARD_PATH ""
#endif

namespace trigon::doors {
namespace {

bool same_file(const struct stat& file, const std::string& other) {
  struct stat s;
  return stat(other.c_str(), &s) == 0 && s.st_dev == file.st_dev && s.st_ino == file.st_ino;
}

#if defined(__x86_64__)
constexpr const char* triplet = "/usr/lib/x86_64-linux-gnu/";
#elif defined(__aarch64__)
constexpr const char* triplet = "/usr/lib/aarch64-linux-gnu/";
#else
constexpr const char* triplet = "/usr/lib/";
#endif

// Debian keeps each BLAS in a directory of its own. Of OpenBLAS the whole library is named and not its
// libblas.so.3, which would look for libopenblas.so.0 by name and may find the one of another flavour. The serial
// one, which is for programs of one thread, would be the last resort wherever it stood.
constexpr const char* debian_lp64[] = {"openblas-pthread/libopenblas.so.0", "openblas-openmp/libopenblas.so.0",
                                       "blis-pthread/libblas.so.3",         "blis-openmp/libblas.so.3",
                                       "blis-serial/libblas.so.3",          "blas/libblas.so.3",
                                       "openblas-serial/libopenblas.so.0"};
constexpr const char* debian_ilp64[] = {"openblas64-pthread/libopenblas64.so.0", "openblas64-openmp/libopenblas64.so.0",
                                        "blis64-pthread/libblas64.so.3",         "blis64-openmp/libblas64.so.3",
                                        "blis64-serial/libblas64.so.3",          "blas64/libblas64.so.3",
                                        "openblas64-serial/libopenblas64.so.0"};

constexpr const char* directories[] = {"/usr/lib64/", "/usr/local/lib/", triplet, "/usr/lib/"};
constexpr const char* names_lp64[] = {"libopenblasp.so.0", "libopenblaso.so.0", "libopenblas.so.0",
                                      "libflexiblas.so.3", "libblis.so.4",      "libblas.so.3"};
constexpr const char* names_ilp64[] = {"libopenblasp64_.so.0", "libopenblaso64_.so.0", "libopenblas64_.so.0",
                                       "libopenblas64.so.0",   "libflexiblas64.so.3",  "libblas64.so.3"};

}  // namespace

const char* forward_variable(bool ilp64) { return ilp64 ? "TRIGON_BLAS64_FORWARD" : "TRIGON_BLAS_FORWARD"; }

std::vector<ForwardCandidate> forward_candidates(bool ilp64, const std::string& self) {
  if (const char* named = secure_getenv(forward_variable(ilp64)); named != nullptr && *named != '\0')
    return {{named, forward_variable(ilp64), true}};

  std::vector<ForwardCandidate> found;
  const auto add = [&](std::string path, const char* origin, bool named = false) {
    struct stat file;
    if (path.empty() || stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode) || same_file(file, self)) return;
    for (const ForwardCandidate& earlier : found)
      if (same_file(file, earlier.path)) return;
    found.push_back({std::move(path), origin, named});
  };
  add(ilp64 ? TRIGON_BLAS64_FORWARD_PATH : TRIGON_BLAS_FORWARD_PATH, "recorded when Trigon was built", true);
  for (const char* name : ilp64 ? debian_ilp64 : debian_lp64) add(std::string(triplet) + name, "searched");
  for (const char* directory : directories)
    for (const char* name : ilp64 ? names_ilp64 : names_lp64) add(std::string(directory) + name, "searched");
  return found;
}

}  // namespace trigon::doors
