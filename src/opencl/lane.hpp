// A queue and what its calls share: kernels, and workspace that grows and is kept.
#pragma once

#include "core/request.hpp"
#include "opencl/program.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trigon::opencl {

/// How a call ends that fails with an error of the driver's, or without one.
inline core::Status failed_with(cl_int error) {
  return wants_memory(error) ? core::Status::OutOfMemory : core::Status::DeviceError;
}

/// A reference to a queue and one to its context, which end with it.
struct QueueReferences {
  QueueReferences(cl_command_queue q, cl_context c) : queue(q), context(c) {}
  QueueReferences(QueueReferences&& other) noexcept
      : queue(std::exchange(other.queue, nullptr)), context(std::exchange(other.context, nullptr)) {}
  QueueReferences& operator=(QueueReferences&&) = delete;
  ~QueueReferences();
  cl_command_queue queue;
  cl_context context;
};

/// Kernels have their arguments set before each launch, so whoever submits holds the mutex.
class Lane {
 public:
  /// Around the caller's queue (in order or not), or a new one on a device. Null where that fails.
  static std::unique_ptr<Lane> adopt(cl_command_queue, Failure&);
  /// The latter in a context of its own, or in one for that device.
  static std::unique_ptr<Lane> create(const Device&, Failure&, cl_context within = nullptr);
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  cl_command_queue queue() const { return held_.queue; }
  const Device& device() const { return device_; }
  cl_context context() const { return held_.context; }
  /// Commands of an out-of-order queue are put in order by barriers.
  bool in_order() const { return in_order_; }
  std::mutex& mutex() { return mutex_; }

  /// Null if its program cannot be built. `name` is a literal.
  cl_kernel kernel(Family, const char* name, Precision, Failure&);

  /// A buffer of at least so many bytes for one purpose. The commands of one call after the other use it in order.
  cl_mem buffer(int purpose, std::size_t bytes, cl_int& error);
  void release_buffers();
  /// The counters that launches share work out by, `counters_bytes` of zeros, which every launch leaves as zeros; and
  /// where pieces of work were done last.
  cl_mem counters(cl_int& error);
  static constexpr std::size_t counters_bytes = 1344;

  /// Where the event of a command goes that is about to be submitted; to be asked about by `settle`. All have one: PoCL
  /// 3.1 ends the process where a command fails whose event nobody holds.
  cl_event& watched() { return watched_.emplace_back(nullptr); }
  /// Makes room for so many, so that a call of which commands have been submitted wants no memory any more.
  void expect(std::size_t commands) {
    if (watched_.capacity() - watched_.size() < commands) watched_.reserve(2 * watched_.size() + commands);
  }
  /// Those of the last `count` that have not been let go of.
  std::span<const cl_event> last_watched(std::size_t count) const {
    return std::span(watched_).last(std::min(count, watched_.size()));
  }
  /// Lets go of the events of what is done, and keeps in mind what has failed.
  void settle();
  /// What has failed since the last time, in words; "" if nothing has.
  std::string failure();
  /// Whether nothing has.
  bool sound() {
    settle();
    return failed_ == CL_SUCCESS;
  }

  static constexpr int workspace = 0, staged_a = 1, staged_b = 2, staged_c = 3, purposes = 4;

 private:
  Lane(QueueReferences, const Device&);

  const QueueReferences held_;
  const Device device_;
  bool in_order_;
  std::shared_ptr<Programs> programs_;
  std::mutex mutex_;
  std::map<std::pair<std::string_view, Precision>, cl_kernel> kernels_;
  struct Kept {
    cl_mem memory = nullptr;
    std::size_t bytes = 0;
  } kept_[purposes];
  cl_mem counters_ = nullptr;
  std::vector<cl_event> watched_;  ///< in the order in which they come
  cl_int failed_ = CL_SUCCESS;     ///< the status of the first that did
};

}  // namespace trigon::opencl
