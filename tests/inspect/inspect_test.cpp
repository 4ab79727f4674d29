// What the library says about itself agrees with what it does.
#include "support/variants.hpp"

#include <trigon/error.hpp>
#include <trigon/inspect.hpp>
#include <trigon/operands.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace trigon::test {
namespace {

Call sized(Call c, index order, index others) {
  set_sizes(c, order, others, others);
  c.beta = 0.5;
  return c;
}

unsigned long long count_of(const std::string& routine, const std::string& path) {
  for (const PathCount& p : path_counts())
    if (p.routine == routine && p.path == path) return p.calls;
  return 0;
}

class Inspect : public testing::TestWithParam<Operation> {};

TEST_P(Inspect, ThePlanIsThePathTaken) {
  count_paths(true);
  for (const Precision p : all_precisions)
    for (const Call& v : variants(GetParam(), p))
      for (const auto& [order, others] : {std::pair<index, index>{3, 2}, {40, 4}, {300, 40}, {300, 0}}) {
        Operands o(sized(v, order, others));
        const std::string path = explain(o.call()).path, name = routine(o.call());
        const unsigned long long before = count_of(name, path);
        execute(o.call());
        EXPECT_EQ(count_of(name, path), before + 1) << to_text(o.call());
      }
  count_paths(false);
}

TEST_P(Inspect, NothingIsCountedUnasked) {
  count_paths(false);
  const auto total = [] {
    unsigned long long sum = 0;
    for (const PathCount& p : path_counts()) sum += p.calls;
    return sum;
  };
  const Call v = variants(GetParam(), Precision::ComplexDouble).front();
  const unsigned long long before = total();
  Operands o(sized(v, 20, 4));
  execute(o.call());
  EXPECT_EQ(total(), before);
}

TEST_P(Inspect, TasksDoTheWorkOfTheCall) {
  for (const Precision p : {Precision::Double, Precision::ComplexDouble})
    for (const Call& v : variants(GetParam(), p))
      for (const auto& [order, others] : {std::pair<index, index>{5, 3}, {600, 50}, {2100, 300}}) {
        Call c = sized(v, order, others);
        c.lda = c.ldb = c.ldc = 2400;
        double sum = 0;
        for (const Task& t : tasks(c)) {
          sum += t.flops;
          EXPECT_GE(t.level, 0);
          EXPECT_GT(t.m * t.n * t.k, 0) << t.kind;
        }
        EXPECT_NEAR(sum / flops(c), 1, 1e-9) << to_text(c);
      }
}

TEST_P(Inspect, TimedTasksAreTheSameAndRight) {
  for (const Call& v : variants(GetParam(), Precision::Double)) {
    Operands o(sized(v, 300, 40));
    const std::vector<Task> planned = tasks(o.call()), done = execute_timed(o.call());
    EXPECT_TRUE(o.verify({.lines = 3}).ok()) << to_text(o.call());
    ASSERT_EQ(planned.size(), done.size()) << to_text(o.call());
    for (std::size_t i = 0; i < done.size(); ++i) {
      EXPECT_EQ(planned[i].kind, done[i].kind);
      EXPECT_EQ(planned[i].m, done[i].m);
      EXPECT_EQ(planned[i].n, done[i].n);
      EXPECT_EQ(planned[i].k, done[i].k);
      EXPECT_EQ(planned[i].level, done[i].level);
      EXPECT_GE(done[i].seconds, 0);
    }
  }
}

TEST_P(Inspect, WhatIsCountedIsTheWorkOfTheCall) {
  Operands o(sized(variants(GetParam(), Precision::ComplexDouble).front(), 40, 4));
  const std::string name = routine(o.call());
  const auto sum = [&] {
    PathCount all{name, "", 0, 0, 0};
    for (const PathCount& p : path_counts())
      if (p.routine == name) all.calls += p.calls, all.flops += p.flops, all.seconds += p.seconds;
    return all;
  };
  const PathCount before = sum();
  count_paths(true);
  execute(o.call());
  count_paths(false);
  const PathCount after = sum();
  EXPECT_EQ(after.calls, before.calls + 1);
  EXPECT_DOUBLE_EQ(after.flops - before.flops, flops(o.call()));
  EXPECT_GT(after.seconds, before.seconds);
}

/// A triangle of four leaves: the halves of halves, and the rectangles between them.
TEST(Tasks, HaveTheLevelsOfTheRecursion) {
  Call c = parse_call("dtrsm m=4000 n=300");
  const index leaf = explain(c).leaf;
  ASSERT_GT(leaf, 0);
  c.m = c.lda = c.ldb = 4 * leaf;
  struct Step {
    const char* kind;
    index order;
    int level;
  };
  const Step expected[] = {{"solve", leaf, 2}, {"gemm", leaf, 1}, {"solve", leaf, 2}, {"gemm", 2 * leaf, 0},
                           {"solve", leaf, 2}, {"gemm", leaf, 1}, {"solve", leaf, 2}};
  const std::vector<Task> list = tasks(c);
  ASSERT_EQ(list.size(), std::size(expected));
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list[i].kind, expected[i].kind) << i;
    EXPECT_EQ(list[i].m, expected[i].order) << i;
    EXPECT_EQ(list[i].k, expected[i].order) << i;
    EXPECT_EQ(list[i].n, 300) << i;
    EXPECT_EQ(list[i].level, expected[i].level) << i;
    EXPECT_EQ(list[i].seconds, 0) << "not carried out";
  }
}

TEST(Tasks, ThatAreTimedTakeTime) {
  Operands o(parse_call("dtrsm m=700 n=300 lda=700 ldb=700"));
  double sum = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (const Task& t : execute_timed(o.call())) sum += t.seconds;
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;
  EXPECT_GT(sum, 0);
  EXPECT_LE(sum, whole.count());
}

TEST(Inspection, SaysWhatThreadsShare) {
  if (cpu_info().threads < 2) GTEST_SKIP() << "one thread";
  Call c;
  c.operation = Operation::Symm;
  c.lda = c.ldb = c.ldc = 2000;
  for (const auto& [columns, rows_are_shared] : {std::pair<index, bool>{3, true}, {2000, false}}) {
    c.m = 2000, c.n = columns;
    const PlanInfo plan = explain(c);
    EXPECT_GT(plan.threads, 1);
    EXPECT_EQ(plan.words.find("share of the rows") != std::string::npos, rows_are_shared) << plan.words;
  }
}

TEST_P(Inspect, ExplainsWithoutOperands) {
  for (const Call& v : variants(GetParam(), Precision::ComplexSingle)) {
    Call c = sized(v, 500, 200);
    c.lda = c.ldb = c.ldc = 500;
    const PlanInfo plan = explain(c);
    EXPECT_FALSE(plan.words.empty());
    EXPECT_FALSE(plan.backend.empty());
    EXPECT_GE(plan.threads, 1);
    EXPECT_LE(plan.threads, cpu_info().threads);
    c.lda = 1;
    EXPECT_THROW(explain(c), argument_error);
    EXPECT_THROW(tasks(c), argument_error);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Inspect, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST(InspectMachine, HasABackendATargetAndAGemm) {
  const auto list = backends();
  EXPECT_TRUE(
      std::any_of(list.begin(), list.end(), [](const BackendInfo& b) { return b.name == "cpu" && b.available; }));
  for (const BackendInfo& b : list) EXPECT_FALSE(b.detail.empty()) << b.name;
  const CpuInfo machine = cpu_info();
  EXPECT_NE(std::find(machine.supported.begin(), machine.supported.end(), machine.target), machine.supported.end());
  EXPECT_GE(machine.threads, 1);
  EXPECT_FALSE(machine.threads_why.empty());
  EXPECT_FALSE(gemm_provider().name.empty());
  EXPECT_FALSE(version().empty());
  EXPECT_FALSE(tuning().entries.empty());
}

}  // namespace
}  // namespace trigon::test
