// Device memory with an owner.
#pragma once

#include "cuda/runtime.hpp"

#include <utility>

namespace trigon::cuda {

/// Device memory until the end of the scope, in the order of a stream.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const Stream& stream, std::size_t bytes) : stream_(&stream), address_(allocate(stream, bytes)) {}
  DeviceMemory(DeviceMemory&& other) noexcept : stream_(other.stream_), address_(other.address_) {
    other.address_ = nullptr;
  }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(stream_, other.stream_), std::swap(address_, other.address_);
    return *this;
  }
  ~DeviceMemory() {
    if (address_) release(*stream_, address_);
  }
  void* address() const { return address_; }

 private:
  const Stream* stream_ = nullptr;
  void* address_ = nullptr;
};

}  // namespace trigon::cuda
