// The native stream of the CPU shim, as tests make it; null is one as well.
#pragma once

namespace trigon::simt {

struct NativeStream {
  bool capturing = false;  ///< into a graph: no memory may be allocated for it
};

}  // namespace trigon::simt
