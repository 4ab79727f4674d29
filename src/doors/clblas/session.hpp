// What clblasSetup begins and clblasTeardown ends: programs' command queues, each with a Trigon queue around it.
#pragma once

#include "doors/clblas/kernels.hpp"

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace trigon::clblas {

/// One command queue of the program's. It is retained, so that no other can come to have its handle meanwhile.
/// A call holds the mutex while it submits: what it is made of (copies and a product between them) must not have
/// another call's commands in between.
class Lane {
 public:
  explicit Lane(cl_command_queue native) : native(native), queue("opencl", native) {}
  const cl_command_queue native;
  const Queue queue;
  std::mutex& mutex() { return mutex_; }
  Kernels& kernels() {
    if (!kernels_) kernels_.emplace(native, watched_);
    return *kernels_;
  }
  /// What the calls have submitted to any queue, but for what the backend itself watches.
  Watched& watched() { return watched_; }

 private:
  std::mutex mutex_;
  Watched watched_;
  std::optional<Kernels> kernels_;
};

class Session {
 public:
  /// Never destroyed: the runtime may be gone when exit handlers run. Takes no memory.
  static Session& get();

  /// Whether this is a child forked off a process that had opened a lane. Its device, its lanes and locks that other
  /// threads had are of no use here: nothing else of the session may be called. Takes no lock.
  bool forked_off() const;

  void begin();
  /// The last one lets go of all lanes.
  void end();
  bool running() const;

  /// The lane of a valid queue, opened on first use; null where the session does not run. Throws backend_error.
  ///
  /// OpenCL does not say when a program releases a queue. Lanes of queues of which nobody else has a reference are let
  /// go of here. Some drivers (PoCL) keep references of their own, so that this is not seen; therefore no more than
  /// most_lanes are kept, those that were used last and those that calls of other threads use now.
  std::shared_ptr<Lane> lane(cl_command_queue);
  static constexpr std::size_t most_lanes = 16;

 private:
  using Lanes = std::vector<std::shared_ptr<Lane>>;
  Lanes take_released();

  std::atomic<pid_t> user_{0};  ///< the process that has opened a lane
  mutable std::mutex mutex_;
  unsigned long begun_ = 0;
  Lanes lanes_;  ///< the one that was used last is last
};

}  // namespace trigon::clblas
