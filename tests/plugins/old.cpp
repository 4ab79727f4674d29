// A plug-in of another version, of whose table nothing but the number may be read.
#include "core/plugin.hpp"

extern "C" __attribute__((visibility("default"))) const trigon::core::Plugin* trigon_plugin(const trigon::core::Host&) {
  static const int abi = trigon::core::plugin_abi + 1;
  return reinterpret_cast<const trigon::core::Plugin*>(&abi);
}
