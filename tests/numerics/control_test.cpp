// The floating-point environment is the caller's: whatever it is, a call leaves it as it was, works in it, and
// traps nothing that the data do not explain.
#include "support/harness.hpp"
#include "support/variants.hpp"

#include <trigon/inspect.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cfloat>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace trigon::test {
namespace {

class Control : public testing::TestWithParam<Operation> {
 protected:
  void TearDown() override { std::fesetenv(FE_DFL_ENV); }

  static std::vector<Call> calls(Operation op) {
    std::vector<Call> list;
    for (const Precision p : all_precisions)
      for (Call c : variants(op, p))
        for (const auto& [order, others] : {std::pair<index, index>{5, 3}, {70, 30}, {300, 5}}) {
          if (order == 300 && c.layout == Layout::RowMajor) continue;
          set_sizes(c, order, others, others);
          c.beta = 0.5;
          list.push_back(c);
        }
    return list;
  }
};

TEST_P(Control, RoundingModesSurvive) {
  for (const Call& c : calls(GetParam()))
    for (const int mode : {FE_UPWARD, FE_TOWARDZERO}) {
      Operands o(c);
      ASSERT_EQ(std::fesetround(mode), 0);
      const std::vector<unsigned> before = control_state();
      execute(o.call());
      const std::vector<unsigned> after = control_state();
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(before, after) << to_text(c);
      // A directed rounding errs by up to twice the unit roundoff.
      EXPECT_LE(o.verify({.lines = 3}).ratio, 2) << to_text(c);
    }
}

#if defined(__GLIBC__) && defined(__x86_64__)
TEST_P(Control, TrapsDoNotFire) {
  for (const Call& c : calls(GetParam())) {
    Operands o(c);
    std::feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);  // as -ffpe-trap does for Fortran programs
    execute(o.call());
    fedisableexcept(FE_ALL_EXCEPT);
    EXPECT_TRUE(o.verify({.lines = 3}).ok()) << to_text(c);
  }
}
#endif

/// Of a call on these operands none is forgotten. (The harness clears them before every call, so that it sees what is
/// raised.)
void expect_flags_to_stay(Operands& o) {
  std::feraiseexcept(FE_ALL_EXCEPT);
  execute(o.call());
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), FE_ALL_EXCEPT) << to_text(o.call());
}

TEST_P(Control, FlagsThatWereSetStaySet) {
  for (const Call& c : calls(GetParam())) {
    Operands o(c);
    expect_flags_to_stay(o);
  }
}

/// Calls that threads share; products of entries that are all the same sum, whichever thread computes them.
class ControlOfWorkers : public testing::Test {
 protected:
  // Enough for several threads either way; plain loops take long.
  const index n = cpu_info().target == "scalar" ? 200 : 600;
  std::vector<double> a_ = std::vector<double>(static_cast<std::size_t>(n * n)), b_ = a_, c_ = a_;

  void SetUp() override {
    if (explain(parse_call("dgemm m=600 n=600 k=600")).backend != "cpu") GTEST_SKIP() << "not on this processor";
  }
  void TearDown() override { std::fesetenv(FE_DFL_ENV); }

  void multiply() {
    Call call;
    call.operation = Operation::Gemm, call.precision = Precision::Double;
    call.m = call.n = call.k = call.lda = call.ldb = call.ldc = n;
    call.a = a_.data(), call.b = b_.data(), call.c = c_.data();
    execute(call);
  }
  void expect_equal() {
    for (const double entry : c_) ASSERT_EQ(entry, c_[0]);
  }
};

TEST_F(ControlOfWorkers, RoundingIsTheCallers) {
  std::fill(a_.begin(), a_.end(), 0.1), std::fill(b_.begin(), b_.end(), 0.1);
  multiply();
  const double nearest = c_[0];
  expect_equal();
  std::fesetround(FE_UPWARD);
  multiply();
  std::fesetround(FE_TONEAREST);
  expect_equal();
  EXPECT_GT(c_[0], nearest);
  multiply();
  expect_equal();
  EXPECT_EQ(c_[0], nearest);
}

#ifdef __x86_64__
TEST_F(ControlOfWorkers, SubnormalsAreTheCallers) {
  std::fill(a_.begin(), a_.end(), 1e-160), std::fill(b_.begin(), b_.end(), 1e-160);
  constexpr unsigned flush = 0x8040;
  _mm_setcsr(_mm_getcsr() | flush);
  multiply();
  _mm_setcsr(_mm_getcsr() & ~flush);
  for (const double entry : c_) ASSERT_EQ(entry, 0);
  multiply();
  expect_equal();
  EXPECT_GT(c_[0], 0);
}
#endif

TEST_F(ControlOfWorkers, FlagsThatWereSetStaySet) {
  for (const Operation op : all_operations()) {
    Call c = variants(op, is_hermitian(op) ? Precision::ComplexDouble : Precision::Double).front();
    set_sizes(c, n, n, n);
    c.beta = 0.5;
    Operands o(c);
    expect_flags_to_stay(o);
  }
}

/// Of the last columns alone, which the caller leaves to others where there are some.
TEST_F(ControlOfWorkers, ExceptionsReachTheCaller) {
  std::fill(a_.begin(), a_.end(), 1e200), std::fill(b_.begin(), b_.end(), 1);
  multiply();
  EXPECT_FALSE(std::fetestexcept(FE_OVERFLOW));
  for (const bool last : {false, true}) {
    std::fill(b_.begin(), b_.end(), 1);
    std::fill_n(last ? b_.end() - n : b_.begin(), n, 1e200);
    std::feclearexcept(FE_ALL_EXCEPT);
    multiply();
    EXPECT_TRUE(std::fetestexcept(FE_OVERFLOW));
  }
}

/// Large elements and larger pivots: what is divided late, or not at all in lanes that do not count, overflows.
TEST(ControlOfSmallSolves, OfWellScaledTrianglesRaisesNoFlag) {
  for (const Operation op : {Operation::Trsv, Operation::Trsm})
    for (const Precision p : all_precisions)
      for (Call c : variants(op, p))
        for (const index order : {2, 3, 5, 8, 9, 12, 13, 17, 33}) {
          if (c.diag == Diag::Unit) continue;
          set_sizes(c, order, 1, 1);
          with_type(p, [&]<class T>(T) {
            const double size = std::is_same_v<real_t<T>, float> ? 1e6 : 1e100;
            std::vector<T> a(static_cast<std::size_t>(order * order), T(static_cast<real_t<T>>(size)));
            for (index i = 0; i < order; ++i)
              a[static_cast<std::size_t>(i * (order + 1))] =
                  T(static_cast<real_t<T>>(size * 2 * static_cast<double>(order)));
            std::vector<T> b(a.size(), T(1));
            Call call = c;
            call.a = a.data(), call.b = b.data(), call.lda = call.ldb = order;
            std::feclearexcept(FE_ALL_EXCEPT);
            execute(call);
            EXPECT_FALSE(std::fetestexcept(FE_OVERFLOW | FE_INVALID | FE_DIVBYZERO)) << to_text(call);
          });
        }
}

/// What the diagonal of a Hermitian result holds as imaginary parts is not referenced: it raises no flag either.
template <class R>
void expect_no_flag_of_diagonals(Call call, R imaginary) {
  using T = std::complex<R>;
  const index n = call.n, k = call.k;
  std::vector<T> a(static_cast<std::size_t>(n * k), T(0.5, -1)), b(a.size(), T(1, 0.25));
  std::vector<T> c(static_cast<std::size_t>(n * n), T(1, 1));
  for (index i = 0; i < n; ++i) c[static_cast<std::size_t>(i * (n + 1))].imag(imaginary);
  call.precision = precision_of<T>;
  call.a = a.data(), call.b = b.data(), call.c = c.data();
  call.lda = call.ldb = call.layout == Layout::ColMajor ? n : k, call.ldc = n;
  std::feclearexcept(FE_ALL_EXCEPT);
  execute(call);
  EXPECT_FALSE(std::fetestexcept(FE_OVERFLOW | FE_INVALID)) << to_text(call);
  for (index i = 0; i < n; ++i) EXPECT_EQ(c[static_cast<std::size_t>(i * (n + 1))].imag(), 0);
}

TEST(ControlOfHermitianDiagonals, OfTheResultRaisesNoFlag) {
  const auto each = [](auto imaginary) {
    for (const Operation op : {Operation::Herk, Operation::Her2k})
      for (const Layout layout : {Layout::ColMajor, Layout::RowMajor})
        for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
          for (const index n : {1, 3, 8, 13, 21, 70})
            for (const index k : {1, 2, 60})
              for (const int beta : {1, 2}) {
                Call call;
                call.operation = op, call.layout = layout, call.uplo = uplo;
                call.n = n, call.k = k, call.beta = beta;
                expect_no_flag_of_diagonals(call, imaginary);
              }
  };
  each(FLT_MAX), each(DBL_MAX);
  each(std::numeric_limits<float>::signaling_NaN()), each(std::numeric_limits<double>::signaling_NaN());
}

/// Sums that overflow but for what they are added to: lanes that hold them and are not written have nothing there.
TEST(ControlOfOtherLanes, SumsOfThemRaiseNoFlag) {
  if (cpu_info().target == "scalar") GTEST_SKIP() << "rounds the product with alpha by itself";
  for (const Operation op : {Operation::Gemm, Operation::Syrk})
    for (const Precision p : {Precision::Single, Precision::Double})
      for (Call c : variants(op, p))
        for (const index order : {1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 19, 21, 23, 29, 31, 35, 45, 70})
          for (const auto& [depth, half_of_log] : {std::pair<index, int>{1, 0}, {4, 1}, {16, 2}, {64, 3}, {256, 4}}) {
            const bool is_long = depth > 64;
            if (is_long && order != 17 && order != 70) continue;
            c.m = order, c.n = is_rank_k(op) ? order : order % 2 != 0 ? 20 : 12, c.k = depth;
            with_type(p, [&]<class T>(T) {
              using R = real_t<T>;
              const index ld = is_long ? depth : 70;
              // Sums of a quarter of the least number that is too large, old entries of minus its half.
              const int half = std::numeric_limits<R>::max_exponent / 2 - 1;
              std::vector<T> a(static_cast<std::size_t>(ld * ld), T(std::ldexp(R(1), half - half_of_log))), b = a;
              std::vector<T> entries(a.size(), T(-std::ldexp(R(1), 2 * half + 1)));
              Call call = c;
              call.alpha = 4, call.beta = 1;
              call.a = a.data(), call.b = b.data(), call.c = entries.data();
              call.lda = call.ldb = call.ldc = ld;
              std::feclearexcept(FE_ALL_EXCEPT);
              execute(call);
              EXPECT_FALSE(std::fetestexcept(FE_OVERFLOW | FE_INVALID)) << to_text(call);
              EXPECT_EQ(entries[0], T(std::ldexp(R(1), 2 * half + 1))) << to_text(call);
            });
          }
}

INSTANTIATE_TEST_SUITE_P(All, Control, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace trigon::test
