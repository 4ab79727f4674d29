#include "doors/clblas/message.hpp"

#include <trigon/error.hpp>

#include <cstdio>
#include <cstring>
#include <new>

namespace trigon::clblas {
namespace {

// A plain array, so that keeping a message cannot fail and needs no destructor at thread exit.
thread_local char last[512] = "";

clblasStatus keep(clblasStatus status, const char* routine, const char* words) noexcept {
  std::snprintf(last, sizeof last, "%s: %s", routine, words);
  return status;
}

}  // namespace

clblasStatus failed(clblasStatus status, const std::string& words) noexcept {
  std::snprintf(last, sizeof last, "%s", words.c_str());
  return status;
}

clblasStatus failed_by_exception(const char* routine) noexcept {
  try {
    throw;
  } catch (const argument_error& e) {
    return keep(clblasInvalidValue, routine, e.what());
  } catch (const out_of_memory& e) {
    return keep(clblasOutOfResources, routine, e.what());
  } catch (const backend_error& e) {
    // The backend tells compilers that fail from all else in words only.
    const bool build = std::strstr(e.what(), "cannot be built") != nullptr;
    return keep(build ? clblasBuildProgramFailure : clblasInvalidOperation, routine, e.what());
  } catch (const std::bad_alloc&) {
    return keep(clblasOutOfHostMemory, routine, "out of memory");
  } catch (const std::exception& e) {
    return keep(clblasInvalidOperation, routine, e.what());
  }
}

}  // namespace trigon::clblas

extern "C" const char* trigon_clblas_message(void) { return trigon::clblas::last; }
