// Environment variables as the library reads them.
#pragma once

#include <cstdlib>
#include <string>

namespace trigon {

/// "" where it is not set, or set to nothing, which is the same.
inline std::string setting(const char* variable) {
  const char* const value = std::getenv(variable);
  return value ? value : "";
}

/// Anything but 0 switches it on.
inline bool switched_on(const char* variable) {
  const std::string value = setting(variable);
  return !value.empty() && value != "0";
}

}  // namespace trigon
