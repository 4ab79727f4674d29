// The C++ door: every wrong argument is thrown by name and position, and nothing has been written.
#include "support/broken_calls.hpp"

#include <trigon/operands.hpp>
#include <trigon/trigon.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace trigon::test {
namespace {

class CppErrors : public testing::TestWithParam<Operation> {};

TEST_P(CppErrors, NameTheArgumentAndItsPosition) {
  for (const Precision p : all_precisions)
    for (const Layout layout : all_layouts)
      for (const BrokenCall& b : broken(plausible(GetParam(), p, layout))) {
        try {
          execute(b.call);
          ADD_FAILURE() << "accepted a wrong " << name(GetParam(), b.wrong) << ": " << to_text(b.call);
        } catch (const argument_error& e) {
          EXPECT_EQ(e.routine, routine(b.call));
          EXPECT_EQ(e.name, name(GetParam(), b.wrong));
          EXPECT_EQ(e.position, position(GetParam(), b.wrong, true));
          EXPECT_NE(std::string(e.what()).find(e.name), std::string::npos) << e.what();
        }
      }
}

TEST_P(CppErrors, WriteNothing) {
  for (const Precision p : all_precisions)
    with_type(p, [&](auto zero) {
      using T = decltype(zero);
      std::vector<T> a(64, T(2)), b(64, T(3)), c(64, T(4));
      const auto a0 = a, b0 = b, c0 = c;
      Call good = plausible(GetParam(), p, Layout::ColMajor);
      good.a = a.data(), good.b = b.data(), good.c = c.data();
      for (const BrokenCall& broken_call : broken(good)) {
        EXPECT_THROW(execute(broken_call.call), argument_error);
        EXPECT_EQ(a, a0);
        EXPECT_EQ(b, b0);
        EXPECT_EQ(c, c0);
      }
    });
}

INSTANTIATE_TEST_SUITE_P(All, CppErrors, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

/// The functions of blas.hpp, one per operation: do they put each argument where it belongs?
template <class T>
class CppDoor : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CppDoor, Types);

/// Calls the function of the door that belongs to `c`.
template <class T>
void through_the_door(const Call& c) {
  const T* a = static_cast<const T*>(c.a);
  T *b = static_cast<T*>(c.b), *r = static_cast<T*>(c.c);
  const T alpha = reference::scalar<T>(c.alpha), beta = reference::scalar<T>(c.beta);
  const auto real = [](std::complex<double> v) { return static_cast<real_t<T>>(v.real()); };
  switch (c.operation) {
    case Operation::Gemm:
      return gemm(c.layout, c.transa, c.transb, c.m, c.n, c.k, alpha, a, c.lda, b, c.ldb, beta, r, c.ldc);
    case Operation::Symm: return symm(c.layout, c.side, c.uplo, c.m, c.n, alpha, a, c.lda, b, c.ldb, beta, r, c.ldc);
    case Operation::Hemm: return hemm(c.layout, c.side, c.uplo, c.m, c.n, alpha, a, c.lda, b, c.ldb, beta, r, c.ldc);
    case Operation::Syrk: return syrk(c.layout, c.uplo, c.transa, c.n, c.k, alpha, a, c.lda, beta, r, c.ldc);
    case Operation::Herk:
      return herk(c.layout, c.uplo, c.transa, c.n, c.k, real(c.alpha), a, c.lda, real(c.beta), r, c.ldc);
    case Operation::Syr2k:
      return syr2k(c.layout, c.uplo, c.transa, c.n, c.k, alpha, a, c.lda, b, c.ldb, beta, r, c.ldc);
    case Operation::Her2k:
      return her2k(c.layout, c.uplo, c.transa, c.n, c.k, alpha, a, c.lda, b, c.ldb, real(c.beta), r, c.ldc);
    case Operation::Trmm: return trmm(c.layout, c.side, c.uplo, c.transa, c.diag, c.m, c.n, alpha, a, c.lda, b, c.ldb);
    case Operation::Trsm: return trsm(c.layout, c.side, c.uplo, c.transa, c.diag, c.m, c.n, alpha, a, c.lda, b, c.ldb);
    case Operation::Trmv: return trmv(c.layout, c.uplo, c.transa, c.diag, c.n, a, c.lda, b, c.incx);
    case Operation::Trsv: return trsv(c.layout, c.uplo, c.transa, c.diag, c.n, a, c.lda, b, c.incx);
  }
}

TYPED_TEST(CppDoor, PassesEveryArgument) {
  using T = TypeParam;
  for (const Operation op : all_operations())
    for (Call c : variants(op, precision_of<T>)) {
      c.m = 6, c.n = 5, c.k = 4;
      c.alpha = {0.5, is_complex<T> && op != Operation::Herk ? -1.0 : 0.0};
      c.beta = {-2, is_complex<T> && op != Operation::Herk && op != Operation::Her2k ? 0.25 : 0.0};
      c.incx = -2;
      Operands o(c);
      through_the_door<T>(o.call());
      const Verdict verdict = o.verify();
      EXPECT_TRUE(verdict.ok()) << to_text(c) << "\n" << verdict.words;
      EXPECT_EQ(o.intrusion(), "");
    }
}

TYPED_TEST(CppDoor, CountsTheLayoutInPositions) {
  using T = TypeParam;
  T x[4] = {};
  try {
    trsm(Layout::ColMajor, Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, 2, 2, 1, x, 1, x, 2);
    FAIL();
  } catch (const argument_error& e) {
    EXPECT_EQ(e.name, "lda");
    EXPECT_EQ(e.position, 10);
  }
}

}  // namespace
}  // namespace trigon::test
