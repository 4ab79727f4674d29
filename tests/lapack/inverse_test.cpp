// getri: residuals entry by entry in higher precision, what is written, and failures.
#include "lapack/general.hpp"
#include "lapack/refusal.hpp"

#include <trigon/lapack.hpp>

#include <cstdint>

namespace trigon::test {
namespace {

using reference::times;
using reference::wide_t;

template <class T>
class Inverse : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Inverse, Types);

/// |X A - I| <= 3 bound |X| |P^T L U|, whatever the condition: the sum of trtri's, getrf's and the solve's.
template <class T>
void expect_small_residual(const Matrix<T>& a, const Matrix<T>& f, const std::vector<std::int32_t>& pivots,
                           const Matrix<T>& x) {
  using W = wide_t<T>;
  const index n = a.rows();
  const auto lu = sizes_of_factors(f, pivots);
  for (index j = 0; j < n; ++j)
    for (index i = 0; i < n; ++i) {
      W sum = i == j ? W(-1) : W(0);
      double sizes = 0;
      for (index l = 0; l < n; ++l) {
        sum += times(W(x(i, l)), W(a(l, j)));
        sizes += size(x(i, l)) * lu[static_cast<std::size_t>(l + j * n)];
      }
      ASSERT_LE(size(sum), 3 * bound<T>(n) * sizes) << i << ", " << j;
    }
}

TYPED_TEST(Inverse, HasTheResidualOfLapacks) {
  using T = TypeParam;
  for (const Layout layout : layouts)
    for (const index n : {0, 1, 2, 7, 8, 9, 33, 63, 64, 65, 100, 128, 129, 150})
      for (const bool ill : {false, true}) {
        SCOPED_TRACE(std::string(1, static_cast<char>(layout)) + " " + std::to_string(n) + (ill ? " ill" : ""));
        const Matrix<T> a = random<T>(layout, n, n), x = random<T>(layout, n, n);
        for (const auto* m : {&a, &x})  // columns from 1 down to 1e-4
          for (index j = 0; ill && j < n; ++j)
            for (index i = 0; i < n; ++i)
              (*m)(i, j) *= static_cast<real_t<T>>(std::pow(1e-4, static_cast<double>(j) / static_cast<double>(n)));
        std::vector<std::int32_t> pivots(static_cast<std::size_t>(n));
        ASSERT_EQ(getrf(layout, n, n, x.data(), x.lda(), pivots.data()), 0);
        const Matrix<T> f(layout, n, n);
        for (index j = 0; j < n; ++j)
          for (index i = 0; i < n; ++i) f(i, j) = x(i, j);
        ASSERT_EQ(getri(layout, n, x.data(), x.lda(), pivots.data()), 0);
        EXPECT_TRUE(same_but_for(a.content(), x.content(), all_places(x)));
        expect_small_residual(a, f, pivots, x);
        // 64-bit pivots, the same bits.
        const std::vector<std::int64_t> wide(pivots.begin(), pivots.end());
        ASSERT_EQ(getri(layout, n, f.data(), f.lda(), wide.data()), 0);
        EXPECT_TRUE(same_but_for(x.content(), f.content(), std::vector<bool>(x.content().size())));
      }
}

TYPED_TEST(Inverse, AZeroPivotIsNamedAndNothingWritten) {
  using T = TypeParam;
  for (const Layout layout : layouts)
    for (const index n : {1, 9, 70})
      for (const index zero : {index{0}, n / 2, n - 1}) {
        const Matrix<T> a = random<T>(layout, n, n);
        a(zero, zero) = a(n - 1, n - 1) = T(0);
        const auto before = a.content();
        const std::vector<std::int64_t> pivots(static_cast<std::size_t>(n), n);
        EXPECT_EQ(getri(layout, n, a.data(), a.lda(), pivots.data()), zero + 1);
        EXPECT_TRUE(same_but_for(before, a.content(), std::vector<bool>(before.size())));
      }
}

TYPED_TEST(Inverse, NothingMayBeANullPointer) {
  for (const Layout layout : layouts) EXPECT_EQ((getri<TypeParam, std::int32_t>(layout, 0, nullptr, 1, nullptr)), 0);
}

TYPED_TEST(Inverse, NameABadArgument) {
  using T = TypeParam;
  std::vector<T> a(24, T(3));
  std::vector<std::int32_t> p(4, 1);
  const auto a0 = a;
  T* const null = nullptr;
  std::int32_t* const none = nullptr;
  constexpr Layout c = Layout::ColMajor;
  expect_refusal<T>("layout", 1, [&] { (void)getri(Layout('x'), 4, a.data(), 4, p.data()); });
  expect_refusal<T>("n", 2, [&] { (void)getri(c, -4, a.data(), 4, p.data()); });
  expect_refusal<T>("A", 3, [&] { (void)getri(c, 4, null, 4, p.data()); });
  expect_refusal<T>("lda", 4, [&] { (void)getri(c, 4, a.data(), 3, p.data()); });
  expect_refusal<T>("ipiv", 5, [&] { (void)getri(c, 4, a.data(), 4, none); });
  EXPECT_EQ(a, a0);
}

}  // namespace
}  // namespace trigon::test
