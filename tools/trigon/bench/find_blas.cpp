#include "trigon/bench/find_blas.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "trigon/locate.hpp"

namespace trigon::bench {
namespace {

namespace fs = std::filesystem;

// Where the distributions keep shared libraries, Debian's multiarch folder first; then pip's.
std::vector<std::string> library_folders() {
#if defined(__x86_64__)
  std::vector<std::string> folders = {"/usr/lib/x86_64-linux-gnu"};
#elif defined(__aarch64__)
  std::vector<std::string> folders = {"/usr/lib/aarch64-linux-gnu"};
#else
  std::vector<std::string> folders;
#endif
  folders.insert(folders.end(), {"/usr/lib64", "/usr/lib", "/usr/local/lib"});
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char* prefix = std::getenv(variable)) folders.push_back(std::string(prefix) + "/lib");
  if (const char* home = std::getenv("HOME")) folders.push_back(std::string(home) + "/.local/lib");
  return folders;
}

// The folders of Python packages, the active environment's first.
std::vector<std::string> wheel_folders() {
  std::vector<std::string> folders;
  std::error_code none;
  const auto libs = library_folders();
  // Environments are looked for last among libraries, and first here.
  for (auto lib = libs.rbegin(); lib != libs.rend(); ++lib) {
    std::vector<std::string> found;
    for (const auto& python : fs::directory_iterator(*lib, none))
      if (python.path().filename().string().starts_with("python"))
        for (const char* packages : {"/site-packages", "/dist-packages"})
          found.push_back(python.path().string() + packages);
    std::sort(found.rbegin(), found.rend());
    folders.insert(folders.end(), found.begin(), found.end());
  }
  return folders;
}

std::vector<std::string> aocl_folders() {
  std::vector<std::string> folders;
  std::error_code none;
  for (const auto& version : fs::directory_iterator("/opt/AMD/aocl", none))
    for (const char* below : {"/gcc/lib_LP64", "/lib"}) folders.push_back(version.path().string() + below);
  std::sort(folders.rbegin(), folders.rend());  // the newest first
  return folders;
}

/// Files in the order of preference; the first folder that has one wins.
struct Known {
  const char* name;
  std::vector<std::string> serial, threaded;
  std::function<std::vector<std::string>()> folders = library_folders;
};

// A threaded build does for one thread: the environment of the benchmark tells it so.
const std::vector<Known>& table() {
  static const std::vector<Known> known = {
      {"openblas",
       {"openblas-serial/libopenblas.so.0", "openblas-pthread/libopenblas.so.0", "libopenblas.so.0",
        "openblas-openmp/libopenblas.so.0", "libopenblas.so"},
       {"openblas-pthread/libopenblas.so.0", "openblas-openmp/libopenblas.so.0", "libopenblas.so.0", "libopenblas.so"}},
      {"blis",
       {"blis-serial/libblis.so.4", "blis-pthread/libblis.so.4", "blis-openmp/libblis.so.4", "libblis.so.4",
        "libblis.so"},
       {"blis-pthread/libblis.so.4", "blis-openmp/libblis.so.4", "libblis-mt.so.4", "libblis-mt.so"}},
      {"mkl",
       {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"},
       {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"},
       [] {
         auto folders = library_folders();
         for (const char* below : {"lib", "lib/intel64"})
           folders.push_back(std::string("/opt/intel/oneapi/mkl/latest/") + below);
         return folders;
       }},
      // A newer OpenBLAS than a distribution's.
      {"openblas-wheel",
       {"scipy_openblas32/lib/libscipy_openblas.so"},
       {"scipy_openblas32/lib/libscipy_openblas.so"},
       wheel_folders},
      {"aocl", {"libblis.so", "libblis-mt.so"}, {"libblis-mt.so"}, aocl_folders},
      {"eigen", {"libeigen_blas.so", "libeigen_blas.so.3"}, {"libeigen_blas.so", "libeigen_blas.so.3"}},
      {"clblast", {"libclblast.so.1", "libclblast.so"}, {"libclblast.so.1", "libclblast.so"}},
      {"clblas", {"libclBLAS.so.2", "libclBLAS.so"}, {"libclBLAS.so.2", "libclBLAS.so"}},
      {"atlas", {"atlas/libblas.so.3"}, {}},
      {"netlib", {"blas/libblas.so.3"}, {}},
      {"openblas-serial", {"openblas-serial/libopenblas.so.0"}, {}},
      {"openblas-pthread", {"openblas-pthread/libopenblas.so.0"}, {"openblas-pthread/libopenblas.so.0"}},
      {"openblas-openmp", {"openblas-openmp/libopenblas.so.0"}, {"openblas-openmp/libopenblas.so.0"}},
      {"blis-serial", {"blis-serial/libblis.so.4"}, {}},
      {"blis-pthread", {"blis-pthread/libblis.so.4"}, {"blis-pthread/libblis.so.4"}},
      {"blis-openmp", {"blis-openmp/libblis.so.4"}, {"blis-openmp/libblis.so.4"}},
  };
  return known;
}

}  // namespace

std::vector<std::string> known_blas() {
  std::vector<std::string> names;
  for (const Known& known : table()) names.emplace_back(known.name);
  return names;
}

std::string find_blas(const std::string& name, int threads) {
  // The one that this project builds from Eigen's headers lies beside the library.
  if (name == "eigen")
    if (const std::string own = cli::beside_the_library("trigon/libeigen_blas.so"); !own.empty()) return own;
  for (const Known& known : table()) {
    if (name != known.name) continue;
    const auto folders = known.folders();
    for (const std::string& file : threads > 1 ? known.threaded : known.serial)
      for (const std::string& folder : folders) {
        std::error_code none;
        const std::string path = folder + "/" + file;
        if (fs::exists(path, none)) return path;
      }
  }
  return {};
}

}  // namespace trigon::bench
