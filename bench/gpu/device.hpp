// Device memory and time for the measurement: of a CUDA device (device_cuda.cpp), or of the CPU shim for a dry run
// (device_shim.cpp).
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace trigon::gpu {

/// "cuda", or "cuda_shim".
std::string backend();
std::string device_name();

/// A stream on which everything below is done, in order.
void* stream();
void* allocate(std::size_t bytes);
void release(void* memory);
void upload(void* device, const void* host, std::size_t bytes);
void download(void* host, const void* device, std::size_t bytes);
void copy(void* to, const void* from, std::size_t bytes);
void wait();

/// What carries out the work that `work` enqueues on the stream: captured into a graph, where there are such.
std::function<void()> captured(const std::function<void()>& work);

/// Whether the device's memory is not the host's.
bool has_memory_of_its_own();

/// Seconds of the stream between the two calls.
void start_clock();
double stop_clock();

/// Device memory until the end of the scope.
class Memory {
 public:
  explicit Memory(std::size_t bytes) : address_(allocate(bytes > 0 ? bytes : 1)), bytes_(bytes) {}
  ~Memory() { release(address_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void* address() const { return address_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* address_;
  std::size_t bytes_;
};

}  // namespace trigon::gpu
