// Calls at the edge of what is allowed: products without an inner dimension, leading dimensions that nobody follows.
#include "clblas/memory.hpp"

#include <gtest/gtest.h>

namespace trigon::test {
namespace {

// Around what an index holds, in elements and in bytes.
constexpr size_t beyond[] = {size_t{1} << 59, size_t{1} << 60, ~size_t{0} / 2, ~size_t{0} / 2 + 1, ~size_t{0}};

template <class T>
class Edges : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Edges, Types);

/// C := beta C, whatever alpha, A and B are.
TYPED_TEST(Edges, GemmWithoutAnInnerDimension) {
  using T = TypeParam;
  OneQueue on;
  std::mt19937_64 random(1);
  const auto gemm = pick<T>(clblasSgemm, clblasDgemm, clblasCgemm, clblasZgemm);
  const clblas::Any alpha{std::numeric_limits<double>::quiet_NaN()};
  DeviceVector<T> tiny(on.native, {}, 1, 0);
  for (const clblasOrder order : {clblasRowMajor, clblasColumnMajor})
    for (const clblasTranspose op : {clblasNoTrans, clblasTrans, clblasConjTrans})
      for (const cl_mem memory : {cl_mem{}, tiny.memory})
        for (const double beta : {0.0, 1.0, -0.5}) {
          const auto before = random_values<T>(35, random);
          DeviceVector<T> c(on.native, before, 1, 3);
          cl_event done = nullptr;
          ASSERT_EQ(gemm(order, op, op, order == clblasRowMajor ? 7 : 5, order == clblasRowMajor ? 5 : 7, 0, alpha,
                         memory, ~size_t{0}, 0, memory, 1000, ~size_t{0}, clblas::Any{beta}, c.memory, 3, 5, 1,
                         &on.native, 0, nullptr, &done),
                    clblasSuccess)
              << trigon_clblas_message();
          must(clWaitForEvents(1, &done), "the event");
          clReleaseEvent(done);
          const auto after = c.read();
          for (std::size_t i = 0; i < after.size(); ++i) ASSERT_EQ(after[i], before[i] * real_t<T>(beta)) << beta;
        }
}

TEST(OneLine, HasAnyLeadingDimension) {
  OneQueue on;
  DeviceVector<double> a(on.native, {2, 1, 0, 4}, 1, 0), b(on.native, {3, 5}, 1, 1);
  for (const size_t ld : beyond) {
    DeviceVector<double> product(on.native, {1, 1}, 1, 2), row(on.native, {1, 1}, 1, 2), x(on.native, {3, 5}, 1, 1);
    // One column: a by b, and triangular with a.
    ASSERT_EQ(clblasDgemm(clblasColumnMajor, clblasNoTrans, clblasNoTrans, 2, 1, 2, 1, a.memory, 0, 2, b.memory, 1, ld,
                          1, product.memory, 2, ld, ONE_QUEUE),
              clblasSuccess)
        << trigon_clblas_message();
    EXPECT_EQ(product.read(), (std::vector<double>{7, 24}));
    ASSERT_EQ(clblasDtrmm(clblasColumnMajor, clblasLeft, clblasLower, clblasNoTrans, clblasNonUnit, 2, 1, 1, a.memory,
                          0, 2, x.memory, 1, ld, ONE_QUEUE),
              clblasSuccess)
        << trigon_clblas_message();
    EXPECT_EQ(x.read(), (std::vector<double>{6, 23}));
    ASSERT_EQ(clblasDtrsm(clblasColumnMajor, clblasLeft, clblasLower, clblasNoTrans, clblasNonUnit, 2, 1, 1, a.memory,
                          0, 2, x.memory, 1, ld, ONE_QUEUE),
              clblasSuccess)
        << trigon_clblas_message();
    EXPECT_EQ(x.read(), (std::vector<double>{3, 5}));
    // One row of a matrix: the transposed of b by a, and that row by b.
    ASSERT_EQ(clblasDsymm(clblasRowMajor, clblasRight, clblasUpper, 1, 2, 1, a.memory, 0, 2, b.memory, 1, ld, 1,
                          row.memory, 2, ld, ONE_QUEUE),
              clblasSuccess)
        << trigon_clblas_message();
    EXPECT_EQ(row.read(), (std::vector<double>{12, 24}));
    ASSERT_EQ(clblasDgemv(clblasRowMajor, clblasNoTrans, 1, 2, 1, b.memory, 1, ld, b.memory, 1, 1, 0, x.memory, 1, 1,
                          ONE_QUEUE),
              clblasSuccess)
        << trigon_clblas_message();
    EXPECT_EQ(x.read(), (std::vector<double>{34, 5}));
    ASSERT_EQ(clblasDtrsv(clblasRowMajor, clblasUpper, clblasNoTrans, clblasNonUnit, 1, a.memory, 0, ld, x.memory, 1, 1,
                          ONE_QUEUE),
              clblasSuccess)
        << trigon_clblas_message();
    EXPECT_EQ(x.read(), (std::vector<double>{17, 5}));
    EXPECT_TRUE(a.untouched() && b.untouched());
  }
}

}  // namespace
}  // namespace trigon::test
