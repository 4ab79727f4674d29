// Failures of the C door: a status for the caller and a message for the thread.
#pragma once

#include <trigon/trigon.h>
#include <trigon/call.hpp>

namespace trigon::doors {

/// Records what is wrong with an argument. `value` is what a bad flag was.
trigon_status invalid(const Call&, Argument bad, long long value) noexcept;

/// Carries out a call that has been checked; no exception leaves.
trigon_status run(const Call&) noexcept;

}  // namespace trigon::doors
