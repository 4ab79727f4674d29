#include "doors/clblas/submit.hpp"

#include <trigon/error.hpp>

#include <vector>

namespace trigon::clblas {
namespace {

/// Events that are released unless they are given to the program.
class Events {
 public:
  explicit Events(cl_uint count) : list_(count) {}
  ~Events() {
    for (const cl_event e : list_)
      if (e) clReleaseEvent(e);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  cl_event& operator[](cl_uint i) { return list_[i]; }
  void give(cl_event* where) {
    for (cl_event& e : list_) *where++ = std::exchange(e, nullptr);
  }

 private:
  std::vector<cl_event> list_;
};

/// The other queues wait for the first one's work, so that a program may go on with any of them.
void follow(const Queues& q, Events& events) {
  for (cl_uint i = 1; i < q.count; ++i)
    if (clEnqueueMarkerWithWaitList(q.list[i], 1, &events[0], &events[i]) != CL_SUCCESS ||
        clFlush(q.list[i]) != CL_SUCCESS)
      throw out_of_memory("command queue " + std::to_string(i) + " cannot wait for the first");
}

}  // namespace

clblasStatus submit(Check& check, const Queues& q, const std::function<void(Lane&, const Submission&)>& run) noexcept {
  try {
    if (!check.queues(q).ok()) return check.status();
    const std::shared_ptr<Lane> lane = Session::get().lane(q.list[0]);
    if (!lane) return failed(clblasNotInitialized, std::string(check.routine()) + ": clblasTeardown has been called");
    const bool wanted = q.events || q.count > 1;
    Events events(q.count);
    const auto* const waits = reinterpret_cast<void* const*>(q.wait_list);
    run(*lane, Submission(lane->queue, {waits, q.waits}, wanted ? reinterpret_cast<void**>(&events[0]) : nullptr));
    follow(q, events);
    if (q.events) events.give(q.events);
    return clblasSuccess;
  } catch (...) {
    return failed_by_exception(check.routine());
  }
}

}  // namespace trigon::clblas
