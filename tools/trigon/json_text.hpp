// JSON for files and pipes. Names of files may hold any bytes: what is no UTF-8 becomes U+FFFD, and nothing is lost for
// it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace trigon::cli {

inline std::string in_text(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace trigon::cli
