// The pool of threads: every part of every job is done once, whatever the job before was.
#include "cpu/pool.hpp"

#include "cpu/rounds.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <complex>
#include <cstdlib>
#include <thread>
#include <vector>

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

TEST(Shares, EndWithLinesAndVectorsWhereTheyAreContiguous) {
  using enum Division;
  constexpr int avx512 = 16, avx2 = 8;
  EXPECT_EQ(share_grain<float>(80, 2, Contiguous, avx512), 16);
  EXPECT_EQ(share_grain<float>(200, 2, Contiguous, avx512), 16);
  EXPECT_EQ(share_grain<float>(200, 2, InVectors, avx512), 8);
  EXPECT_EQ(share_grain<float>(300, 2, InVectors, avx512), 16);
  EXPECT_EQ(share_grain<float>(300, 2, Apart, avx512), 8);
  EXPECT_EQ(share_grain<std::complex<float>>(300, 2, Apart, avx512), 4);
  EXPECT_EQ(share_grain<float>(80, 2, Contiguous, avx2), 16);
  EXPECT_EQ(share_grain<float>(144, 2, Contiguous, avx2), 8);
  EXPECT_EQ(share_grain<double>(200, 2, Contiguous, avx512 / 2), 8);
  EXPECT_EQ(share_grain<std::complex<float>>(80, 2, Contiguous, avx512), 16);
  EXPECT_EQ(share_grain<std::complex<float>>(104, 2, Contiguous, avx512), 8);  // half a vector is left: 56 and 48
  EXPECT_EQ(share_grain<std::complex<double>>(40, 2, Contiguous, 1), 8);
}

// Blocks of a solve that threads share: everything once, in the order that in_rounds promises, whether threads come
// late or never (a busy pool has none). More threads than processors make them late. What is counted is not atomic: the
// thread sanitizer sees if that order is not kept.
void goes_through_rounds(const Blocks& blocks, int threads) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int count = blocks.count(), rounds = blocks.rounds();
  ASSERT_GT(rounds, 2);
  std::vector<int> solved(at(count));
  std::vector<std::array<int, 7>> carried(at(count));
  std::atomic<int> wrong{0};
  const auto solve = [&](int k) {
    if (k > 0 && solved[at(k - 1)] != 1) ++wrong;
    for (int part = 0; part < threads && k >= 2 && k - 2 < rounds; ++part)
      if (carried[at(k - 2)][at(part)] != 1) ++wrong;
    ++solved[at(k)];
  };
  const auto carry = [&](int j, int part, int sharing) {
    if (solved[at(j)] != 1) ++wrong;
    for (int other = 1; other < threads && j > 0 && j <= rounds; ++other)
      if (carried[at(j - 1)][at(other)] != 1) ++wrong;
    if (sharing != (j < rounds ? threads : 1)) ++wrong;
    ++carried[at(j)][at(part)];
  };
  in_rounds(blocks, threads, solve, carry);
  EXPECT_EQ(wrong, 0);
  for (int k = 0; k < count; ++k) {
    EXPECT_EQ(solved[at(k)], 1) << "block " << k;
    for (int part = 0; part < 7; ++part)
      EXPECT_EQ(carried[at(k)][at(part)], k < count - 1 && part < (k < rounds ? threads : 1))
          << "block " << k << ", part " << part;
  }
}

TEST(Rounds, KeepTheirOrder) {
  setenv("TRIGON_NUM_THREADS", "7", 1);
  for (const int threads : {2, 3, 7})
    for (const bool by_columns : {true, false}) {
      for (int i = 0; i < 2000; ++i) goes_through_rounds({1003, 96, by_columns}, threads);
      parallel(2, [&](int part) {
        if (part == 0) goes_through_rounds({1003, 96, by_columns}, threads);
      });
    }
}

// What the first thread has of a round begins beyond what it had of the round before, all of which comes first in the
// rows that are left: otherwise two threads would write the same rows at once.
TEST(Rounds, GiveRowsToTheFirstThreadAlone) {
  for (const index n : {300, 1003, 4096})
    for (const index width : {96, 128, 192})
      for (const int threads : {2, 3, 7, 64})
        for (const index grain : {8, 16}) {
          const Blocks blocks{n, width, true};
          index beyond = 0;
          for (int j = 0; j < blocks.rounds(); ++j) {
            const index begin = blocks.end(j + 1);
            index end = begin;
            for (int part = 0; part < threads; ++part) {
              const auto [first, size] = share_beside_block(n - begin, width, width, threads, part, grain);
              EXPECT_EQ(begin + first, std::min(n, end)) << "part " << part;
              end = begin + first + size;
              if (part == 0) EXPECT_GE(end, beyond) << "order " << n << ", width " << width << ", block " << j;
              if (part == 0) beyond = end;
            }
            EXPECT_EQ(end, n);
          }
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

cpu_set_t only(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(processor), &set);
  return set;
}

std::vector<int> processors_of(const cpu_set_t& set) {
  std::vector<int> list;
  for (int p = 0; p < CPU_SETSIZE; ++p)
    if (CPU_ISSET(static_cast<unsigned>(p), &set)) list.push_back(p);
  return list;
}

/// The processor on which the second part of a job began, while the caller did not leave its own: that one, where the
/// caller has waited for a worker in vain. Then the worker sleeps.
int processor_of_second_part() {
  std::atomic<int> where{-1};
  parallel(2, [&](int part) {
    if (part == 1) where = sched_getcpu();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (where < 0 && std::chrono::steady_clock::now() < end) {
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return where;
}

// A worker that slept off the processor which the caller had then was woken on the one it has now, behind it: for as
// long as the caller stayed there, it worked alone.
TEST(Pool, WakesAWorkerBesideACallerThatHasMoved) {
  setenv("TRIGON_NUM_THREADS", "2", 1);
  cpu_set_t mine;
  ASSERT_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
  const std::vector<int> processors = processors_of(mine);
  if (processors.size() < 2) GTEST_SKIP() << "on one processor there is none beside the caller's";
  // Of more than these two, which the worker takes over, there would be others to wake on.
  cpu_set_t both = only(processors[0]);
  CPU_SET(static_cast<unsigned>(processors[1]), &both);
  ASSERT_EQ(sched_setaffinity(0, sizeof both, &both), 0);
  processor_of_second_part();
  constexpr int rounds = 10, tries = 4;  // others may have the processor beside it for a while
  int beside = 0;
  for (int i = 0; i < tries && beside <= rounds / 2; ++i) {
    beside = 0;
    for (int round = 0; round < rounds; ++round) {
      const int here = processors[static_cast<std::size_t>(round % 2)];
      const cpu_set_t one = only(here);
      ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
      beside += processor_of_second_part() != here;
    }
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof mine, &mine), 0);
  EXPECT_GT(beside, rounds / 2);
}

/// A job of two parts, both begun before either ends: what the worker may use as its part begins, and then may be told.
struct Worker {
  pid_t thread = 0;
  cpu_set_t processors = {};
};
Worker seen_at_work(const cpu_set_t* bind = nullptr) {
  Worker worker;
  std::atomic<int> begun{0};
  parallel(2, [&](int part) {
    if (part == 1) {
      worker.thread = gettid();
      sched_getaffinity(0, sizeof worker.processors, &worker.processors);
      if (bind) sched_setaffinity(0, sizeof *bind, bind);
    }
    ++begun;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (begun < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  });
  return worker;
}

void let_it_sleep(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

TEST(Pool, LeavesAWorkerWhereItIsBound) {
  setenv("TRIGON_NUM_THREADS", "2", 1);
  cpu_set_t mine;
  ASSERT_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
  const cpu_set_t one = only(processors_of(mine).back());
  for (const cpu_set_t& chosen : {one, mine}) {
    ASSERT_NE(seen_at_work(&chosen).thread, gettid());
    for (int round = 0; round < 3; ++round) {
      let_it_sleep(50);
      const cpu_set_t its = seen_at_work().processors;
      EXPECT_TRUE(CPU_EQUAL(&its, &chosen));
    }
  }
}

// One that was lent to a processor for a moment, just as it fell asleep, took that for all it may use, for ever.
TEST(Pool, ForgetsWhereAWorkerWasForAMoment) {
  setenv("TRIGON_NUM_THREADS", "2", 1);
  cpu_set_t mine;
  ASSERT_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
  const pid_t worker = seen_at_work().thread;
  ASSERT_NE(worker, gettid());
  const cpu_set_t here = only(processors_of(mine).front()), one = only(processors_of(mine).back());
  ASSERT_EQ(sched_setaffinity(0, sizeof here, &here), 0);  // the lender's too
  std::atomic<bool> done{false};
  std::thread lender([&] {
    for (cpu_set_t now; !done; std::this_thread::yield()) {
      if (sched_getaffinity(worker, sizeof now, &now) != 0 || !CPU_EQUAL(&now, &mine)) continue;
      sched_setaffinity(worker, sizeof one, &one);
      sched_setaffinity(worker, sizeof now, &now);
    }
  });
  for (int round = 0; round < 100; ++round) {
    seen_at_work();
    let_it_sleep(5);
  }
  done = true;
  lender.join();
  ASSERT_EQ(sched_setaffinity(0, sizeof mine, &mine), 0);
  const cpu_set_t its = seen_at_work().processors;
  EXPECT_TRUE(CPU_EQUAL(&its, &mine));
}

}  // namespace
}  // namespace trigon::cpu
