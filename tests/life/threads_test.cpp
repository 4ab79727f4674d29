// Many callers at once, the same routine included; from OpenMP; on small stacks.
#include "support/harness.hpp"
#include "support/variants.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <mutex>
#include <random>
#include <thread>

namespace trigon::test {
namespace {

Case random_case(Operation op, std::mt19937_64& random, index largest) {
  std::vector<Call> all;
  while (all.empty()) all = variants(op, all_precisions[random() % 4]);
  Case c{all[random() % all.size()]};
  set_sizes(c.call, 1 + static_cast<index>(random() % static_cast<unsigned>(largest)),
            1 + static_cast<index>(random() % static_cast<unsigned>(largest)), 1 + static_cast<index>(random() % 60));
  c.call.alpha = 0.5;
  c.call.beta = 1;
  c.operands.seed = random();
  c.sample = {.lines = 3, .seed = random()};
  return c;
}

/// Failures of all threads, reported by the one that gtest knows.
class Report {
 public:
  void add(const Outcome& o) {
    if (o.ok()) return;
    const std::lock_guard lock(mutex_);
    words_ += o.words + "\n";
  }
  std::string words() {
    const std::lock_guard lock(mutex_);
    return words_;
  }

 private:
  std::mutex mutex_;
  std::string words_;
};

TEST(Threads, EightCallersOfTheSameRoutine) {
  for (const Operation op : all_operations()) {
    Report report;
    std::atomic<int> waiting{8};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        std::mt19937_64 random(static_cast<unsigned>(t));
        --waiting;
        while (waiting.load() > 0) std::this_thread::yield();  // all of them at once
        for (int i = 0; i < 12; ++i)
          report.add(run_case([](const Call& c) { execute(c); }, random_case(op, random, 220)));
      });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(report.words(), "") << name(op);
  }
}

TEST(Threads, EightCallersOfDifferentRoutines) {
  Report report;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      std::mt19937_64 random(static_cast<unsigned>(100 + t));
      for (int i = 0; i < 40; ++i)
        report.add(run_case([](const Call& c) { execute(c); },
                            random_case(all_operations()[random() % operation_count], random, 150)));
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(report.words(), "");
}

TEST(Threads, ComeAndGo) {
  Report report;
  for (int i = 0; i < 60; ++i)
    std::thread([&, i] {
      std::mt19937_64 random(static_cast<unsigned>(i));
      report.add(run_case([](const Call& c) { execute(c); }, random_case(Operation::Trsm, random, 200)));
    }).join();
  EXPECT_EQ(report.words(), "");
}

TEST(Threads, SmallStack) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers' own frames do not fit";
#endif
  // The operands are made and judged elsewhere: only the library runs on the small stack.
  std::mt19937_64 random(5);
  for (const Operation op : all_operations())
    for (const Precision p : all_precisions)
      for (const auto& [order, others] : {std::pair<index, index>{700, 40}, {300, 300}, {90, 5}, {20, 20}}) {
        if (variants(op, p).empty()) continue;
        const std::vector<Call> all = variants(op, p);
        Call c = all[random() % all.size()];
        set_sizes(c, order, others, others);
        c.beta = 1;
        Operands o(c, {.seed = random()});
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        ASSERT_EQ(pthread_attr_setstacksize(&attributes, 128 * 1024), 0);
        pthread_t thread;
        const auto body = [](void* call) -> void* {
          execute(*static_cast<const Call*>(call));
          return nullptr;
        };
        Call call = o.call();
        ASSERT_EQ(pthread_create(&thread, &attributes, body, &call), 0);
        pthread_join(thread, nullptr);
        pthread_attr_destroy(&attributes);
        const Verdict verdict = o.verify({.lines = 3});
        EXPECT_TRUE(verdict.ok()) << to_text(c) << "\n" << verdict.words;
      }
}

TEST(Threads, InsideOpenMp) {
  Report report;
#pragma omp parallel for num_threads(4) schedule(dynamic)
  for (int i = 0; i < 80; ++i) {
    std::mt19937_64 random(static_cast<unsigned>(i));
    report.add(run_case([](const Call& c) { execute(c); },
                        random_case(all_operations()[random() % operation_count], random, 200)));
  }
  EXPECT_EQ(report.words(), "");
}

TEST(Threads, InsideNestedOpenMp) {
  Report report;
#pragma omp parallel num_threads(2)
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 10; ++i) {
    std::mt19937_64 random(static_cast<unsigned>(i));
    report.add(run_case([](const Call& c) { execute(c); }, random_case(Operation::Trsm, random, 300)));
  }
  EXPECT_EQ(report.words(), "");
}

}  // namespace
}  // namespace trigon::test
