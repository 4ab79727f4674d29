// The pool of threads: every part of every job is done once, whatever the job before was.
#include "cpu/pool.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

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

// A worker that sleeps keeps off the caller's processor; one that works may use all of them again.
TEST(Pool, WorksOnAllItsProcessors) {
  setenv("TRIGON_NUM_THREADS", "7", 1);
  cpu_set_t mine;
  ASSERT_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
  std::atomic<int> begun{0}, fewer{0};
  for (int round = 0; round < 3; ++round) {
    begun = 0;
    parallel(7, [&](int) {
      cpu_set_t now;
      if (sched_getaffinity(0, sizeof now, &now) != 0 || !CPU_EQUAL(&now, &mine)) ++fewer;
      // Until all have one: nobody does two.
      ++begun;
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
      while (begun < 7 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    });
    EXPECT_EQ(begun, 7);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // they fall asleep
  }
  EXPECT_EQ(fewer, 0);
}

}  // namespace
}  // namespace trigon::cpu
