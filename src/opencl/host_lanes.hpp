// Queues for operands in host memory: one per caller at a time, kept, in one context, so that kernels are built once.
#pragma once

#include "opencl/lane.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace trigon::opencl {

class HostLanes {
 public:
  /// Null where none can be made.
  std::unique_ptr<Lane> borrow(const Device& device, Failure&);
  /// After a call that has succeeded. One of those that wait keeps its buffers.
  void give_back(std::unique_ptr<Lane> lane);
  /// Lets go of those that wait, for the memory that they have.
  void let_go();
  /// The device has failed: what comes next has queues and a context of its own.
  void abandon();

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Lane>> free_;
  cl_context context_ = nullptr;
};

/// Never destroyed: the runtime may be gone when exit handlers run.
HostLanes& host_lanes();

}  // namespace trigon::opencl
