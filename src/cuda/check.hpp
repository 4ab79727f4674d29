// Errors of the CUDA runtime as exceptions.
#pragma once

#include "cuda/runtime.hpp"

#include <cuda_runtime_api.h>

namespace trigon::cuda {

/// Throws failure if `error` is one; `what` says what was tried.
inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // told here, and not again by the next call
  const bool memory = error == cudaErrorMemoryAllocation;
  throw failure(memory ? core::Status::OutOfMemory : core::Status::DeviceError,
                std::string(what) + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")");
}

}  // namespace trigon::cuda
