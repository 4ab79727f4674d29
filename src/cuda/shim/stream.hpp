// The native stream of the CPU shim, as tests make it; null is one as well.
#pragma once

#include <string>
#include <vector>

namespace trigon::cuda {

struct Stream;

/// Begins what `what` names on a stream, and logs it. Throws failure where the calling thread's device is not the
/// stream's.
void submit(const Stream&, const char* what);

}  // namespace trigon::cuda

namespace trigon::simt {

struct NativeStream {
  bool capturing = false;          ///< into a graph: no memory may be allocated for it
  const void* captured = nullptr;  ///< an event of a stream that is captured: who waits for it is captured as well
  const void* unknown = nullptr;   ///< an address that the device cannot use
  int events = 0;                  ///< that were waited for
  int copies = 0;                  ///< since the last wait, which a device might still be making
  int device = 0;                  ///< whose stream it is
  /// What was done on it, a word each: allocate, release, copy, clear, launch, event (waited for), record, wait.
  std::vector<std::string> log;
};

}  // namespace trigon::simt
