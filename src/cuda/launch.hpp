// How a kernel is started and memory cleared, in the order of a stream: by the vendor's runtime, or by the CPU shim,
// which runs the kernel at once.
#pragma once

#include "cuda/portable.hpp"
#include "cuda/runtime.hpp"

#include <cstring>
#include <type_traits>

#if defined(TRIGON_ON_DEVICE)
#include "cuda/check.hpp"
#else
#include "cuda/shim/simt.hpp"
#include "cuda/shim/stream.hpp"
#endif

namespace trigon::cuda {

/// Throws failure where the launch is refused.
template <class... P>
void launch(const Stream& stream, index blocks, int threads, void (*kernel)(P...),
            std::type_identity_t<P>... arguments) {
#if defined(__HIPCC__)
  const index most = 0xffffffff / threads;  // all threads of a grid are counted in 32 bits
#else
  constexpr index most = 0x7fffffff;
#endif
  if (blocks > most) throw failure(core::Status::InvalidArgument, "the problem is larger than a grid can be");
#if defined(TRIGON_ON_DEVICE)
  void* addresses[] = {&arguments...};
  check(TRIGON_VENDOR(LaunchKernel)(reinterpret_cast<const void*>(kernel), dim3(static_cast<unsigned>(blocks)),
                                    dim3(static_cast<unsigned>(threads)), addresses, 0,
                                    static_cast<NativeStream>(stream.handle)),
        "a kernel launch");
#else
  submit(stream, "launch");
  simt::launch({blocks, threads}, [&] { kernel(arguments...); });
#endif
}

/// What the runtime says of a kernel on the calling thread's device: its error, or 0 where there is code for it.
template <class... P>
int probe([[maybe_unused]] void (*kernel)(P...)) {
#if defined(TRIGON_ON_DEVICE)
  TRIGON_VENDOR(FuncAttributes) attributes;
  const NativeError error = TRIGON_VENDOR(FuncGetAttributes)(&attributes, reinterpret_cast<const void*>(kernel));
  (void)TRIGON_VENDOR(GetLastError)();
  return static_cast<int>(error);
#else
  return 0;
#endif
}

inline void clear(const Stream& stream, int* memory, index count) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(int);
#if defined(TRIGON_ON_DEVICE)
  check(TRIGON_VENDOR(MemsetAsync)(memory, 0, bytes, static_cast<NativeStream>(stream.handle)), "clearing memory");
#else
  submit(stream, "clear");
  std::memset(memory, 0, bytes);
#endif
}

}  // namespace trigon::cuda
