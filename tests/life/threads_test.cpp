// Many callers at once, the same routine included; from OpenMP; on small stacks.
#include "support/harness.hpp"
#include "support/thinning.hpp"
#include "support/variants.hpp"

#include <trigon/inspect.hpp>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <random>
#include <thread>

namespace trigon::test {
namespace {

/// Under sanitizers.
bool is_thinned() { return one_in("TRIGON_TEST_SWEEP") > 1; }

/// A product that threads share.
const char* shared_product() { return is_thinned() ? "dgemm m=256 n=256 k=256" : "dgemm m=600 n=600 k=600"; }

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

std::ptrdiff_t threads_of_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

#ifdef _OPENMP
/// First calls within a parallel region may use one thread: that holds for these calls alone. Before all others; the
/// second call is the first one that goes the short way.
TEST(Threads, AFirstCallInsideOpenMpDecidesNothing) {
  Operands o(parse_call("dtrsv n=50")), large(parse_call("dtrsv n=3000"));
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    for (int i = 0; i < 2; ++i) execute(o.call());
  }
  const auto before = threads_of_process();
  execute(large.call());
  const auto after = threads_of_process();
  if (cpu_info().threads < 2 || explain(large.call()).backend != "cpu") GTEST_SKIP() << "no threads of ours";
  EXPECT_GE(after, before + cpu_info().threads - 1);
  EXPECT_TRUE(large.verify({.lines = 3}).ok());
}
#endif

/// Not those of a thread that happens to call first.
TEST(Threads, AreAsManyAsTheProcessMayUse) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(getpid(), sizeof all, &all), 0);
  if (std::getenv("TRIGON_NUM_THREADS") || std::getenv("OMP_NUM_THREADS")) GTEST_SKIP() << "the environment says it";
  std::thread([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
    sched_setaffinity(0, sizeof one, &one);
    EXPECT_TRUE(run_case([](const Call& c) { execute(c); }, {parse_call("dgemm m=300 n=300 k=300")}).ok());
  }).join();
  EXPECT_EQ(cpu_info().threads, CPU_COUNT(&all));
}

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
        for (int i = 0; i < (is_thinned() ? 3 : 12); ++i)
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

/// Destructors and exit handlers of the program may call when those of the library, if it had any, have run.
TEST(Threads, CallAtTheirEnd) {
  struct Late {
    Operands o{parse_call(shared_product())};
    bool* right;
    ~Late() {
      o.restore();
      execute(o.call());
      *right = o.verify({.lines = 2}).ok();
    }
  };
  bool right = false;
  std::thread([&right] {
    thread_local Late late;
    late.right = &right;
    execute(late.o.call());
  }).join();
  EXPECT_TRUE(right);
}

TEST(Exit, HandlersMayCall) {
  const auto call_and_exit = [] {
    static Operands& o = *new Operands(parse_call(shared_product()));
    execute(o.call());
    std::atexit([] {
      o.restore();
      execute(o.call());
      _exit(o.verify({.lines = 2}).ok() ? 0 : 1);
    });
    std::exit(2);
  };
  EXPECT_EXIT(call_and_exit(), testing::ExitedWithCode(0), "");
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
