// GEMV, SYMV, HEMV and the rank-1 and rank-2 updates: the same judge as for the product that each of them is.
#include "clblas/memory.hpp"

#include <trigon/verify.hpp>

#include <gtest/gtest.h>

namespace trigon::test {
namespace {

using clblas::Any;
using clblas::of;

constexpr int increments[] = {1, -1, 3, -2};
constexpr index sizes[][2] = {{1, 1}, {7, 3}, {17, 33}, {65, 20}, {40, 101}};

/// A product whose vectors are matrices of one column, before and after.
template <class T>
void expect_right(Call call, const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& before,
                  const std::vector<T>& after) {
  std::vector<T> x = b, y = before;
  call.a = a.data(), call.b = x.data(), call.c = y.data();
  const Verdict verdict = verify(call, after.data());
  EXPECT_TRUE(verdict.ok()) << to_text(call) << ": " << verdict.words;
}

template <class T>
Call one_column(Operation operation, Layout layout, index lda, index n, index k) {
  Call c;
  c.operation = operation, c.precision = precision_of<T>, c.layout = layout;
  c.lda = lda;
  c.ldb = layout == Layout::ColMajor ? k : 1;
  c.ldc = layout == Layout::ColMajor ? n : 1;
  return c;
}

template <class T>
class Level2 : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Level2, Types);

TYPED_TEST(Level2, Gemv) {
  using T = TypeParam;
  OneQueue on;
  std::mt19937_64 random(1);
  const auto routine = pick<T>(clblasSgemv, clblasDgemv, clblasCgemv, clblasZgemv);
  for (const Layout layout : all_layouts)
    for (const Op op : {Op::NoTrans, Op::Trans, Op::ConjTrans})
      for (const auto& [m, n] : sizes)
        for (const int incx : increments) {
          const int incy = increments[random() % 4];
          const index lda = (layout == Layout::ColMajor ? m : n) + 2, outer = layout == Layout::ColMajor ? n : m;
          const index nx = op == Op::NoTrans ? n : m, ny = op == Op::NoTrans ? m : n;
          const auto a = random_values<T>(lda * outer, random), x = random_values<T>(nx, random);
          const auto y = random_values<T>(ny, random);
          DeviceVector<T> da(on.native, a, 1, 5), dx(on.native, x, incx, 3), dy(on.native, y, incy, 2);
          Call c = one_column<T>(Operation::Gemm, layout, lda, ny, nx);
          c.transa = op, c.m = ny, c.n = 1, c.k = nx, c.alpha = 0.75, c.beta = random() % 3 == 0 ? 0 : -0.5;
          ASSERT_EQ(routine(of(layout), of(op), m, n, Any{c.alpha}, da.memory, da.offset, lda, dx.memory, dx.offset,
                            incx, Any{c.beta}, dy.memory, dy.offset, incy, 1, &on.native, 0, nullptr, nullptr),
                    clblasSuccess)
              << trigon_clblas_message();
          expect_right(c, a, x, y, dy.read());
          EXPECT_TRUE(dx.untouched() && da.untouched());
        }
}

TYPED_TEST(Level2, SymvOrHemv) {
  using T = TypeParam;
  OneQueue on;
  std::mt19937_64 random(2);
  const auto routine = pick<T>(clblasSsymv, clblasDsymv, clblasChemv, clblasZhemv);
  for (const Layout layout : all_layouts)
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
      for (const auto& [n, padding] : sizes)
        for (const int incx : increments) {
          const int incy = increments[random() % 4];
          const index lda = n + padding % 4;
          const auto a = random_values<T>(lda * n, random), x = random_values<T>(n, random);
          const auto y = random_values<T>(n, random);
          DeviceVector<T> da(on.native, a, 1, 5), dx(on.native, x, incx, 3), dy(on.native, y, incy, 2);
          Call c = one_column<T>(is_complex<T> ? Operation::Hemm : Operation::Symm, layout, lda, n, n);
          c.uplo = uplo, c.m = n, c.n = 1, c.alpha = -1.5, c.beta = 0.5;
          ASSERT_EQ(routine(of(layout), of(uplo), n, Any{c.alpha}, da.memory, da.offset, lda, dx.memory, dx.offset,
                            incx, Any{c.beta}, dy.memory, dy.offset, incy, 1, &on.native, 0, nullptr, nullptr),
                    clblasSuccess)
              << trigon_clblas_message();
          expect_right(c, a, x, y, dy.read());
        }
}

template <class T, class Routine>
void judge_ger(Routine routine, Op transposed) {
  OneQueue on;
  std::mt19937_64 random(3);
  for (const Layout layout : all_layouts)
    for (const auto& [m, n] : sizes)
      for (const int incx : increments) {
        const int incy = increments[random() % 4];
        const index lda = (layout == Layout::ColMajor ? m : n) + 1, outer = layout == Layout::ColMajor ? n : m;
        const auto a = random_values<T>(lda * outer, random), x = random_values<T>(m, random);
        const auto y = random_values<T>(n, random);
        DeviceVector<T> da(on.native, a, 1, 5), dx(on.native, x, incx, 3), dy(on.native, y, incy, 2);
        Call c = one_column<T>(Operation::Gemm, layout, layout == Layout::ColMajor ? m : 1, 0, n);
        c.transb = transposed, c.m = m, c.n = n, c.k = 1, c.alpha = 0.75, c.beta = 1, c.ldc = lda;
        ASSERT_EQ(routine(of(layout), m, n, Any{c.alpha}, dx.memory, dx.offset, incx, dy.memory, dy.offset, incy,
                          da.memory, da.offset, lda, 1, &on.native, 0, nullptr, nullptr),
                  clblasSuccess)
            << trigon_clblas_message();
        expect_right(c, x, y, a, da.read());
      }
}

TYPED_TEST(Level2, Ger) {
  judge_ger<TypeParam>(pick<TypeParam>(clblasSger, clblasDger, clblasCgeru, clblasZgeru), Op::Trans);
}
TYPED_TEST(Level2, Gerc) {
  judge_ger<TypeParam>(pick<TypeParam>(clblasSger, clblasDger, clblasCgerc, clblasZgerc), Op::ConjTrans);
}

TYPED_TEST(Level2, SyrOrHer) {
  using T = TypeParam;
  OneQueue on;
  std::mt19937_64 random(4);
  const auto routine = pick<T>(clblasSsyr, clblasDsyr, clblasCher, clblasZher);
  for (const Layout layout : all_layouts)
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
      for (const auto& [n, padding] : sizes)
        for (const int incx : increments) {
          const index lda = n + padding % 4;
          const auto a = random_values<T>(lda * n, random), x = random_values<T>(n, random);
          DeviceVector<T> da(on.native, a, 1, 5), dx(on.native, x, incx, 3);
          Call c = one_column<T>(is_complex<T> ? Operation::Herk : Operation::Syrk, layout, 0, n, n);
          c.uplo = uplo, c.n = n, c.k = 1, c.alpha = 0.75, c.beta = 1, c.ldc = lda;
          c.lda = layout == Layout::ColMajor ? n : 1;
          ASSERT_EQ(routine(of(layout), of(uplo), n, Any{c.alpha}, dx.memory, dx.offset, incx, da.memory, da.offset,
                            lda, 1, &on.native, 0, nullptr, nullptr),
                    clblasSuccess)
              << trigon_clblas_message();
          expect_right(c, x, x, a, da.read());
        }
}

TYPED_TEST(Level2, Syr2OrHer2) {
  using T = TypeParam;
  OneQueue on;
  std::mt19937_64 random(5);
  const auto routine = pick<T>(clblasSsyr2, clblasDsyr2, clblasCher2, clblasZher2);
  for (const Layout layout : all_layouts)
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
      for (const auto& [n, padding] : sizes)
        for (const int incx : increments) {
          const int incy = increments[random() % 4];
          const index lda = n + padding % 4;
          const auto a = random_values<T>(lda * n, random), x = random_values<T>(n, random);
          const auto y = random_values<T>(n, random);
          DeviceVector<T> da(on.native, a, 1, 5), dx(on.native, x, incx, 3), dy(on.native, y, incy, 1);
          Call c = one_column<T>(is_complex<T> ? Operation::Her2k : Operation::Syr2k, layout, 0, n, n);
          c.uplo = uplo, c.n = n, c.k = 1, c.alpha = {0.75, is_complex<T> ? 0.5 : 0}, c.beta = 1, c.ldc = lda;
          c.lda = c.ldb;
          ASSERT_EQ(routine(of(layout), of(uplo), n, Any{c.alpha}, dx.memory, dx.offset, incx, dy.memory, dy.offset,
                            incy, da.memory, da.offset, lda, 1, &on.native, 0, nullptr, nullptr),
                    clblasSuccess)
              << trigon_clblas_message();
          expect_right(c, x, y, a, da.read());
        }
}

/// As in BLAS: what alpha = 0 or beta = 0 make needless is not read, whether vectors are copied or not.
TEST(Level2, NoughtsHideNaNs) {
  OneQueue on;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int inc : increments) {
    DeviceVector<double> a(on.native, {1, 2, 3, 4}, 1, 1), x(on.native, {1, 1}, inc, 1);
    DeviceVector<double> nans(on.native, {nan, nan, nan, nan}, 1, 1), y(on.native, {nan, nan}, inc, 2);
    const auto gemv = [&](double alpha, cl_mem matrix, double beta) {
      return clblasDgemv(clblasRowMajor, clblasNoTrans, 2, 2, alpha, matrix, 1, 2, x.memory, 1, inc, beta, y.memory, 2,
                         inc, 1, &on.native, 0, nullptr, nullptr);
    };
    ASSERT_EQ(gemv(1, a.memory, 0), clblasSuccess);
    EXPECT_EQ(y.read(), (std::vector<double>{3, 7}));
    ASSERT_EQ(gemv(0, nans.memory, 2), clblasSuccess);
    EXPECT_EQ(y.read(), (std::vector<double>{6, 14}));
    ASSERT_EQ(gemv(1, nans.memory, 1), clblasSuccess);
    for (const double v : y.read()) EXPECT_TRUE(std::isnan(v));
  }
}

/// The older forms without offsets of A.
TEST(Level2, OlderNames) {
  OneQueue on;
  std::mt19937_64 random(6);
  const auto a = random_values<double>(12, random), x = random_values<double>(3, random);
  DeviceVector<double> da(on.native, a, 1, 0), dx(on.native, x, -2, 1), dy(on.native, {0, 0, 0, 0}, 2, 1);
  ASSERT_EQ(clAmdBlasDgemv(clblasColumnMajor, clblasNoTrans, 4, 3, 1, da.memory, 4, dx.memory, 1, -2, 0, dy.memory, 1,
                           2, 1, &on.native, 0, nullptr, nullptr),
            clblasSuccess);
  const auto first = dy.read();
  EXPECT_NEAR(first[0], a[0] * x[0] + a[4] * x[1] + a[8] * x[2], 1e-15);
  ASSERT_EQ(clAmdBlasDgemvEx(clblasColumnMajor, clblasNoTrans, 3, 3, 1, da.memory, 1, 4, dx.memory, 1, -2, 0, dy.memory,
                             1, 2, 1, &on.native, 0, nullptr, nullptr),
            clblasSuccess);
  EXPECT_EQ(dy.read()[0], first[1]);
  ASSERT_EQ(clAmdBlasDsymv(clblasRowMajor, clblasUpper, 3, 1, da.memory, 4, dx.memory, 1, -2, 0, dy.memory, 1, 2, 1,
                           &on.native, 0, nullptr, nullptr),
            clblasSuccess);
  EXPECT_NEAR(dy.read()[1], a[1] * x[0] + a[5] * x[1] + a[6] * x[2], 1e-15);
}

}  // namespace
}  // namespace trigon::test
