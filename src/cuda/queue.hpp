// A stream with what calls on it keep: workspace, and a lock, because any thread may use a queue.
#pragma once

#include "cuda/runtime.hpp"

#include <mutex>

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

class Queue {
 public:
  Queue(const Stream& stream, bool adopted) : stream_(stream), adopted_(adopted) {}
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue() {
    try {
      const OnDevice scope(stream_);
      workspace_ = {};
      close_stream(stream_, adopted_);
    } catch (const failure&) {
      // The device is gone, and what was on it too.
    }
  }

  const Stream& stream() const { return stream_; }
  std::mutex& mutex() { return mutex_; }

  /// At least so many bytes, for one call: calls of a stream follow each other. Kept, and grown where it is too small.
  /// A graph would keep the address, so a captured call gets none.
  void* workspace(std::size_t bytes) {
    if (capturing(stream_))
      throw failure(
          core::Status::InvalidArgument,
          "a call that is captured into a graph takes its caller's workspace: " + std::to_string(bytes) + " bytes");
    if (bytes <= bytes_) return workspace_.address();
    DeviceMemory more(stream_, bytes);
    workspace_ = std::move(more);
    bytes_ = bytes;
    return workspace_.address();
  }

 private:
  Stream stream_;
  bool adopted_;
  std::mutex mutex_;
  DeviceMemory workspace_;
  std::size_t bytes_ = 0;
};

}  // namespace trigon::cuda
