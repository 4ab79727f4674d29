// Calls whose operands are sent to a device and fetched again: the door of device memory, for the judge.
#pragma once

#include <trigon/call.hpp>

namespace trigon::selftest {

/// Whether the backend that TRIGON_BACKEND and TRIGON_DEVICE name has memory of its own.
bool has_device_memory();

/// The same call on copies of its operands in that memory; all memory of the result comes back. Any thread may call.
void call_on_device(const Call&);

}  // namespace trigon::selftest
