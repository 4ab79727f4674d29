// What a status of a backend becomes in C++.
#pragma once

#include "core/request.hpp"

#include <trigon/call.hpp>

namespace trigon::core {

/// Throws the error behind a status; `words` are the backend's own, or "".
[[noreturn]] void fail(const Call&, Status, const char* words);

}  // namespace trigon::core
