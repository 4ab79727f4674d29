// Every operation, variant, precision and layout at sizes around every block edge, through the harness.
#include "support/harness.hpp"
#include "support/thinning.hpp"
#include "support/variants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>

namespace trigon::test {
namespace {

class Sweep : public testing::TestWithParam<Routine> {};

std::complex<double> some_scalar(std::mt19937_64& random, bool complex) {
  constexpr double values[] = {1, 1, -1, 0.75, -2.5, 0};
  const double re = values[random() % 6];
  return {re, complex && random() % 2 ? values[random() % 6] : 0.0};
}

/// Rank-k scalars that the operation takes as real are given as real.
void set_scalars(Call& c, std::mt19937_64& random) {
  const bool complex = is_complex_precision(c.precision);
  c.alpha = some_scalar(random, complex && c.operation != Operation::Herk);
  c.beta = some_scalar(random, complex && c.operation != Operation::Herk && c.operation != Operation::Her2k);
}

index second_size(index order, int kind, std::mt19937_64& random) {
  const auto& sizes = edge_sizes();
  if (kind == 0) return static_cast<index>(random() % 10);  // few right-hand sides, none included
  const index largest = order > 130 ? 49 : 145;
  index n = 0;
  do n = sizes[random() % sizes.size()];
  while (n > largest);
  return n;
}

TEST_P(Sweep, MeetsItsBound) {
  const auto [operation, precision] = GetParam();
  const Thinning thin = Thinning::of_sweep();
  std::mt19937_64 random(static_cast<unsigned>(operation) * 4 + static_cast<unsigned>(precision));
  double worst = 0;
  int cases = 0, failures = 0;
  for (const Call& variant : variants(operation, precision))
    for (const index order : edge_sizes())
      for (int kind = 0; kind < (is_vector(operation) ? 1 : 2); ++kind) {
        Case c{variant};
        set_sizes(c.call, order, second_size(order, kind, random), second_size(order, 1, random));
        set_scalars(c.call, random);
        constexpr index increments[] = {1, 1, -1, 2, -3, 7};
        c.call.incx = increments[random() % 6];
        c.operands.seed = random();
        c.operands.padding = random() % 3 == 0 ? 0 : static_cast<index>(random() % 5);
        c.operands.place = random() % 2 ? GuardedMemory::Place::EndsAtGuard : GuardedMemory::Place::StartsAtGuard;
        c.operands.ill_conditioned = random() % 4 == 0;
        c.sample = {order <= 33 ? -1 : 6, random()};
        if (!thin.keeps(random())) continue;
        const Outcome outcome = run_case([](const Call& call) { execute(call); }, c);
        EXPECT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
        if (!outcome.ok() && ++failures == 10) FAIL() << "and perhaps more";
        worst = std::max(worst, outcome.ratio);
        ++cases;
      }
  RecordProperty("cases", cases);
  std::printf("%d cases, worst error / bound %.3f\n", cases, worst);
}

class SweepOfRankTwoUpdates : public Sweep {};

std::vector<Routine> rank_two_updates() {
  std::vector<Routine> list;
  for (const Routine& routine : all_routines())
    if (const Operation op = std::get<0>(routine); op == Operation::Syr2k || op == Operation::Her2k)
      list.push_back(routine);
  return list;
}

// From a certain length of the sums on, rank-2k updates of small triangles are one product and its transpose.
TEST_P(SweepOfRankTwoUpdates, OfLongSums) {
  const auto [operation, precision] = GetParam();
  std::mt19937_64 random(static_cast<unsigned>(operation) * 4 + static_cast<unsigned>(precision));
  const Thinning thin = Thinning::of_sweep();
  for (const Call& variant : variants(operation, precision))
    for (const index n : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 67, 130, 256, 257})
      for (const index k : {n / 2 + 15, n / 2 + 16}) {
        Case c{variant};
        set_sizes(c.call, n, k, k);
        set_scalars(c.call, random);
        c.operands.seed = random();
        c.operands.padding = static_cast<index>(random() % 3);
        c.operands.place = random() % 2 ? GuardedMemory::Place::EndsAtGuard : GuardedMemory::Place::StartsAtGuard;
        c.sample = {n <= 17 ? -1 : 4, random()};
        if (!thin.keeps(random())) continue;
        const Outcome outcome = run_case([](const Call& call) { execute(call); }, c);
        ASSERT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
      }
}

class SweepOfSmallTriangles : public Sweep {};

std::vector<Routine> of_triangles() {
  std::vector<Routine> list;
  for (const Routine& routine : all_routines())
    if (const Operation op = std::get<0>(routine); op == Operation::Trmm || op == Operation::Trsm)
      list.push_back(routine);
  return list;
}

// Triangles that are a few vectors high, or blocks of them, of which nothing is packed if there are so many columns.
TEST_P(SweepOfSmallTriangles, WithSomeColumns) {
  const auto [operation, precision] = GetParam();
  std::mt19937_64 random(static_cast<unsigned>(operation) * 4 + static_cast<unsigned>(precision));
  const Thinning thin = Thinning::of_sweep();
  for (const Call& variant : variants(operation, precision))
    for (int i = 0; i < 20; ++i) {
      Case c{variant};
      const bool wide = i >= 16;  // beyond the narrow path
      const index order = i < 8  ? 9 + i
                          : wide ? 9 + static_cast<index>(random() % 24)
                                 : 17 + static_cast<index>(random() % 240);
      const auto columns = [&](index from, index n) { return from + static_cast<index>(random() % n); };
      set_sizes(c.call, order, wide ? columns(65, 140) : order > 32 ? columns(60, 80) : columns(5, 67), 1);
      set_scalars(c.call, random);
      c.operands.seed = random();
      c.operands.padding = static_cast<index>(random() % 3);
      c.operands.place = random() % 2 ? GuardedMemory::Place::EndsAtGuard : GuardedMemory::Place::StartsAtGuard;
      c.sample = {order <= 16 ? -1 : 6, random()};
      if (!thin.keeps(random())) continue;
      const Outcome outcome = run_case([](const Call& call) { execute(call); }, c);
      ASSERT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
    }
}

// One row of a matrix is contiguous both ways if its leading dimension is 1: every operand has one of its own here.
TEST_P(Sweep, SmallOrdersWithLeadingDimensionsOfTheirOwn) {
  const auto [operation, precision] = GetParam();
  if (is_vector(operation)) GTEST_SKIP() << "one matrix only";
  std::mt19937_64 random(static_cast<unsigned>(operation) * 4 + static_cast<unsigned>(precision));
  const Thinning thin = Thinning::of_sweep().over(8);
  int failures = 0;
  for (const Call& variant : variants(operation, precision))
    for (const index m : {1, 2, 5, 9})
      for (const index n : {1, 3, 6, 22}) {
        Case c{variant};
        set_sizes(c.call, m, n, 1 + static_cast<index>(random() % 9));
        set_scalars(c.call, random);
        c.call.alpha = 1;
        const auto leading = [&](Argument operand) {
          const Extent e = extent(c.call, operand);
          const index least = c.call.layout == Layout::ColMajor ? e.rows : e.cols;
          return std::max<index>(1, least) + static_cast<index>(random() % 2);
        };
        c.call.lda = leading(Argument::A), c.call.ldb = leading(Argument::B), c.call.ldc = leading(Argument::C);
        c.operands.seed = random();
        c.sample = {-1, random()};
        if (thin.n() > 1 && !thin.keeps(random())) continue;
        const Outcome outcome = run_case([](const Call& call) { execute(call); }, c);
        EXPECT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
        if (!outcome.ok() && ++failures == 10) FAIL() << "and perhaps more";
      }
}

// Columns that fall into the same sets of a cache are copied by small products, some rows of them at a time.
TEST_P(Sweep, SmallProductsOfColumnsThatFallTogether) {
  const auto [operation, precision] = GetParam();
  using enum Operation;
  if (operation == Trmm || operation == Trsm || is_vector(operation)) GTEST_SKIP() << "no product";
  std::mt19937_64 random(static_cast<unsigned>(operation) * 4 + static_cast<unsigned>(precision));
  const Thinning thin = Thinning::of_sweep();
  for (const Call& variant : variants(operation, precision))
    for (const index m : {40, 49, 61, 64, 65, 100})
      for (const index k : {20, 33, 47, 90}) {
        Case c{variant};
        set_sizes(c.call, m, m + static_cast<index>(random() % 3), k);
        set_scalars(c.call, random);
        c.call.lda = c.call.ldb = 512;
        c.operands.seed = random();
        c.operands.place = random() % 2 ? GuardedMemory::Place::EndsAtGuard : GuardedMemory::Place::StartsAtGuard;
        c.sample = {4, random()};
        if (!thin.keeps(random())) continue;
        const Outcome outcome = run_case([](const Call& call) { execute(call); }, c);
        ASSERT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
      }
}

INSTANTIATE_TEST_SUITE_P(All, SweepOfRankTwoUpdates, testing::ValuesIn(rank_two_updates()),
                         [](const auto& info) { return routine_name(info.param); });
INSTANTIATE_TEST_SUITE_P(All, SweepOfSmallTriangles, testing::ValuesIn(of_triangles()),
                         [](const auto& info) { return routine_name(info.param); });
INSTANTIATE_TEST_SUITE_P(All, Sweep, testing::ValuesIn(all_routines()),
                         [](const auto& info) { return routine_name(info.param); });

}  // namespace
}  // namespace trigon::test
