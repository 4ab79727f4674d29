// What the host needs of a device runtime: devices, streams, memory. By the CUDA runtime (runtime.cpp), or by the CPU
// shim (shim/runtime.cpp), whose device memory is the host's.
#pragma once

#include "core/request.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace trigon::cuda {

/// A call of the runtime, a launch included, that was refused, or an earlier one that failed.
struct failure : std::runtime_error {
  failure(core::Status status, const std::string& words) : std::runtime_error(words), status(status) {}
  core::Status status;
};

/// Where kernels go.
struct Stream {
  void* handle = nullptr;  ///< a cudaStream_t; null is the default stream
  int device = 0;
  int multiprocessors = 1;
  bool tensor_units = true;  ///< there is code for FP64 tensor units that the device can run
};

/// Every device in words, by number. None of them is opened: that takes memory of it, and one that other processes may
/// not use beside this one from them. Throws failure, which says why, where there is none.
std::vector<std::string> devices();

/// What a device has not that every call needs, in words, or "": what it tells without being opened.
std::string lacks(int device);
/// Why a device can run no kernel, or "". One that lacks nothing is opened for that: another process may have it for
/// itself.
std::string why_not(int device);

/// A new stream of a device, or the caller's; of a device that cannot be used there is none. Both are closed by
/// `close`, which leaves the caller's alone.
Stream open_stream(int device);
Stream adopt_stream(void* native);
void close_stream(const Stream&, bool adopted) noexcept;

/// Makes the stream's device the one of the calling thread until the end of the scope.
class OnDevice {
 public:
  explicit OnDevice(const Stream&);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = -1;
};

/// Device memory, in the order of the stream.
void* allocate(const Stream&, std::size_t bytes);
void release(const Stream&, void* memory) noexcept;
void copy_in(const Stream&, void* device, const void* host, std::size_t bytes);
void copy_out(const Stream&, void* host, const void* device, std::size_t bytes);

/// Whether the stream is being captured into a graph, where nothing may be allocated or waited for.
bool capturing(const Stream&);
/// Waits for all that was submitted, and throws what failed.
void wait(const Stream&);

/// Makes the stream wait for a native event (a cudaEvent_t), and gives one of all that was submitted.
void wait_for_event(const Stream&, void* event);
void* record_event(const Stream&);

/// Why the stream's device cannot use this address, or "". Cheap.
std::string objection(const Stream&, const void* address);

}  // namespace trigon::cuda
