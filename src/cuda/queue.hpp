// A stream with what calls on it keep: workspace, cuBLAS where it is a provider, and a lock, because any thread may use
// a queue.
#pragma once

#include "core/plan.hpp"
#include "cuda/cublas.hpp"

#include <memory>
#include <mutex>

namespace trigon::cuda {

class Queue {
 public:
  /// `use`: of cuBLAS's GEMM. Where it is only faster, a queue without a handle for it has our own: there may be no
  /// memory for another one, or a graph is being captured. Throws failure.
  Queue(const Stream& stream, bool adopted, core::ProviderUse use) : stream_(stream), adopted_(adopted) {
    if (use == core::ProviderUse::Never) return;
    try {
      const OnDevice scope(stream_);
      cublas_ = std::make_unique<Cublas>(stream_);
    } catch (const failure&) {
      if (use == core::ProviderUse::Measured) return;
      close_stream(stream_, adopted_);
      throw;
    } catch (...) {
      close_stream(stream_, adopted_);
      throw;
    }
  }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue() {
    try {
      const OnDevice scope(stream_);
      cublas_.reset();
      workspace_ = {};
      close_stream(stream_, adopted_);
    } catch (const failure&) {
      // The device is gone, and what was on it too.
    }
  }

  const Stream& stream() const { return stream_; }
  std::mutex& mutex() { return mutex_; }
  /// Null where our own kernels compute everything.
  const Cublas* cublas() const { return cublas_.get(); }

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
  std::unique_ptr<Cublas> cublas_;
  DeviceMemory workspace_;
  std::size_t bytes_ = 0;
};

}  // namespace trigon::cuda
