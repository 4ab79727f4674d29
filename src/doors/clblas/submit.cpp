#include "doors/clblas/submit.hpp"

#include "core/uncancelled.hpp"

#include <mutex>
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
void follow(const Queues& q, Events& events, Watched& watched) {
  for (cl_uint i = 1; i < q.count; ++i) {
    must(clEnqueueMarkerWithWaitList(q.list[i], 1, &events[0], &events[i]), "another queue's wait for the first");
    clRetainEvent(watched.next() = events[i]);
    must(clFlush(q.list[i]), "another queue");
  }
}

}  // namespace

clblasStatus submit(Check& check, const Queues& q, Work run) noexcept {
  const core::Uncancelled until_submitted;
  try {
    if (!check.queues(q).ok()) return check.status();
    const std::shared_ptr<Lane> lane = Session::get().lane(q.list[0]);
    if (!lane) return failed(clblasNotInitialized, check.routine(), "clblasTeardown has been called");
    const bool wanted = q.events || q.count > 1;
    Events events(q.count);
    const std::lock_guard lock(lane->mutex());
    lane->watched().begin(Kernels::most_commands + q.count);
    const auto* const waits = reinterpret_cast<void* const*>(q.wait_list);
    run(*lane, Submission(lane->queue, {waits, q.waits}, wanted ? reinterpret_cast<void**>(&events[0]) : nullptr));
    follow(q, events, lane->watched());
    if (q.events) events.give(q.events);
    return clblasSuccess;
  } catch (...) {
    return failed_by_exception(check.routine());
  }
}

}  // namespace trigon::clblas
