// The judge: it accepts what is right and rejects the smallest thing that is wrong.
#include "support/variants.hpp"

#include <trigon/operands.hpp>
#include <trigon/reference.hpp>
#include <trigon/verify.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace trigon::test {
namespace {

class Judge : public testing::TestWithParam<Operation> {
 protected:
  static Call sized(Call c) {
    c.m = 13;
    c.n = is_vector(c.operation) || is_rank_k(c.operation) ? 13 : 9;
    c.k = 6;
    c.alpha = c.operation == Operation::Herk ? Number(1.5) : Number(1.5, is_complex_precision(c.precision) ? -0.5 : 0);
    c.beta = 0.5;
    c.incx = -2;
    return c;
  }
  using Number = std::complex<double>;

  /// Calls `f(entry, i, j)` for one random entry of the result.
  template <class T, class F>
  void touch(const Operands& o, F f) {
    const Call& c = o.call();
    const index rows = is_rank_k(c.operation) || is_vector(c.operation) ? c.n : c.m,
                columns = is_vector(c.operation) ? 1 : c.n;
    index i = static_cast<index>(random_() % static_cast<unsigned>(rows));
    index j = static_cast<index>(random_() % static_cast<unsigned>(columns));
    if (is_rank_k(c.operation) && (i > j) != (c.uplo == Uplo::Lower)) std::swap(i, j);
    T* p = static_cast<T*>(o.result());
    T& entry = is_vector(c.operation)
                   ? reference::Strided<T>{p, c.n, c.incx}(i)
                   : reference::Stored<T>{p, is_triangular(c.operation) ? c.ldb : c.ldc, c.layout}(i, j);
    f(entry, i, j);
  }

  std::mt19937 random_{3};
};

TEST_P(Judge, AcceptsPlainArithmetic) {
  for (const Precision p : all_precisions)
    for (const Call& v : variants(GetParam(), p))
      for (const bool ill : {false, true}) {
        Operands o(sized(v), {.seed = random_(), .ill_conditioned = ill});
        reference::execute_plain(o.call());
        const Verdict verdict = o.verify();
        EXPECT_TRUE(verdict.ok()) << to_text(o.call()) << "\n" << verdict.words;
        EXPECT_EQ(o.intrusion(), "");
      }
}

TEST_P(Judge, RejectsOneEntryThatIsSlightlyOff) {
  for (const Precision p : all_precisions)
    for (const Call& v : variants(GetParam(), p))
      with_type(p, [&](auto zero) {
        using T = decltype(zero);
        using R = real_t<T>;
        Operands o(sized(v), {.seed = random_()});
        reference::execute(o.call());
        index row = 0, column = 0;
        touch<T>(o, [&](T& entry, index i, index j) {
          entry += T(2000 * std::numeric_limits<R>::epsilon() * (1 + std::abs(entry)));
          row = i;
          column = j;
        });
        const Verdict verdict = o.verify();
        EXPECT_FALSE(verdict.ok()) << to_text(o.call()) << " (" << row << ", " << column << ")";
        if (!is_solve(GetParam())) {
          EXPECT_EQ(verdict.row, row);
          EXPECT_EQ(verdict.column, column);
        }
      });
}

TEST_P(Judge, RejectsANanOfItsOwn) {
  for (const Precision p : all_precisions)
    for (const Call& v : variants(GetParam(), p))
      for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        with_type(p, [&](auto zero) {
          using T = decltype(zero);
          Operands o(sized(v), {.seed = random_()});
          reference::execute(o.call());
          touch<T>(o, [&](T& entry, index, index) { entry = T(static_cast<real_t<T>>(bad)); });
          EXPECT_FALSE(o.verify().ok()) << to_text(o.call());
        });
}

TEST_P(Judge, RejectsAMissingNan) {
  for (const Precision p : all_precisions)
    for (const Call& v : variants(GetParam(), p)) {
      Call c = sized(v);
      if (is_vector(c.operation)) c.n = 5;
      Operands o(c, {.seed = random_()});
      reference::execute(o.call());
      // The result of the clean operands, judged against operands with a NaN in a place that is always used.
      const index corner = is_triangular(c.operation) || is_rank_k(c.operation) || has_side(c.operation)
                               ? (c.uplo == Uplo::Lower ? 1 : 0)
                               : 0;
      o.plant(Argument::A, corner, is_triangular(c.operation) || has_side(c.operation) ? 1 - corner : 0,
              std::numeric_limits<double>::quiet_NaN());
      EXPECT_FALSE(o.verify().ok()) << to_text(o.call());
    }
}

INSTANTIATE_TEST_SUITE_P(All, Judge, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST(Judge, SamplesTheFirstAndTheLastLine) {
  for (const index i : {0, 199})
    for (const index j : {0, 149}) {
      Operands o(parse_call("dgemm m=200 n=150 k=3 beta=1"));
      reference::execute(o.call());
      EXPECT_TRUE(o.verify({.lines = 2}).ok());
      static_cast<double*>(o.result())[i + j * o.call().ldc] += 1e-9;
      EXPECT_FALSE(o.verify({.lines = 2}).ok());
    }
}

/// A product with the pivot is no number, so the sum says nothing.
TEST(Judge, RejectsAnEntryAtAnInfinitePivotThatIsNotZero) {
  for (const char* text : {"dtrsm m=6 n=2", "dtrsm m=2 n=6 side=R uplo=U", "dtrsv n=6"}) {
    Operands o(parse_call(text), {.protect = false});
    o.plant(Argument::A, 5, 5, std::numeric_limits<double>::infinity());
    reference::execute_plain(o.call());
    double& x = static_cast<double*>(o.result())[o.call().side == Side::Right ? 5 * o.call().ldb : 5];
    EXPECT_EQ(x, 0) << text;
    EXPECT_TRUE(o.verify().ok()) << text;
    x = 1;
    EXPECT_FALSE(o.verify().ok()) << text;
  }
}

TEST(Judge, KeepsSubnormals) {
  Operands o(parse_call("dtrmm m=1 n=1 diag=N"), {.protect = false});
  o.plant(Argument::A, 0, 0, 0x1p-1000);
  o.plant(Argument::B, 0, 0, 0x1p-60);
  static_cast<double*>(o.result())[0] = 0x1p-1060;
  EXPECT_TRUE(o.verify().ok());
  static_cast<double*>(o.result())[0] = 0;
  EXPECT_FALSE(o.verify().ok());
}

}  // namespace
}  // namespace trigon::test
