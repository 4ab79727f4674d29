// Why a call failed: a status for the program, words for the person.
#pragma once

#include <clBLAS.h>

#include <string>

namespace trigon::clblas {

/// Keeps the words for this thread's trigon_clblas_message and returns the status.
clblasStatus failed(clblasStatus, const std::string& words) noexcept;

/// The status of what is being thrown, to be called in a handler.
clblasStatus failed_by_exception(const char* routine) noexcept;

}  // namespace trigon::clblas
