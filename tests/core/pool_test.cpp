// The pool of threads: every part of every job is done once, whatever the job before was.
#include "cpu/pool.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>

namespace trigon::cpu {
namespace {

// A late worker that took a part beyond the last one of a job, when the next one had more, did that of the next job
// twice, and the caller waited for ever. More threads than processors make workers late.
TEST(Pool, DoesEveryPartOnce) {
  setenv("TRIGON_NUM_THREADS", "7", 1);
  std::array<std::atomic<int>, 12> done;
  for (int job = 0; job < 400'000; ++job) {
    const int parts = 2 + job * 7 % 9;
    for (auto& d : done) d.store(0, std::memory_order_relaxed);
    parallel(parts, [&](int part) { done[static_cast<std::size_t>(part)].fetch_add(1, std::memory_order_relaxed); });
    for (int part = 0; part < static_cast<int>(done.size()); ++part)
      ASSERT_EQ(done[static_cast<std::size_t>(part)].load(), part < parts) << "job " << job << ", part " << part;
  }
}

}  // namespace
}  // namespace trigon::cpu
