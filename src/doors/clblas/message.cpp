#include "doors/clblas/message.hpp"

#include <trigon/error.hpp>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>

namespace trigon::clblas {
namespace {

// A plain array, so that keeping a message cannot fail and needs no destructor at thread exit.
thread_local char last[512] = "";

// The backend tells what follows from all else of its kind in words only.
bool no_host_memory(const char* words) {
  return std::strstr(words, "CL_OUT_OF_HOST_MEMORY") || std::strstr(words, ": out of memory");
}
clblasStatus status_of(const backend_error& error) {
  const char* const reason = std::strstr(error.what(), "cannot be built: ");
  if (!reason) return clblasInvalidOperation;
  const std::string_view name = reason + std::strlen("cannot be built: ");
  return name.starts_with("CL_COMPILER_NOT_AVAILABLE") ? clblasCompilerNotAvailable : clblasBuildProgramFailure;
}

}  // namespace

Words::Words(const char* format, ...) noexcept {
  std::va_list list;
  va_start(list, format);
  std::vsnprintf(text_, sizeof text_, format, list);
  va_end(list);
}

clblasStatus failed(clblasStatus status, const char* routine, const char* words) noexcept {
  std::snprintf(last, sizeof last, "%s: %s", routine, words);
  return status;
}

clblasStatus failed_after_fork(const char* routine) noexcept {
  return failed(clblasInvalidOperation, routine, "a child forked off a process that has used a device cannot use it");
}

clblasStatus failed_by_exception(const char* routine) noexcept {
  try {
    throw;
  } catch (const argument_error& e) {
    return failed(clblasInvalidValue, routine, e.what());
  } catch (const out_of_memory& e) {
    return failed(no_host_memory(e.what()) ? clblasOutOfHostMemory : clblasOutOfResources, routine, e.what());
  } catch (const backend_error& e) {
    return failed(status_of(e), routine, e.what());
  } catch (const std::bad_alloc&) {
    return failed(clblasOutOfHostMemory, routine, "out of memory");
  } catch (const std::exception& e) {
    return failed(clblasInvalidOperation, routine, e.what());
  }
}

}  // namespace trigon::clblas

extern "C" const char* trigon_clblas_message(void) { return trigon::clblas::last; }
