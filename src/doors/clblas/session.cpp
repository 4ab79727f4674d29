#include "doors/clblas/session.hpp"

#include <clAmdBlas.h>

namespace trigon::clblas {

Session& Session::get() {
  static Session& session = *new Session;
  return session;
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
  std::shared_ptr<Lane>& entry = lanes_[native];
  try {
    if (!entry) entry = std::make_shared<Lane>(native);
  } catch (...) {
    lanes_.erase(native);
    throw;
  }
  // A lane of the same context has been opened before: programs that are compiled stay.
  std::shared_ptr<Lane> found = entry;
  released = take_released();
  return found;
}

/// Those of which nobody but the lane itself has a reference. Nobody else can get one again, so this cannot change.
Session::Lanes Session::take_released() {
  Lanes released;
  for (auto it = lanes_.begin(); it != lanes_.end();) {
    cl_uint references = 0;
    const cl_int error =
        clGetCommandQueueInfo(it->first, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, nullptr);
    const auto next = std::next(it);
    if (error == CL_SUCCESS && references == 1) released.insert(lanes_.extract(it));
    it = next;
  }
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
  trigon::clblas::Session::get().begin();
  return clblasSuccess;
}

void clblasTeardown(void) { trigon::clblas::Session::get().end(); }

clblasStatus clAmdBlasGetVersion(cl_uint*, cl_uint*, cl_uint*) __attribute__((alias("clblasGetVersion")));
clblasStatus clAmdBlasSetup(void) __attribute__((alias("clblasSetup")));
void clAmdBlasTeardown(void) __attribute__((alias("clblasTeardown")));

}  // extern "C"
