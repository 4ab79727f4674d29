// The rules for arguments: every wrong one is named, the first of several wins, valid calls pass.
#include "support/broken_calls.hpp"

#include <gtest/gtest.h>

namespace trigon::test {
namespace {

class Rules : public testing::TestWithParam<Operation> {};

TEST_P(Rules, AcceptEveryVariant) {
  for (const Precision p : all_precisions)
    for (const Call& v : variants(GetParam(), p)) {
      Call c = plausible(v.operation, p, v.layout);
      c.side = v.side, c.uplo = v.uplo, c.transa = v.transa, c.transb = v.transb, c.diag = v.diag;
      EXPECT_EQ(check(c), Argument::None) << to_text(c);
      c.m = c.n = c.k = 0;
      c.lda = c.ldb = c.ldc = 1;
      c.a = c.b = c.c = nullptr;
      EXPECT_EQ(check(c), Argument::None) << to_text(c) << " with nothing in it";
    }
}

TEST_P(Rules, NameTheWrongArgument) {
  for (const Precision p : all_precisions)
    for (const Layout layout : all_layouts)
      for (const BrokenCall& b : broken(plausible(GetParam(), p, layout))) {
        EXPECT_EQ(check(b.call), b.wrong) << routine(b.call) << " " << name(GetParam(), b.wrong);
        EXPECT_FALSE(complaint(b.call, b.wrong).empty());
      }
}

TEST_P(Rules, ReportTheFirstOfTwoInColumnMajorOrder) {
  const auto all = broken(plausible(GetParam(), Precision::Double, Layout::ColMajor));
  const auto pointer = [](Argument a) {
    return a == Argument::A || a == Argument::B || a == Argument::C || a == Argument::X;
  };
  for (std::size_t i = 1; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const Argument first = all[i].wrong, second = all[j].wrong;
      // Null pointers are no errors to netlib: they are looked at after everything else.
      if (first == second || pointer(first) != pointer(second)) continue;
      Call both = all[i].call;
      const Call& other = all[j].call;
      switch (second) {
        case Argument::Uplo: both.uplo = other.uplo; break;
        case Argument::TransA: both.transa = other.transa; break;
        case Argument::TransB: both.transb = other.transb; break;
        case Argument::Diag: both.diag = other.diag; break;
        case Argument::M: both.m = other.m; break;
        case Argument::N: both.n = other.n; break;
        case Argument::K: both.k = other.k; break;
        case Argument::Lda: both.lda = other.lda; break;
        case Argument::Ldb: both.ldb = other.ldb; break;
        case Argument::Ldc: both.ldc = other.ldc; break;
        case Argument::Incx: both.incx = other.incx; break;
        case Argument::B:
        case Argument::X: both.b = other.b; break;
        case Argument::C: both.c = other.c; break;
        default: continue;
      }
      EXPECT_EQ(check(both), first) << name(GetParam(), first) << " and " << name(GetParam(), second);
    }
}

TEST_P(Rules, HaveThePositionsOfNetlib) {
  const auto order = parameters(GetParam());
  for (std::size_t i = 0; i < order.size(); ++i) {
    EXPECT_EQ(position(GetParam(), order[i], false), static_cast<int>(i) + 1);
    EXPECT_EQ(position(GetParam(), order[i], true), static_cast<int>(i) + 2);
  }
  EXPECT_EQ(position(GetParam(), Argument::Layout, true), 1);
}

TEST_P(Rules, TakeTheSmallestLeadingDimension) {
  for (Call c : variants(GetParam(), Precision::ComplexSingle)) {
    c.m = 7, c.n = 4, c.k = 2;
    c.a = c.b = c.c = reinterpret_cast<void*>(64);
    const auto least = [&](Argument operand) {
      const Extent e = extent(c, operand);
      return c.layout == Layout::ColMajor ? e.rows : e.cols;
    };
    c.lda = least(Argument::A);
    c.ldb = least(Argument::B);
    c.ldc = least(Argument::C);
    EXPECT_EQ(check(c), Argument::None) << to_text(c);
    --c.lda;
    EXPECT_EQ(check(c), Argument::Lda) << to_text(c);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Rules, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

/// Rank-k updates have no m, and doors leave it at 0: a null factor must be seen all the same.
TEST(NullFactors, OfRankKUpdatesAreSeenWithoutAnM) {
  for (const Operation op : {Operation::Syrk, Operation::Herk, Operation::Syr2k, Operation::Her2k}) {
    Call c = plausible(op, Precision::ComplexDouble, Layout::ColMajor);
    c.m = 0;
    EXPECT_EQ(check(c), Argument::None);
    c.a = nullptr;
    EXPECT_EQ(check(c), Argument::A) << name(op);
    c.alpha = 0;  // then A is not read
    EXPECT_EQ(check(c), Argument::None) << name(op);
  }
}

TEST(Positions, AreNetlibsForTheKnownOnes) {
  EXPECT_EQ(position(Operation::Trsm, Argument::Ldb, false), 11);
  EXPECT_EQ(position(Operation::Trmm, Argument::Lda, false), 9);
  EXPECT_EQ(position(Operation::Gemm, Argument::Ldc, false), 13);
  EXPECT_EQ(position(Operation::Symm, Argument::Ldc, false), 12);
  EXPECT_EQ(position(Operation::Syrk, Argument::Ldc, false), 10);
  EXPECT_EQ(position(Operation::Her2k, Argument::Ldb, false), 9);
  EXPECT_EQ(position(Operation::Trsv, Argument::Incx, false), 8);
}

}  // namespace
}  // namespace trigon::test
