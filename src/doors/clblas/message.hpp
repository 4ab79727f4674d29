// Why a call failed: a status for the program, words for the person.
#pragma once

#include <clBLAS.h>

namespace trigon::clblas {

/// Words in an array: what is wrong is said without memory, of which there may be none.
class Words {
 public:
  [[gnu::format(printf, 2, 3)]] Words(const char* format, ...) noexcept;
  const char* c_str() const { return text_; }

 private:
  char text_[256];
};

/// Keeps the words for this thread's trigon_clblas_message and returns the status.
clblasStatus failed(clblasStatus, const char* routine, const char* words) noexcept;

/// The status of every call in a child forked off a process that has used a device, as the C++ door says it.
clblasStatus failed_after_fork(const char* routine) noexcept;

/// The status of what is being thrown, to be called in a handler.
clblasStatus failed_by_exception(const char* routine) noexcept;

}  // namespace trigon::clblas
