// The plan: a pure function, with nothing to do where nothing is asked for.
#include "core/plan.hpp"
#include "core/canonical.hpp"
#include "support/variants.hpp"

#include <gtest/gtest.h>

namespace trigon::core {
namespace {

using namespace trigon::test;

class Planning : public testing::Test {
 protected:
  Plan of(const std::string& text, int threads = 1) {
    machine_.threads = threads;
    return plan(canonical(parse_call(text)), machine_, tuning_);
  }
  Machine machine_;
  Tuning tuning_;
};

TEST_F(Planning, SamePlanForTheSameArguments) {
  for (const Operation op : all_operations())
    for (Call c : variants(op, Precision::Double)) {
      set_sizes(c, 700, 90, 80);
      c.lda = c.ldb = c.ldc = 800;
      const Request r = canonical(c);
      machine_.threads = 4;
      const Plan first = plan(r, machine_, tuning_), second = plan(r, machine_, tuning_);
      EXPECT_EQ(first.path, second.path);
      EXPECT_EQ(first.threads, second.threads);
      EXPECT_EQ(first.leaf, second.leaf);
      EXPECT_EQ(first.provider, second.provider);
    }
}

TEST_F(Planning, DirectCallsHaveThePlanThatIsKnownOfThem) {
  machine_.threads = 64;
  const DirectCalls known = direct_calls(machine_, tuning_);
  for (const Operation op : all_operations())
    for (const Precision p : {Precision::Single, Precision::Double, Precision::ComplexSingle, Precision::ComplexDouble})
      for (Call c : variants(op, p)) {
        ASSERT_GE(known.order[p], 16);
        const bool vector = op == Operation::Trmv || op == Operation::Trsv;
        const bool triangular = op == Operation::Trmm || op == Operation::Trsm;
        const bool symmetric = op == Operation::Symm || op == Operation::Hemm;
        const index most = 5000;
        int direct = 0;
        for (const index m : {index{1}, index{7}, known.order[p], index{100}, most})
          for (const index n : {index{1}, index{4}, known.order[p], known.columns[p], most})
            for (const index k : {index{1}, index{30}, most}) {
              set_sizes(c, m, n, k);
              c.lda = c.ldb = c.ldc = most;
              const Request r = canonical(c);
              const index order = r.a.rows, rhs = r.b.cols;
              const index volume = triangular ? order * order * rhs : r.c.rows * r.c.cols * r.a.cols;
              if (vector ? order > known.vector[p] : volume > known.volume[p]) continue;
              if (triangular && (order > known.order[p] || rhs > known.columns[p])) continue;
              if (symmetric && r.c.cols > known.columns[p]) continue;
              ++direct;
              const Plan planned = plan(r, machine_, tuning_);
              const bool few = order >= known.narrow_order[p] && rhs <= known.narrow_rhs[p];
              const bool narrow = vector || (triangular && few);
              EXPECT_EQ(planned.path, narrow ? Path::Narrow : Path::Packed) << to_text(c);
              EXPECT_EQ(planned.threads, 1) << to_text(c);
              EXPECT_FALSE(planned.provider) << to_text(c);
            }
        EXPECT_GE(direct, 10);
      }
}

TEST_F(Planning, HowManyRightHandSidesAreNarrowDependsOnTheOrder) {
  tuning_.cpu_leaf = {{900, 900, 900, 900}};
  tuning_.cpu_narrow_rhs = {{30, 30, 30, 30}};
  tuning_.cpu_narrow_rhs_large = {{50, 50, 50, 50}};
  tuning_.cpu_narrow_rhs_huge = {{70, 70, 70, 70}};
  for (const auto [order, most] : {std::pair{512, 30}, {513, 50}, {1024, 50}, {1025, 70}, {4000, 70}})
    for (const char* routine : {"strsm m=", "dtrmm m="}) {
      const auto path = [&](int rhs) {
        return of(routine + std::to_string(order) + " n=" + std::to_string(rhs), 1).path;
      };
      EXPECT_EQ(path(most), Path::Narrow) << routine << order;
      EXPECT_EQ(path(most + 1), order > 900 ? Path::Recursion : Path::Packed) << routine << order;
    }
}

TEST_F(Planning, NoCallIsDirectWhereThePlanDependsOnMore) {
  machine_.provider = ProviderUse::Always;
  EXPECT_EQ(direct_calls(machine_, tuning_).order[Precision::Double], 0);
  EXPECT_EQ(direct_calls(machine_, tuning_).volume[Precision::Double], 0);
  machine_.provider = ProviderUse::Measured;
  tuning_.cpu_provider_work.value[1] = 1000;
  EXPECT_EQ(direct_calls(machine_, tuning_).order[Precision::Double], 0);
  EXPECT_GT(direct_calls(machine_, tuning_).order[Precision::Single], 0);
  machine_.provider = ProviderUse::Never;
  tuning_.cpu_leaf.value[2] = 5;
  EXPECT_EQ(direct_calls(machine_, tuning_).order[Precision::ComplexSingle], 5);
  tuning_.cpu_thread_flops.value[1] = 1;
  machine_.threads = 1;
  EXPECT_GT(direct_calls(machine_, tuning_).volume[Precision::Double], 0);
  machine_.threads = 2;
  EXPECT_EQ(direct_calls(machine_, tuning_).volume[Precision::Double], 0);
  machine_.reproducible = true;
  EXPECT_EQ(direct_calls(machine_, tuning_).narrow_rhs[Precision::Double], 0);
  EXPECT_EQ(direct_calls(machine_, tuning_).vector[Precision::Double], 0);
}

TEST_F(Planning, ThreadsOfANarrowCallShareRightHandSidesOrRows) {
  for (const char* text : {"dtrsv n=600", "dtrsm m=5000 n=4", "ztrmm m=5000 n=23", "dtrsm m=5000 n=24"}) {
    EXPECT_EQ(of(text, 2).path, Path::Narrow) << text;
    EXPECT_EQ(of(text, 2).threads, 2) << text;
    EXPECT_EQ(of(text, 2).by_rows, !std::string_view(text).ends_with("n=24")) << text;
  }
  // Where the triangle comes from a cache, threads take fewer of them each; bands of a product do not wait.
  EXPECT_FALSE(of("dtrsm m=1000 n=12", 2).by_rows);
  EXPECT_TRUE(of("dtrsm m=1000 n=11", 2).by_rows);
  EXPECT_TRUE(of("dtrmm m=1000 n=12", 2).by_rows);
  EXPECT_EQ(of("dtrmm m=250 n=12", 2).threads, 2);
  for (const char* text : {"dtrsm m=30 n=24", "dtrsv n=300"}) EXPECT_EQ(of(text, 2).threads, 1) << text;
  // Too small for its rows to be shared, and for a thread each too few right-hand sides: as many as they are worth.
  EXPECT_EQ(of("dtrsm m=250 n=28", 8).threads, 4);
  EXPECT_EQ(of("dtrsm m=250 n=60", 4).threads, 4);
  EXPECT_EQ(of("dtrsm m=5000 n=28", 8).threads, 8);
}

TEST_F(Planning, ThreadsThatDoNothingTwiceTakeLessWork) {
  for (const char* text :
       {"ztrmm m=32 n=32", "dtrsm m=52 n=52", "zher2k n=32 k=32", "dsyrk n=64 k=64", "zsymm m=32 n=32"})
    EXPECT_EQ(of(text, 2).threads, 2) << text;
  for (const char* text : {"ztrmm m=24 n=24", "zher2k n=31 k=31", "dsyrk n=60 k=60", "zsymm m=32 n=31"})
    EXPECT_EQ(of(text, 2).threads, 1) << text;
}

TEST_F(Planning, ThreadsThatMeetInPagesTakeMoreWorkAndInLinesMore) {
  for (const char* text : {"dtrsm m=52 n=52", "dtrsm side=R m=64 n=64", "dtrsm side=R m=68 n=68 ldb=72"})
    EXPECT_EQ(of(text, 2).threads, 2) << text;
  for (const char* text : {"dtrsm side=R m=56 n=56", "dtrsm side=R m=68 n=68"})
    EXPECT_EQ(of(text, 2).threads, 1) << text;
}

TEST_F(Planning, ThreadsShareColumnsOfAFewRowsThatLieFarApart) {
  for (const char* text : {"dtrsm m=4 n=400 ldb=512", "zhemm m=4 n=400 lda=8 ldb=512 ldc=512"})
    EXPECT_EQ(of(text, 2).threads, 2) << text;
  for (const char* text : {"dtrsm m=4 n=400", "dtrsm m=4 n=100 ldb=512", "dtrsm side=R m=400 n=4 ldb=512"})
    EXPECT_EQ(of(text, 2).threads, 1) << text;
}

TEST_F(Planning, ThreadsOfASmallSymmetricMatrixShareColumnsDownToSixteen) {
  for (const char* text : {"zsymm m=64 n=40", "zhemm side=R m=40 n=64"}) {
    EXPECT_EQ(of(text, 64).threads, 2) << text;
    EXPECT_TRUE(shares_columns(canonical(parse_call(text)), 2)) << text;
  }
  EXPECT_EQ(of("zsymm m=65 n=40", 64).threads, 5);
  EXPECT_FALSE(shares_columns(canonical(parse_call("zsymm m=65 n=40")), 2));
}

TEST_F(Planning, NothingWhereNothingCanChange) {
  for (const char* text :
       {"dtrsm m=0 n=5", "dtrmm m=5 n=0", "dgemm m=0 n=4 k=4", "dgemm m=4 n=4 k=0 beta=1", "dtrsv n=0",
        "dgemm m=4 n=4 k=4 alpha=0 beta=1", "zherk n=5 k=0 beta=1", "zher2k n=5 k=3 alpha=0 beta=1", "dsymm m=3 n=0"})
    EXPECT_EQ(of(text).path, Path::Nothing) << text;
}

TEST_F(Planning, OnlyScalesWithoutATerm) {
  for (const char* text : {"dtrsm m=4 n=5 alpha=0", "dgemm m=4 n=4 k=0", "dgemm m=4 n=4 k=4 alpha=0 beta=2",
                           "dsyrk n=4 k=0 beta=0.5", "dsymm m=3 n=2 alpha=0"})
    EXPECT_EQ(of(text).path, Path::Scale) << text;
}

/// A NaN is neither 0 nor 1.
TEST_F(Planning, ScalarsThatAreNaNCount) {
  for (const char* text : {"dtrsm m=4 n=5 alpha=nan", "ztrmm m=4 n=5 alpha=0,nan", "dgemm m=4 n=4 k=4 alpha=nan beta=1",
                           "zsyrk n=4 k=3 alpha=0,nan", "zher2k n=4 k=3 alpha=nan,0 beta=1"})
    EXPECT_NE(of(text).path, Path::Nothing) << text;
  for (const char* text : {"dtrsm m=4 n=5 alpha=nan", "ztrmm m=4 n=5 alpha=0,nan", "dgemm m=4 n=4 k=4 alpha=nan",
                           "zsyrk n=4 k=3 alpha=0,nan", "zher2k n=4 k=3 alpha=nan,0"})
    EXPECT_NE(of(text).path, Path::Scale) << text;
  for (const char* text : {"dgemm m=4 n=4 k=0 beta=nan", "zsymm m=4 n=4 alpha=0 beta=1,nan", "dsyrk n=4 k=0 beta=nan"})
    EXPECT_EQ(of(text).path, Path::Scale) << text;
}

TEST_F(Planning, StartsNoThreadsForTinyProblems) {
  for (const char* text : {"dtrsm m=3 n=3", "dtrsv n=5", "dgemm m=16 n=16 k=16", "zher2k n=8 k=8"})
    EXPECT_EQ(of(text, 64).threads, 1) << text;
}

TEST_F(Planning, NeverMoreThreadsThanTheMachineGives) {
  for (const int threads : {1, 2, 3, 64})
    for (const char* text : {"dtrsm m=3000 n=3000", "dgemm m=5000 n=5000 k=5000", "ztrmm m=4000 n=2"}) {
      EXPECT_LE(of(text, threads).threads, threads) << text;
      EXPECT_GE(of(text, threads).threads, 1) << text;
    }
  EXPECT_EQ(of("dgemm m=5000 n=5000 k=5000", 3).threads, 3);
}

TEST_F(Planning, AsksTheProviderOnlyWhereItMay) {
  machine_.provider = ProviderUse::Always;
  EXPECT_TRUE(of("dtrsm m=3000 n=3000").provider);
  machine_.provider = ProviderUse::Never;
  EXPECT_FALSE(of("dtrsm m=3000 n=3000").provider);
  machine_.provider = ProviderUse::Measured;
  tuning_.cpu_provider_work = {{0, 0, 0, 0}};
  EXPECT_FALSE(of("dtrsm m=3000 n=3000").provider);
  tuning_.cpu_provider_work = {{1, 1, 1, 1}};
  EXPECT_TRUE(of("dtrsm m=3000 n=3000").provider);
}

TEST_F(Planning, RecursionOnlyAboveTheLeaf) {
  machine_.provider = ProviderUse::Always;
  const index leaf = of("dtrsm m=3000 n=3000").leaf;
  ASSERT_GT(leaf, 1);
  EXPECT_EQ(of("dtrsm m=" + std::to_string(leaf) + " n=500").path, Path::Packed);
  EXPECT_EQ(of("dtrsm m=" + std::to_string(leaf + 1) + " n=500").path, Path::Recursion);
}

TEST_F(Planning, LeavesAreNoLargerThanThreadsCanShare) {
  tuning_.cpu_leaf = {{1024, 1024, 1024, 1024}};
  EXPECT_EQ(of("dtrsm m=1000 n=300", 1).path, Path::Packed);
  EXPECT_EQ(of("dtrsm m=1000 n=1000", 16).path, Path::Packed);
  EXPECT_EQ(of("dtrsm m=1000 n=300", 16).path, Path::Recursion);
  EXPECT_LT(of("ztrmm m=2000 n=1000", 64).leaf, of("ztrmm m=2000 n=1000", 2).leaf);
  machine_.reproducible = true;
  EXPECT_EQ(of("dtrsm m=1000 n=300", 16).path, Path::Packed);
}

TEST_F(Planning, EveryPathHasAName) {
  for (int i = 0; i < path_count; ++i) EXPECT_FALSE(name(static_cast<Path>(i)).empty());
}

TEST_F(Planning, WorkCountsWhatTheOperationDoes) {
  for (const Operation op : all_operations())
    for (const Precision p : {Precision::Double, Precision::ComplexDouble})
      for (Call c : variants(op, p)) {
        set_sizes(c, 100, 40, 30);
        c.lda = c.ldb = c.ldc = 200;
        EXPECT_NEAR(work(canonical(c)) / flops(c), 1, 0.02) << to_text(c);
      }
}

}  // namespace
}  // namespace trigon::core
