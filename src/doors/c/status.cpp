#include "doors/c/status.hpp"

#include "core/once.hpp"

#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

namespace trigon::doors {
namespace {

// A plain array, so that recording a failure cannot fail and needs no destructor at thread exit.
struct Failure {
  char message[256] = "";
  int argument = 0;
};
thread_local Failure last;

trigon_status record(trigon_status status, int argument, const char* message) noexcept {
  std::snprintf(last.message, sizeof last.message, "%s", message);
  last.argument = argument;
  return status;
}

bool is_flag(Argument argument) {
  switch (argument) {
    case Argument::Layout:
    case Argument::Side:
    case Argument::Uplo:
    case Argument::TransA:
    case Argument::TransB:
    case Argument::Diag: return true;
    default: return false;
  }
}

}  // namespace

trigon_status invalid(const Call& call, Argument bad, long long value) noexcept {
  const int at = position(call.operation, bad, true);
  try {
    std::string why = complaint(call, bad);
    // The core knows flags as letters; here they were numbers.
    if (is_flag(bad)) why = "is " + std::to_string(value) + why.substr(why.find(','));
    const argument_error error(routine(call), std::string(name(call.operation, bad)), at, why);
    return record(TRIGON_INVALID_ARGUMENT, at, error.what());
  } catch (const std::exception&) {
    return record(TRIGON_INVALID_ARGUMENT, at, "an argument is wrong, and no memory is left for the message");
  }
}

trigon_status run(const Call& call) noexcept {
  try {
    execute_checked(call);
    return TRIGON_SUCCESS;
  } catch (const out_of_memory& failure) {
    return record(TRIGON_OUT_OF_MEMORY, 0, failure.what());
  } catch (const std::bad_alloc&) {
    return record(TRIGON_OUT_OF_MEMORY, 0, "out of memory");
  } catch (const std::exception& failure) {
    return record(TRIGON_BACKEND_ERROR, 0, failure.what());
  }
}

}  // namespace trigon::doors

extern "C" {

const char* trigon_version(void) {
  return trigon::core::once([] { return std::string(trigon::version()); }).c_str();
}

const char* trigon_last_error(void) { return trigon::doors::last.message; }

int trigon_last_argument(void) { return trigon::doors::last.argument; }

}  // extern "C"
