// What the first call of a process costs on a device, where nothing has been compiled before and where it has.
#pragma once

#include <vector>

#include "trigon/bench/run.hpp"

namespace trigon::bench {

/// Makes each call in processes of their own, first with empty caches of programs, then with what that left, and prints
/// how long each implementation took until its result was there. Throws trigon::error where no device is named,
/// cli::exit_request when a result is wrong.
void run_first_call(const RunOptions&, const std::vector<Row>&);

}  // namespace trigon::bench
