// What the core lent to the plug-in when it opened it.
#pragma once

#include "core/plugin.hpp"

namespace trigon::opencl {

inline const core::Host*& host() {
  static const core::Host* lent = nullptr;
  return lent;
}

}  // namespace trigon::opencl
