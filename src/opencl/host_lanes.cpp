#include "opencl/host_lanes.hpp"

#include <new>
#include <utility>

namespace trigon::opencl {

std::unique_ptr<Lane> HostLanes::borrow(const Device& device, Failure& failure) {
  const std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    auto lane = std::move(free_.back());
    free_.pop_back();
    return lane;
  }
  std::unique_ptr<Lane> lane = Lane::create(device, failure, context_);
  if (!lane && context_) {  // nor is it of use to the next one
    clReleaseContext(std::exchange(context_, nullptr));
    lane = Lane::create(device, failure);
  }
  if (lane && !context_) {
    context_ = lane->context();
    clRetainContext(context_);
  }
  return lane;
}

void HostLanes::give_back(std::unique_ptr<Lane> lane) {
  const std::lock_guard lock(mutex_);
  if (lane->context() != context_) return;  // abandoned meanwhile
  if (!free_.empty()) lane->release_buffers();
  // The next caller gets the one that has buffers.
  try {
    free_.insert(free_.empty() ? free_.end() : free_.end() - 1, std::move(lane));
  } catch (const std::bad_alloc&) {  // the call has been carried out all the same
  }
}

void HostLanes::let_go() {
  std::vector<std::unique_ptr<Lane>> waiting;
  const std::lock_guard lock(mutex_);
  waiting.swap(free_);
}

void HostLanes::abandon() {
  std::vector<std::unique_ptr<Lane>> waiting;
  const std::lock_guard lock(mutex_);
  waiting.swap(free_);
  if (context_) clReleaseContext(std::exchange(context_, nullptr));
}

HostLanes& host_lanes() {
  static HostLanes& lanes = *new HostLanes;
  return lanes;
}

}  // namespace trigon::opencl
