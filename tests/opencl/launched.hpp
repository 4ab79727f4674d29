// Launches, reads and buffers on their way into the driver: counted, and made to fail there.
#pragma once

#include <atomic>

namespace trigon::test {

/// Launches so far.
extern std::atomic<int> launches;
/// Launches that are still to be accepted before the next one, which is accepted and then fails; below 0: none does.
extern std::atomic<int> until_failure;
/// Whether reads do, which the driver has accepted.
extern std::atomic<bool> reads_fail;
/// What the next buffers fail with; 0: they are made.
extern std::atomic<int> buffers_fail;

}  // namespace trigon::test
