// alpha = 0 and beta = 0 overwrite without reading; empty problems touch nothing. The operands that may not
// be read are inaccessible pages or NaN, so reading one is a crash or a NaN in the result.
#include "support/harness.hpp"
#include "support/variants.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

namespace trigon::test {
namespace {

class Scalars : public testing::TestWithParam<Operation> {};

TEST_P(Scalars, ZeroMeansUnread) {
  for (const Precision p : all_precisions)
    for (const Call& v : variants(GetParam(), p))
      for (const double alpha : {0.0, 1.0, -0.5})
        for (const double beta : {0.0, 1.0, 2.0})
          for (const index order : {1, 7, 40}) {
            if (is_triangular(v.operation) && beta != 0) continue;
            Case c{v};
            set_sizes(c.call, order, 5, 6);
            c.call.alpha = alpha;
            c.call.beta = beta;
            const Outcome outcome = run_case([](const Call& call) { execute(call); }, c);
            ASSERT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
          }
}

TEST_P(Scalars, EmptyProblemsTouchNothing) {
  for (const Precision p : all_precisions)
    for (const Call& v : variants(GetParam(), p))
      for (const index m : {0, 3})
        for (const index n : {0, 4})
          for (const index k : {0, 2})
            for (const double beta : {0.0, 1.0, 0.5}) {
              if (m * n * k != 0) continue;
              Case c{v};
              c.call.m = m, c.call.n = n, c.call.k = k;
              c.call.beta = beta;
              const Outcome outcome = run_case([](const Call& call) { execute(call); }, c);
              ASSERT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
            }
}

/// The diagonal of a Hermitian matrix has imaginary parts of +0 on every path: -0 would turn an underflowed -0 into +0.
TEST(HermitianDiagonal, IsPositiveZero) {
  using Z = std::complex<double>;
  for (const Layout layout : {Layout::ColMajor, Layout::RowMajor})
    for (const index n : {2, 7, 20, 40, 70, 130})
      for (const index columns : {2, 60}) {
        std::vector<Z> a(static_cast<std::size_t>(n * n)), b(static_cast<std::size_t>(n * columns), Z(-1, 1));
        std::vector<Z> c(b.size(), Z(7, 7));
        for (index i = 0; i < n; ++i) a[static_cast<std::size_t>(i * (n + 1))] = Z(-1e-200, 5);
        b[0] = Z(1e-200, 1e-200);
        Call call;
        call.operation = Operation::Hemm, call.precision = Precision::ComplexDouble;
        call.layout = layout, call.uplo = Uplo::Upper, call.m = n, call.n = columns;
        call.a = a.data(), call.b = b.data(), call.c = c.data();
        call.lda = n, call.ldb = call.ldc = layout == Layout::ColMajor ? n : columns;
        execute(call);
        EXPECT_EQ(c[0].real(), 0);
        EXPECT_TRUE(std::signbit(c[0].real())) << to_text(call);
      }
}

/// A call given as such has scalars of double complex numbers: what the routine has no use for does not count, nor what
/// its precision does not hold.
TEST_P(Scalars, AreThoseThatTheRoutineTakes) {
  using Number = std::complex<double>;
  for (const Precision p : all_precisions)
    for (const Call& v : variants(GetParam(), p))
      for (const Number alpha : {Number(0, 1), Number(1, 2), Number(1e-60, 0), Number(0.5, -1e-60)})
        for (const Number beta : {Number(0, 1), Number(1e-60, 0), Number(1, 1)})
          for (const index order : {3, 40}) {
            if (is_triangular(v.operation) && beta != Number(1, 1)) continue;
            Case c{v};
            set_sizes(c.call, order, 5, 6);
            c.call.alpha = alpha, c.call.beta = beta;
            const Outcome outcome = run_case([](const Call& call) { execute(call); }, c);
            ASSERT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
          }
}

INSTANTIATE_TEST_SUITE_P(All, Scalars, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace trigon::test
