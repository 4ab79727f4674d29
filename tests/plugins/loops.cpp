// The backend of docs/adding-a-backend.md as a plug-in.
#include "docs/loops.hpp"

using namespace trigon;

// [entry]
extern "C" __attribute__((visibility("default"))) const core::Plugin* trigon_plugin(const core::Host&) {
  return &loops::plugin();
}
// [entry]
