// The commands of one call, in order on a lane. The first error stops the rest and is kept.
#pragma once

#include "core/request.hpp"
#include "opencl/lane.hpp"

#include <algorithm>
#include <array>

namespace trigon::opencl {

/// Work-items of a launch, and of one work-group of it: whole work-groups.
struct Grid {
  std::array<std::size_t, 3> items;
  std::array<std::size_t, 3> group{1, 1, 1};
};

/// What a launch of packed panels does, as kernels number it.
enum class Phases : cl_int { Pack = 1, Compute = 2, Both = 3 };

class Commands {
 public:
  /// Locks the lane, and lets it wait for `waits` events. A caller's workspace replaces the lane's.
  Commands(Lane&, const core::Request&);
  /// Submits nothing, and finds out how much workspace would be taken on such a device.
  explicit Commands(const Device& device) : device_(device) {}
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;

  bool failed() const { return status_ != core::Status::Success; }
  core::Status status() const { return status_; }
  /// The driver's error behind it, if there is one.
  cl_int error() const { return error_; }
  const Device& device() const { return device_; }
  /// Where they go; not for those that submit nothing.
  Lane& lane() { return *lane_; }

  /// Has `rehearsal` make all its launches without submitting any: kernels are built and workspace is found, so that
  /// what can be refused is refused before anything is written. Then the wait list. Whether the call may go on.
  template <class Rehearsal>
  bool prepare(Rehearsal&& rehearsal) {
    rehearsing_ = true;
    rehearsal();
    rehearsing_ = false;
    return begin();
  }

  /// A grid of a kernel of a precision. Arguments are cl_mem, cl_long, cl_int and structures of numbers.cl.
  template <class... Args>
  void launch(Family family, const char* name, Precision p, Grid grid, const Args&... args) {
    const cl_kernel kernel = lane_ ? this->kernel(family, name, p) : nullptr;
    if (rehearsing_) ++rehearsed_;
    if (!kernel || rehearsing_) return;
    cl_uint at = 0;
    (argument(kernel, at++, sizeof args, &args), ...);
    enqueue(kernel, name, grid);
  }

  /// `phases` of a kernel that is given them and its counters before `args` (kernels/take.cl), by so many work-items.
  template <class... Args>
  void launch_phase(Phases phases, Family family, const char* name, Precision p, index items, const Args&... args) {
    launch(family, name, p, {{static_cast<std::size_t>(items), 1, 1}}, static_cast<cl_int>(phases), counters(),
           args...);
  }
  /// Both of them: by one launch where work-items can wait for each other or one has nobody to wait for, else by one
  /// each. The second alone where no work-item has anything to pack.
  template <class... Args>
  void launch_phases(Family family, const char* name, Precision p, index packing, index computing,
                     const Args&... args) {
    if (packing == 0) return launch_phase(Phases::Compute, family, name, p, computing, args...);
    if (device_.settings_of(p).launches == 1 || std::max(packing, computing) == 1)
      return launch_phase(Phases::Both, family, name, p, computing, args...);
    launch_phase(Phases::Pack, family, name, p, packing, args...);
    launch_phase(Phases::Compute, family, name, p, computing, args...);
  }

  /// Device memory for packing; null after a failure.
  cl_mem workspace(std::size_t bytes);
  /// The most that was asked for at once.
  std::size_t most_workspace() const { return most_workspace_; }

  /// The event of all that has been submitted.
  void finish_with(void** event);
  /// Waits, and fails with any of them.
  void wait();

  void fail(core::Status, const std::string& words, cl_int error = CL_SUCCESS);
  bool check(cl_int error, const char* what);

 private:
  bool begin();
  /// Those of the lane; null after a failure.
  cl_mem counters();
  cl_kernel kernel(Family, const char* name, Precision);
  void argument(cl_kernel, cl_uint at, std::size_t size, const void* value);
  void enqueue(cl_kernel, const char* name, const Grid&);
  bool barrier(const char* what, cl_uint waits, const cl_event* list);
  const cl_event* wait_list() const { return waits_ > 0 ? wait_list_ : nullptr; }

  const Device& device_;
  Lane* lane_ = nullptr;
  std::unique_lock<std::mutex> lock_;
  bool rehearsing_ = false;
  std::size_t rehearsed_ = 0;  ///< launches
  const cl_event* wait_list_ = nullptr;
  unsigned waits_ = 0;
  bool launched_ = false;
  std::size_t submitted_ = 0;  ///< commands that the lane watches
  cl_mem own_workspace_ = nullptr;
  std::size_t own_bytes_ = 0, most_workspace_ = 0;
  core::Message message_;
  core::Status status_ = core::Status::Success;
  cl_int error_ = CL_SUCCESS;
};

}  // namespace trigon::opencl
