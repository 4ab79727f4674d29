// Where the threads of this process run.
#pragma once

namespace trigon::bench {

/// Moves the other threads away from this one's processor, each to one of its own while there are enough, and leaves
/// them free to move. Threads that were stopped and go on together may else share a processor for milliseconds, a
/// library's workers behind a caller that has all the work for itself: much longer than a sample takes.
void spread_threads();

}  // namespace trigon::bench
