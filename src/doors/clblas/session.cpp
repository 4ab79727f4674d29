#include "doors/clblas/session.hpp"

#include "doors/clblas/message.hpp"

#include <clAmdBlas.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <new>

namespace trigon::clblas {

Session& Session::get() {
  alignas(Session) static std::byte memory[sizeof(Session)];
  static Session& session = *new (memory) Session;
  return session;
}

bool Session::forked_off() const {
  const pid_t user = user_;
  return user != 0 && user != getpid();
}

void Session::begin() {
  const std::lock_guard lock(mutex_);
  ++begun_;
}

void Session::end() {
  Lanes released;  // after the lock: to release a queue may take its time
  const std::lock_guard lock(mutex_);
  if (begun_ > 0 && --begun_ == 0) released.swap(lanes_);
}

bool Session::running() const {
  const std::lock_guard lock(mutex_);
  return begun_ > 0;
}

std::shared_ptr<Lane> Session::lane(cl_command_queue native) {
  Lanes released;
  const std::lock_guard lock(mutex_);
  if (begun_ == 0) return nullptr;
  const auto known = std::ranges::find(lanes_, native, [](const auto& lane) { return lane->native; });
  if (known == lanes_.end()) {
    user_ = getpid();
    lanes_.push_back(std::make_shared<Lane>(native));
  } else {
    std::rotate(known, known + 1, lanes_.end());
  }
  // Others go when this one is open: programs that a context has compiled stay.
  const std::shared_ptr<Lane> lane = lanes_.back();
  released = take_released();
  return lane;
}

Session::Lanes Session::take_released() {
  const auto in_use = [](const std::shared_ptr<Lane>& lane) {
    cl_uint references = 0;
    const cl_int error =
        clGetCommandQueueInfo(lane->native, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, nullptr);
    return error != CL_SUCCESS || references > 1;  // one is the lane's; nobody can get another one
  };
  // Another lane of a queue that a call has now would have a mutex of its own.
  const auto busy = [](const std::shared_ptr<Lane>& lane) { return lane.use_count() > 1; };
  Lanes released;
  const auto let_go = [&](const auto& which, std::size_t most) {
    for (auto l = lanes_.begin(); l != lanes_.end() && released.size() < most;)
      if (!busy(*l) && which(*l))
        released.push_back(std::move(*l)), l = lanes_.erase(l);
      else
        ++l;
  };
  let_go([&](const auto& lane) { return !in_use(lane); }, lanes_.size());
  if (lanes_.size() > most_lanes)
    let_go([](const auto&) { return true; }, released.size() + lanes_.size() - most_lanes);
  return released;
}

}  // namespace trigon::clblas

extern "C" {

clblasStatus clblasGetVersion(cl_uint* major, cl_uint* minor, cl_uint* patch) {
  if (major) *major = clblasVersionMajor;
  if (minor) *minor = clblasVersionMinor;
  if (patch) *patch = clblasVersionPatch;
  return clblasSuccess;
}

clblasStatus clblasSetup(void) {
  using namespace trigon::clblas;
  if (Session::get().forked_off()) return failed_after_fork("clblasSetup");
  Session::get().begin();
  return clblasSuccess;
}

void clblasTeardown(void) {
  using namespace trigon::clblas;
  if (!Session::get().forked_off()) Session::get().end();
}

clblasStatus clAmdBlasGetVersion(cl_uint*, cl_uint*, cl_uint*) __attribute__((alias("clblasGetVersion")));
clblasStatus clAmdBlasSetup(void) __attribute__((alias("clblasSetup")));
void clAmdBlasTeardown(void) __attribute__((alias("clblasTeardown")));

}  // extern "C"
