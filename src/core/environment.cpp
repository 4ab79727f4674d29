#include "core/environment.hpp"

#include "core/once.hpp"

#include <cctype>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace trigon::core {
namespace {

std::string text(const char* name, const char* otherwise = "") {
  const char* value = secure_getenv(name);  // not of who runs a program with the rights of another user
  return value && *value ? value : otherwise;
}

bool flag(const char* name) {
  const std::string value = text(name);
  return !value.empty() && value != "0";
}

/// 0 where nothing is said.
int threads() {
  const std::string value = text("TRIGON_NUM_THREADS", "0");
  char* end = nullptr;
  errno = 0;
  const long number = std::strtol(value.c_str(), &end, 10);
  while (std::isspace(static_cast<unsigned char>(*end))) ++end;
  if (end != value.c_str() && *end == 0 && errno == 0 && number >= 0 && number <= INT_MAX)
    return static_cast<int>(number);
  std::fprintf(stderr, "trigon: TRIGON_NUM_THREADS=%s is no number of threads; it is not used\n", value.c_str());
  return 0;
}

Solve solve() {
  const std::string value = text("TRIGON_SOLVE", "exact");
  if (value != "exact" && value != "inverted")
    std::fprintf(stderr, "trigon: TRIGON_SOLVE=%s is neither exact nor inverted; it is exact\n", value.c_str());
  return value == "inverted" ? Solve::Inverted : Solve::Exact;
}

}  // namespace

const Environment& environment() {
  return once([] {
    return Environment{
        .backend = text("TRIGON_BACKEND", "auto"),
        .device = text("TRIGON_DEVICE"),
        .cache = text("TRIGON_CACHE"),
        .threads = threads(),
        .reproducible = flag("TRIGON_REPRODUCIBLE"),
        .solve = solve(),
        .provider = text("TRIGON_PROVIDER", "auto"),
        .cpu_target = text("TRIGON_CPU_TARGET"),
        .tuning = text("TRIGON_TUNING"),
        .trace = text("TRIGON_TRACE"),
        .report = text("TRIGON_REPORT"),
    };
  });
}

}  // namespace trigon::core
