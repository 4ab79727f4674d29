// cuBLAS as a peer, opened at run time: nothing of it is needed to build.
#pragma once

#include <trigon/call.hpp>

#include <string>

namespace trigon::gpu {

/// Why there is none, or "".
std::string open_cublas(void* stream);

/// Whether cuBLAS has the call: column-major, sizes of 32 bits.
bool cublas_has(const Call&);

/// Carries it out on device addresses. TRMM is in place, as cuBLAS allows. Throws if it is refused.
void cublas(const Call&);

}  // namespace trigon::gpu
