// Runs device code on the CPU: every thread of a grid is a fibre, every barrier, shuffle and wait a switch.
//
// What it shows: results, accesses out of bounds (under the address sanitizer), barriers that are missing, not
// reached by all or reached at different places, and waits that never end. What it cannot show: missing memory
// fences, because one CPU thread sees every store at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <vector>

namespace trigon::simt {

/// In which order the warps of a block run.
enum class Schedule {
  Greedy,    ///< each warp as far as its barriers let it, the first warps first
  Reverse,   ///< the same, the last warps (and lanes) first
  Lockstep,  ///< every warp one step at a time
  Random,    ///< a warp at random, its lanes in random order, a random number of steps
};

struct Settings {
  Schedule schedule = Schedule::Greedy;
  std::uint64_t seed = 1;
  int resident = 1;  ///< how many blocks are alive at once
  int drop = -1;     ///< the place (see Report::places) whose barrier or wait is skipped: a mutant
};

/// What ran since the last reset.
struct Report {
  std::vector<std::string>
      places;  ///< every barrier and wait in the sources that was reached: "sync_block tile.cuh:31"
  std::uint64_t launches = 0, blocks = 0, switches = 0;
};

/// Thrown by launch: a deadlock, a divergent barrier, a wait that never ends, too much shared memory.
struct fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Of the calling thread.
Settings& settings();
Report& report();

struct Grid {
  std::int64_t blocks = 1;
  int threads = 32;
};

/// Runs `kernel` once per thread of the grid. Threads come in warps of 32.
void launch(const Grid&, const std::function<void()>& kernel);

// What device code sees.
int thread_index();
int block_threads();
std::int64_t block_index();

using Place = std::source_location;

void sync_block(Place = Place::current());
void sync_warp(Place = Place::current());

/// What each lane of the warp passes, all of them taking part; valid until the same thread has passed on two more.
std::array<const void*, 32> post_to_warp(const void* mine, std::size_t size, Place);

/// The bytes that `lane` of the warp passes, and whether all lanes pass true. All of them take part.
void exchange(const void* mine, void* theirs, std::size_t size, int lane, Place);
bool vote(bool mine, Place);

/// Returns true where a mutant shall not wait.
bool skip_wait(Place);
/// Lets other warps and blocks run: what a thread does while a condition does not hold.
void spin(Place);

/// Shared memory of the block, poisoned when the block starts: the same address for every thread that asks at this
/// place. Sizes over the limit of a device are a fault.
void* shared(std::size_t bytes, Place = Place::current());

}  // namespace trigon::simt
