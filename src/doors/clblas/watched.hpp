// Events of commands that were submitted, held until these are done: PoCL 3.1 ends the process where a command fails
// whose event nobody holds.
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace trigon::clblas {

class Watched {
 public:
  Watched() = default;
  /// What is not done yet lets go of its event itself.
  ~Watched() {
    release_done();
    const auto let_go = [](cl_event event, cl_int, void*) { clReleaseEvent(event); };
    for (const cl_event e : list_)
      if (e && clSetEventCallback(e, CL_COMPLETE, let_go, nullptr) != CL_SUCCESS) clReleaseEvent(e);
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  /// A call begins that submits at most so many commands: what is done is let go of, and there is room for them, so
  /// that no memory is wanted once the first has been submitted.
  void begin(std::size_t most) {
    release_done();
    if (list_.capacity() - list_.size() < most) list_.reserve(2 * list_.size() + most);
    call_ = list_.size();
  }
  /// Where the event of the command goes that is about to be submitted.
  cl_event& next() { return list_.emplace_back(nullptr); }
  /// Those of the call.
  std::span<const cl_event> of_call() const { return std::span(list_).subspan(call_); }

 private:
  static bool done(cl_event event) {
    cl_int status = CL_COMPLETE;
    if (event) clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    return status <= CL_COMPLETE;
  }
  void release_done() {
    const auto end = std::ranges::find_if_not(list_, done);
    // Null: the command was refused.
    for (auto e = list_.begin(); e != end; ++e)
      if (*e) clReleaseEvent(*e);
    list_.erase(list_.begin(), end);
  }

  std::vector<cl_event> list_;  ///< in the order in which they were submitted
  std::size_t call_ = 0;
};

}  // namespace trigon::clblas
