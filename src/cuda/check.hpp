// The runtime of the vendor, CUDA's or HIP's, and its errors as exceptions.
#pragma once

#include "cuda/runtime.hpp"

// Most names differ in their prefix alone.
#if defined(__HIPCC__) || defined(TRIGON_HIP)
#include <hip/hip_runtime_api.h>
#define TRIGON_VENDOR(name) hip##name
#else
#include <cuda_runtime_api.h>
#define TRIGON_VENDOR(name) cuda##name
#endif

namespace trigon::cuda {

using NativeStream = TRIGON_VENDOR(Stream_t);
using NativeEvent = TRIGON_VENDOR(Event_t);
using NativeError = TRIGON_VENDOR(Error_t);

/// Throws failure if `error` is one; `what` says what was tried.
inline void check(NativeError error, const char* what) {
  if (error == TRIGON_VENDOR(Success)) return;
  (void)TRIGON_VENDOR(GetLastError)();  // told here, and not again by the next call
  const bool memory = error == TRIGON_VENDOR(ErrorMemoryAllocation);
  throw failure(memory ? core::Status::OutOfMemory : core::Status::DeviceError,
                std::string(what) + ": " + TRIGON_VENDOR(GetErrorString)(error) + " (" +
                    TRIGON_VENDOR(GetErrorName)(error) + ")");
}

}  // namespace trigon::cuda
