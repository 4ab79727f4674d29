// Sizes beyond the largest block in each direction, skinny both ways, and beyond 65535 columns.
#include "support/harness.hpp"
#include "support/thinning.hpp"
#include "support/variants.hpp"

#include <trigon/inspect.hpp>

#include <gtest/gtest.h>

#include <random>

namespace trigon::test {
namespace {

/// Of a square matrix of a little more than eight megabytes, which comes from memory.
index order_of_far(Precision p) { return p == Precision::Single ? 1460 : p == Precision::ComplexDouble ? 730 : 1030; }

class Large : public testing::TestWithParam<Operation> {
 protected:
  std::mt19937 random_{3};

  /// Of the result so many rows and columns are looked at, or all.
  void run(Call c, index lines = 3) {
    Case it{c};
    it.operands.seed = random_();
    it.operands.padding = 1;
    it.operands.place = random_() % 2 ? GuardedMemory::Place::EndsAtGuard : GuardedMemory::Place::StartsAtGuard;
    it.sample = {.lines = lines, .seed = random_()};
    it.repeat = false;
    const Outcome outcome = run_case([](const Call& call) { execute(call); }, it);
    EXPECT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
  }

  Call any_variant(Precision p) {
    const std::vector<Call> all = variants(GetParam(), p);
    Call c = all[random_() % all.size()];
    c.alpha = 0.5;
    c.beta = -1;
    c.incx = random_() % 2 ? 1 : -2;
    return c;
  }
};

TEST_P(Large, OrdersBeyondEveryBlock) {
  for (const Precision p : all_precisions) {
    if (variants(GetParam(), p).empty()) continue;
    for (const auto [order, others] : {std::pair<index, index>{577, 290}, {1025, 67}, {770, 770}}) {
      Call c = any_variant(p);
      set_sizes(c, order, others, others);
      run(c);
    }
  }
}

TEST_P(Large, TriangleOfMoreThan4096) {
  for (const Precision p : {Precision::Double, Precision::ComplexSingle}) {
    Call c = any_variant(variants(GetParam(), p).empty() ? Precision::ComplexSingle : p);
    set_sizes(c, 4099, 5, 3);
    run(c);
  }
}

/// More than are narrow; of contiguous rows of them threads have parts that meet in pages.
TEST_P(Large, RightHandSidesThatThreadsShare) {
  const Operation op = GetParam();
  if (op != Operation::Trsm && op != Operation::Trmm) GTEST_SKIP() << "no right-hand sides are shared";
  constexpr std::pair<index, index> sizes[] = {{30, 901}, {57, 530}, {90, 402}, {131, 203}, {131, 529}};
  for (const Precision p : all_precisions)
    for (Call c : variants(op, p)) {
      c.alpha = random_() % 2 ? 1 : 0.5;
      const auto [order, others] = sizes[random_() % std::size(sizes)];
      set_sizes(c, order, others, 1);
      Call described = c;
      described.lda = described.ldb = 1000;
      const PlanInfo plan = explain(described);
      if (plan.backend != "opencl" && cpu_info().threads > 1) {
        EXPECT_GT(plan.threads, 1) << to_text(c);
      }
      run(c);
    }
}

/// Triangles that the second cache does not hold: so many right-hand sides that their panels go through it all
/// together, some at a time, or one by one, whole ones and others. Of each precision every fourth variant.
TEST_P(Large, PanelsThatGoTogether) {
  const Operation op = GetParam();
  if (op != Operation::Trsm && op != Operation::Trmm) GTEST_SKIP() << "no triangle is packed";
  constexpr index orders[] = {450, 521, 700}, others[] = {101, 161, 192, 401};
  for (const Precision p : all_precisions)
    for (Call c : variants(op, p)) {
      if (random_() % 4) continue;
      c.alpha = random_() % 2 ? 1 : 0.5;
      set_sizes(c, orders[random_() % std::size(orders)], others[random_() % std::size(others)], 1);
      run(c);
    }
}

/// Contiguous columns of triangles that no near cache holds, and right-hand sides for two panels or more of any tile:
/// on one thread they may go through each strip in turn. Of each precision every fourth variant.
TEST_P(Large, PanelsThatMemoryDelivers) {
  const Operation op = GetParam();
  if (op != Operation::Trsm && op != Operation::Trmm) GTEST_SKIP() << "no panels";
  for (const Precision p : all_precisions)
    for (Call c : variants(op, p)) {
      const bool left = (c.side == Side::Left) == (c.layout == Layout::ColMajor);
      if ((c.transa == Op::NoTrans) != left || random_() % 4) continue;
      const index order = p == Precision::Single ? 2517 : p == Precision::ComplexDouble ? 1259 : 1779;
      c.alpha = random_() % 2 ? 1 : 0.5;
      set_sizes(c, order, random_() % 2 ? 30 : 41, 1);
      run(c);
    }
}

/// Triangles that multiply contiguous columns from where they lie, groups of them that are and are not full, columns
/// that do and do not meet in a set of the cache.
TEST_P(Large, ColumnsInGroups) {
  if (GetParam() != Operation::Trmm) GTEST_SKIP() << "not TRMM";
  constexpr index orders[] = {13, 33, 70, 128, 129, 200, 256}, others[] = {128, 137, 300, 529, 1061};
  for (const Precision p : all_precisions)
    for (Call c : variants(GetParam(), p)) {
      if ((c.side == Side::Left) != (c.layout == Layout::ColMajor)) continue;
      c.alpha = random_() % 2 ? 1 : 0.5;
      for (const index ldb : {0, 512}) {
        const index order = orders[random_() % std::size(orders)];
        set_sizes(c, p == Precision::ComplexDouble ? order / 2 : order, others[random_() % std::size(others)], 1);
        c.ldb = ldb;
        run(c);
      }
    }
}

/// Short sums that are added to a matrix which no near cache holds: some rows of it at a time, whole ones and others.
/// Of each precision every sixth variant.
TEST_P(Large, ShortSumsOfFarEntries) {
  const bool general = GetParam() == Operation::Gemm;
  if (!general && !is_rank_k(GetParam())) GTEST_SKIP() << "no sums of any length";
  constexpr index depths[] = {1, 5, 9, 16};
  for (const Precision p : all_precisions)
    for (Call c : variants(GetParam(), p)) {
      if (random_() % 6) continue;
      // A little more than eight megabytes, or a triangle of so many.
      const index order = order_of_far(p) + static_cast<index>(random_() % 40);
      const index depth = depths[random_() % std::size(depths)];
      c.alpha = 0.5, c.beta = static_cast<double>(random_() % 3) - 1;
      if (general)
        set_sizes(c, depth, order, order);
      else
        set_sizes(c, order * 142 / 100, depth, 1);
      run(c);
    }
}

/// Triangles that are applied from where they lie to as many contiguous columns as do not repay packing, or packed:
/// bands of rows and groups of columns that are and are not full, columns that do and do not meet in a cache.
TEST_P(Large, SolvesOfMiddlingOrder) {
  if (GetParam() != Operation::Trsm) GTEST_SKIP() << "no solve";
  constexpr index orders[] = {257, 300, 509, 512, 640, 767}, others[] = {9, 16, 41, 65, 100, 200, 209};
  for (const Precision p : all_precisions)
    for (Call c : variants(GetParam(), p)) {
      if ((c.side == Side::Left) != (c.layout == Layout::ColMajor)) continue;
      c.alpha = random_() % 2 ? 1 : 0.5;
      for (const index lda : {0, 1024}) {
        set_sizes(c, orders[random_() % std::size(orders)], others[random_() % std::size(others)], 1);
        c.lda = lda;
        run(c);
      }
    }
}

/// Contiguous rows of right-hand sides so far apart that tiles load them in another order if threads divide them: as
/// many rows as fill tiles or not, and as many right-hand sides as fill vectors or not.
TEST_P(Large, RowsFarApart) {
  if (GetParam() != Operation::Trsm && GetParam() != Operation::Trmm) GTEST_SKIP() << "has no such right-hand sides";
  constexpr index few[] = {3, 16, 33, 48, 70, 72, 97, 144, 150};
  for (const Precision p : all_precisions)
    for (Call c : variants(GetParam(), p)) {
      if ((c.side == Side::Left) == (c.layout == Layout::ColMajor)) continue;
      for (index order = 2; order <= 36; order += 1 + order / 18) {
        c.alpha = random_() % 2 ? 1 : -0.5;
        set_sizes(c, order, few[random_() % std::size(few)], 1);
        c.ldb = 2048 + static_cast<index>(random_() % 3) * 8;  // four rows, which a tile has at least: 32 KiB or more
        run(c, -1);
      }
    }
}

/// Few right-hand sides of triangles so large that threads share their rows: of each precision every fourth variant,
/// with corners that do and do not fill the last strip.
TEST_P(Large, RowsThatThreadsShare) {
  const Operation op = GetParam();
  if (op != Operation::Trsm && op != Operation::Trmm && !is_vector(op)) GTEST_SKIP() << "nothing is shared";
  constexpr index orders[] = {1024, 1039, 1057}, others[] = {1, 2, 3, 5, 8, 9, 17, 23};
  const Thinning thin = Thinning::of_sweep().times(4);
  for (const Precision p : all_precisions)
    for (Call c : variants(op, p)) {
      if (!thin.keeps(random_())) continue;
      c.alpha = random_() % 2 ? 1 : 0.5;
      c.incx = random_() % 2 ? 1 : -2;
      set_sizes(c, orders[random_() % std::size(orders)], others[random_() % std::size(others)], 1);
      Call described = c;
      described.lda = described.ldb = 1100;
      const PlanInfo plan = explain(described);
      if (plan.backend != "opencl") {
        ASSERT_EQ(plan.path, "narrow");
        if (cpu_info().threads > 1) {
          EXPECT_GT(plan.threads, 1) << to_text(c);
        }
      }
      run(c);
    }
}

/// Few columns, for which nothing is packed: blocks of rows that are and are not full, sums that are rounded once and
/// several times, rows that threads share.
TEST_P(Large, FewColumnsOfASymmetricMatrix) {
  const Operation op = GetParam();
  if (op != Operation::Symm && op != Operation::Hemm) GTEST_SKIP() << "no symmetric matrix";
  constexpr index orders[] = {65, 97, 128, 131, 401, 577, 1030}, others[] = {1, 2, 3, 4, 5, 7, 12, 25, 48, 49};
  for (const Precision p : all_precisions)
    for (Call c : variants(op, p))
      for (const index order : orders) {
        const bool complex = is_complex_precision(p);
        c.alpha = random_() % 2 ? 1 : std::complex<double>(0.5, complex ? -2 : 0);
        c.beta = std::complex<double>(static_cast<double>(random_() % 3) - 1, complex ? random_() % 2 : 0);
        set_sizes(c, order, others[random_() % std::size(others)], 1);
        run(c);
      }
}

/// GEMM of which one size is long and the others are not: nothing is packed, sums are rounded once and several times.
TEST_P(Large, ProductsOfOneLongSize) {
  if (GetParam() != Operation::Gemm) GTEST_SKIP() << "not GEMM";
  constexpr index few[] = {3, 8, 12, 16, 17, 31, 49, 56, 57, 97, 128, 129}, deep[] = {33, 60, 130, 257, 700, 1100};
  for (const Precision p : all_precisions)
    for (Call c : variants(GetParam(), p))
      for (int i = 0; i < 6; ++i) {
        const bool complex = is_complex_precision(p);
        const index lines = few[random_() % std::size(few)];
        index depth = deep[random_() % std::size(deep)];
        while (lines * depth > 140 * 140) depth /= 2;
        const auto rather = [&](double plain) {
          return random_() % 2 ? std::complex<double>(plain) : std::complex<double>(-0.5, complex ? 2 : 0);
        };
        c.alpha = rather(1), c.beta = rather(static_cast<double>(random_() % 2));
        const index length = 150 + static_cast<index>(random_() % 600);
        set_sizes(c, depth, i % 2 ? lines : length, i % 2 ? length : lines);
        run(c);
      }
}

/// GEMM of which two sizes are long and too deep to be small: whole panels and slivers may be read where they lie, but
/// for what is left of them; sums are rounded once and several times.
TEST_P(Large, FactorsThatLie) {
  if (GetParam() != Operation::Gemm) GTEST_SKIP() << "not GEMM";
  constexpr index few[] = {48, 65, 96, 97, 121, 150, 192, 193}, deep[] = {260, 384, 500, 1030},
                  lengths[] = {336, 401, 530};
  for (const Precision p : {Precision::Single, Precision::Double})
    for (Call c : variants(GetParam(), p))
      for (int i = 0; i < 8; ++i) {
        c.alpha = random_() % 2 ? 1 : -0.5, c.beta = random_() % 2;
        const index lines = few[random_() % std::size(few)], length = lengths[random_() % std::size(lengths)];
        set_sizes(c, deep[random_() % std::size(deep)], i % 2 ? lines : length, i % 2 ? length : lines);
        run(c);
      }
}

/// GEMM of so few rows or columns that neither factor is packed, whatever else is long: those that do and do not fill
/// vectors, lines that meet in a set of the cache, sums that are rounded once and several times.
TEST_P(Large, NarrowProducts) {
  if (GetParam() != Operation::Gemm) GTEST_SKIP() << "not GEMM";
  constexpr index lengths[] = {33, 65, 150, 400}, deep[] = {65, 130, 300, 700};
  for (const Precision p : all_precisions)
    for (Call c : variants(GetParam(), p))
      for (index few = 1; few <= 29; ++few) {
        const bool complex = is_complex_precision(p);
        const auto rather = [&](double plain) {
          return random_() % 2 ? std::complex<double>(plain) : std::complex<double>(-0.5, complex ? 2 : 0);
        };
        c.alpha = rather(1), c.beta = rather(static_cast<double>(random_() % 2));
        const index length = lengths[random_() % std::size(lengths)], depth = deep[random_() % std::size(deep)];
        const bool rows = random_() % 2;
        set_sizes(c, depth, rows ? few : length, rows ? length : few);
        for (index* const ld : {&c.lda, &c.ldb, &c.ldc}) *ld = random_() % 3 ? 0 : 1024;
        run(c);
      }
}

/// GEMM of one to eight rows or columns of any length, with sums that fill vectors or do not: lanes run along them or
/// down the longer factor, steps of the shorter one lie together or apart, and a row of C may be a column.
TEST_P(Large, FewLines) {
  if (GetParam() != Operation::Gemm) GTEST_SKIP() << "not GEMM";
  for (const Precision p : all_precisions)
    for (Call c : variants(GetParam(), p))
      for (int i = 0; i < 32; ++i) {
        const bool complex = is_complex_precision(p), rows = random_() % 2;
        const auto rather = [&](double plain) {
          return random_() % 2 ? std::complex<double>(plain) : std::complex<double>(-0.5, complex ? 2 : 0);
        };
        c.alpha = rather(1), c.beta = rather(static_cast<double>(random_() % 2));
        const index lines = 1 + i % 8, length = 2 + static_cast<index>(random_() % 300);
        const index depth = i % 3 == 0   ? 1 + static_cast<index>(random_() % 20)
                            : i % 3 == 1 ? 14 + static_cast<index>(random_() % 200)
                                         : 250 + static_cast<index>(random_() % 300);
        set_sizes(c, depth, rows ? lines : length, rows ? length : lines);
        for (index* const ld : {&c.lda, &c.ldb, &c.ldc}) *ld = random_() % 4 ? 0 : 1024;
        run(c, -1);
      }
}

/// Products of few steps with a C of a few vectors of rows, or less than one, and as many columns as repay holding the
/// first factor, or not: what was there dropped, kept and scaled, columns far apart and one right behind the other.
TEST_P(Large, HeldSteps) {
  if (GetParam() != Operation::Gemm) GTEST_SKIP() << "not GEMM";
  constexpr index many[] = {2, 5, 8, 9, 12, 13, 16, 17, 25, 31, 64, 77};
  for (const Precision p : {Precision::Single, Precision::Double})
    for (Call c : variants(GetParam(), p))
      for (index depth = 1; depth <= 7; ++depth)
        for (index few = 1; few <= 72; few += few < 20 ? 1 : 5) {
          c.alpha = random_() % 2 ? 1 : -0.5, c.beta = static_cast<double>(random_() % 3) / 2;
          const bool rows = random_() % 4 > 0;
          const index length = many[random_() % std::size(many)];
          set_sizes(c, depth, rows ? few : length, rows ? length : few);
          const index closest = c.layout == Layout::ColMajor ? c.m : c.n, lds[] = {closest, 0, 1024};
          c.ldc = lds[random_() % std::size(lds)];
          run(c, -1);
        }
}

/// Sums of few steps, by which columns of C are walked down, and of some more: columns that do and do not fill vectors,
/// shorter ones than a vector where a triangle ends, blocks of rows, lines that meet in a set of the cache.
TEST_P(Large, ShortSums) {
  const Operation op = GetParam();
  if (op != Operation::Gemm && !is_rank_k(op) && op != Operation::Symm && op != Operation::Hemm)
    GTEST_SKIP() << "not of sums that may be short";
  constexpr index lengths[] = {3, 9, 17, 18, 23, 31, 50, 65, 130, 257, 300, 521};
  for (const Precision p : all_precisions)
    for (Call c : variants(op, p))
      for (index depth = 1; depth <= 18; ++depth) {
        const bool complex = is_complex_precision(p) && op != Operation::Herk;
        const auto rather = [&](double plain) {
          return random_() % 2 ? std::complex<double>(plain) : std::complex<double>(-0.5, complex ? 2 : 0);
        };
        c.alpha = rather(1);
        c.beta = op == Operation::Her2k ? static_cast<double>(random_() % 3) - 1
                                        : rather(static_cast<double>(random_() % 2));
        const index steps = depth <= 9 ? depth : 9 + (depth - 9) * 3;
        const index length = lengths[random_() % std::size(lengths)];
        if (is_rank_k(op))
          set_sizes(c, length, steps, 1);
        else
          set_sizes(c, steps, length, lengths[random_() % std::size(lengths)]);
        for (index* const ld : {&c.lda, &c.ldb, &c.ldc}) *ld = random_() % 3 ? 0 : 1024;
        run(c, -1);
      }
}

/// The same where one factor comes from memory: whole pages of its columns and what is left of them.
TEST_P(Large, NarrowProductsFromMemory) {
  if (GetParam() != Operation::Gemm) GTEST_SKIP() << "not GEMM";
  constexpr index few[] = {1, 2, 3, 4, 5, 6, 8, 9, 16, 17};
  for (const Precision p : all_precisions)
    for (Call c : variants(GetParam(), p)) {
      if (random_() % 3) continue;
      const index order = order_of_far(p) + static_cast<index>(random_() % 70);
      c.alpha = random_() % 2 ? 1 : 0.5, c.beta = static_cast<double>(random_() % 3) - 1;
      const index lines = few[random_() % std::size(few)];
      const bool rows = random_() % 2;
      set_sizes(c, order, rows ? lines : order, rows ? order : lines);
      run(c);
    }
}

TEST_P(Large, ManyRightHandSides) {
  for (const Precision p : all_precisions) {
    if (variants(GetParam(), p).empty() || is_vector(GetParam())) continue;
    Call c = any_variant(p);
    set_sizes(c, 9, 66001, 11);
    run(c);
    set_sizes(c, 70, 5000, 40);
    run(c);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Large, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace trigon::test
