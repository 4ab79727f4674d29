// Launches, copies, unmappings, buffers, queues and programs on their way into the driver: counted, and made to fail
// there. What devices say of themselves on its way back.
#pragma once

#include <atomic>

namespace trigon::test {

/// Launches so far.
extern std::atomic<int> launches;
/// Launches that are still to be accepted before the next one, which is accepted and then fails; below 0: none does.
extern std::atomic<int> until_failure;
/// Whether reads do, which the driver has accepted.
extern std::atomic<bool> reads_fail;
/// What reads and writes are refused with; 0: they are not.
extern std::atomic<int> copies_refused;
/// What the next buffers fail with; 0: they are made.
extern std::atomic<int> buffers_fail;
/// How many of them do; below 0: all.
extern std::atomic<int> failing_buffers;
/// Unmappings that are still to be accepted before the next one, which is refused; below 0: none is.
extern std::atomic<int> until_kept_mapped;
/// Unmappings that are still to be accepted before the next one, which is accepted and then fails; below 0: none does.
extern std::atomic<int> until_unmapping_fails;
/// Unmappings that are still to be accepted before the next one, after which the thread is out of memory (of operator
/// new) until `starving` is false again; below 0: none.
extern std::atomic<int> until_starving;
extern thread_local bool starving;
/// How many of the next queues are not made.
extern std::atomic<int> failing_queues;
/// Programs made so far.
extern std::atomic<int> programs;
/// What the next programs cannot be built with, and how many of them; below 0: all.
extern std::atomic<int> builds_fail, failing_builds;
/// Whether drivers have a compiler, and of which OpenCL they are, where not what they say.
extern std::atomic<bool> no_compiler;
extern std::atomic<const char*> opencl_version;

}  // namespace trigon::test
