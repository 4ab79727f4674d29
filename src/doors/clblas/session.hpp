// What clblasSetup begins and clblasTeardown ends: programs' command queues, each with a Trigon queue around it.
#pragma once

#include "doors/clblas/kernels.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace trigon::clblas {

/// One command queue of the program's. It is retained, so that no other can come to have its handle meanwhile.
class Lane {
 public:
  explicit Lane(cl_command_queue native) : queue("opencl", native) {}
  const Queue queue;
  Kernels& kernels() {
    std::call_once(once_, [this] { kernels_.emplace(static_cast<cl_command_queue>(queue.native())); });
    return *kernels_;
  }

 private:
  std::once_flag once_;
  std::optional<Kernels> kernels_;
};

class Session {
 public:
  /// Never destroyed: the runtime may be gone when exit handlers run.
  static Session& get();

  void begin();
  /// The last one lets go of all lanes.
  void end();
  bool running() const;

  /// The lane of a valid queue, opened on first use; null where the session does not run. Throws backend_error.
  /// Lanes of queues that their program has released meanwhile are let go of.
  std::shared_ptr<Lane> lane(cl_command_queue);

 private:
  using Lanes = std::map<cl_command_queue, std::shared_ptr<Lane>>;
  Lanes take_released();

  mutable std::mutex mutex_;
  unsigned long begun_ = 0;
  Lanes lanes_;
};

}  // namespace trigon::clblas
