#include "core/plugin.hpp"
#include "cpu/plugin.hpp"

#include <trigon/error.hpp>

namespace trigon::core {

const std::vector<const Plugin*>& plugins() {
  static const auto& all = *new std::vector<const Plugin*>{&cpu::plugin()};
  return all;
}

const Plugin& backend() {
  static const Plugin& chosen = []() -> const Plugin& {
    const std::string& wanted = environment().backend;
    if (wanted == "auto") return *plugins().front();
    std::string known;
    for (const Plugin* p : plugins()) {
      if (wanted == p->name) {
        if (const char* why = p->unavailable()) throw backend_error("backend " + wanted + ": " + why);
        return *p;
      }
      known += std::string(known.empty() ? "" : ", ") + p->name;
    }
    throw backend_error("TRIGON_BACKEND=" + wanted + ": no such backend in this build (it has " + known + ")");
  }();
  return chosen;
}

}  // namespace trigon::core
