// A plug-in whose device is not there.
#include "core/plugin.hpp"

extern "C" __attribute__((visibility("default"))) const trigon::core::Plugin* trigon_plugin(const trigon::core::Host&) {
  static const trigon::core::Plugin table{trigon::core::plugin_abi, "absent", [] { return "it is not there"; }};
  return &table;
}
