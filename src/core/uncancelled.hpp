// Threads that are cancelled at a point of the library's choosing.
#pragma once

#include <pthread.h>

namespace trigon::core {

/// As long as one lives, its thread is not cancelled: files are opened, written and loaded, where it would be, but BLAS
/// has no such points, and callers' functions that must not throw would end the program. Cancelled it is afterwards.
class Uncancelled {
 public:
  Uncancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~Uncancelled() { pthread_setcancelstate(before_, &before_); }
  Uncancelled(const Uncancelled&) = delete;
  Uncancelled& operator=(const Uncancelled&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace trigon::core
