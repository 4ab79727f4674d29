#include "trigon/locate.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <set>
#include <trigon/inspect.hpp>

#include "trigon/run/lapack.hpp"

namespace trigon::cli {
namespace {

std::set<std::string> loaded_objects() {
  std::set<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* set) {
        if (object->dlpi_name && *object->dlpi_name)
          static_cast<std::set<std::string>*>(set)->insert(object->dlpi_name);
        return 0;
      },
      &paths);
  return paths;
}

bool provides(const std::string& path, const char* symbol) {
  void* handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (!handle) return false;
  void* address = dlsym(handle, symbol);
  Dl_info where;
  const bool own = address && dladdr(address, &where) && real_path(where.dli_fname) == real_path(path);
  dlclose(handle);
  return own;
}

/// Calls a routine that Trigon has not, through the drop-in, and looks which library has appeared.
std::string load_forward(const std::string& drop_in) {
  void* handle = dlopen(drop_in.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return {};
  const auto rotate =
      reinterpret_cast<void (*)(const int*, double*, const int*, double*, const int*, const double*, const double*)>(
          dlsym(handle, "drot_"));
  if (!rotate) return {};
  const auto before = loaded_objects();
  const int one = 1;
  const double cosine = 1, sine = 0;
  double x = 1, y = 1;
  rotate(&one, &x, &one, &y, &one, &cosine, &sine);
  std::string other;
  for (const std::string& path : loaded_objects()) {
    if (before.count(path)) continue;
    if (provides(path, "drot_")) return path;
    if (other.empty() && provides(path, "cblas_drot")) other = path;
  }
  return other;
}

}  // namespace

std::string library_file() {
  Dl_info where;
  if (!dladdr(reinterpret_cast<void*>(&trigon::version), &where) || !where.dli_fname) return {};
  return real_path(where.dli_fname);
}

std::string beside_the_library(const std::string& file_name) {
  const std::string library = library_file();
  if (library.empty()) return {};
  const auto path = std::filesystem::path(library).parent_path() / file_name;
  std::error_code failed;
  return std::filesystem::exists(path, failed) ? path.string() : std::string();
}

std::string forwarded_blas(const std::string& drop_in) {
  int ends[2];
  if (drop_in.empty() || pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    const std::string path = load_forward(drop_in);
    const bool written = write(ends[1], path.data(), path.size()) == static_cast<ssize_t>(path.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string path;
  std::array<char, 512> buffer;
  for (ssize_t got; child > 0 && (got = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    path.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) return {};
  return path;
}

}  // namespace trigon::cli
