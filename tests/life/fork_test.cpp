// Calls after fork, in the child and in the parent, also while other threads are inside the library.
#include "support/harness.hpp"
#include "support/variants.hpp"

#include <trigon/inspect.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace trigon::test {
namespace {

/// One call of each operation, large enough for threads.
bool all_operations_work() {
  for (const Operation op : all_operations()) {
    Case c{variants(op, Precision::ComplexDouble).front()};
    set_sizes(c.call, 200, 120, 50);
    c.sample = {.lines = 2};
    c.repeat = false;
    if (!run_case([](const Call& call) { execute(call); }, c).ok()) return false;
  }
  return true;
}

/// Forks, and expects the child to finish its calls within a minute.
void expect_child_works() {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(60);
    _exit(all_operations_work() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

/// At every moment of another thread's first call, which takes longer where it opens a device. Before all others: each
/// time a process that has called nothing.
TEST(Fork, DuringTheFirstCall) {
  Operands o(parse_call("dgemm m=20 n=20 k=20"));
  std::vector<int> moments;
  for (int us = 0; us < 200; us += 5) moments.push_back(us);
  for (int us = 500; us < 500'000; us *= 2) moments.push_back(us);
  for (const int us : moments) {
    const pid_t fresh = fork();
    ASSERT_GE(fresh, 0);
    if (fresh == 0) {
      alarm(60);
      std::atomic<bool> begins{false};
      std::thread first([&] {
        begins = true;
        execute(o.call());
      });
      while (!begins) {
      }
      const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(us);
      while (std::chrono::steady_clock::now() < end) {
      }
      const pid_t child = fork();
      if (child == 0) {
        alarm(20);
        execute(o.call());
        _exit(0);
      }
      int status = 0;
      waitpid(child, &status, 0);
      first.join();
      _exit(status == 0 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(fresh, &status, 0), fresh);
    ASSERT_EQ(status, 0) << "the child of the fork " << us << " us after the call began hangs";
  }
}

TEST(Fork, BeforeTheFirstCall) { expect_child_works(); }

TEST(Fork, AfterACall) {
  EXPECT_TRUE(all_operations_work());
  expect_child_works();
  EXPECT_TRUE(all_operations_work());
}

/// `callers` threads keep calling while `f` runs.
template <class F>
void while_busy(int callers, F f) {
  std::atomic<bool> stop{false};
  std::atomic<int> calls{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < callers; ++t)
    threads.emplace_back([&] {
      Operands o(parse_call("dtrsm m=300 n=300"));
      while (!stop) {
        o.restore();
        execute(o.call());
        if (!o.verify({.lines = 1}).ok()) ++wrong;
        ++calls;
      }
    });
  while (calls < callers) std::this_thread::yield();
  f();
  stop = true;
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Fork, WhileOthersAreBusy) {
  while_busy(3, [] {
    for (int i = 0; i < 8; ++i) expect_child_works();
  });
  EXPECT_TRUE(all_operations_work());
}

TEST(Fork, OftenWhileOthersAreBusy) {
  while_busy(2, [] {
    for (int i = 0; i < 40; ++i) {
      const pid_t child = fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        alarm(20);
        Operands o(parse_call("dgemm m=60 n=60 k=60"));
        execute(o.call());
        _exit(o.verify({.lines = 1}).ok() ? 0 : 1);
      }
      int status = 0;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      ASSERT_EQ(status, 0);
    }
  });
}

TEST(Fork, WhileOthersAreBusyAndPathsAreCounted) {
  count_paths(true);
  while_busy(3, [] {
    for (int i = 0; i < 8; ++i) expect_child_works();
  });
  count_paths(false);
}

unsigned long long counted_calls() {
  unsigned long long calls = 0;
  for (const PathCount& path : path_counts()) calls += path.calls;
  return calls;
}

/// Reports of a parent and its children can be added up.
TEST(Fork, AChildCountsItsOwnCalls) {
  count_paths(true);
  Operands o(parse_call("dtrsm m=3 n=3"));
  execute(o.call());
  const unsigned long long ours = counted_calls();
  EXPECT_GE(ours, 1u);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool none = counted_calls() == 0;
    execute(o.call());
    _exit(none && counted_calls() == 1 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(counted_calls(), ours);
  count_paths(false);
}

TEST(Fork, OfAFork) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(60);
    const bool first = all_operations_work();
    const pid_t grandchild = fork();
    if (grandchild == 0) _exit(all_operations_work() ? 0 : 1);
    int status = 1;
    waitpid(grandchild, &status, 0);
    _exit(first && status == 0 && all_operations_work() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace trigon::test
