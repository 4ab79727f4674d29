// getrf, getrs, gesv and trtrs: residuals entry by entry in higher precision, pivots, what is written, and failures.
#include "lapack/general.hpp"
#include "lapack/matrix.hpp"
#include "lapack/refusal.hpp"

#include <trigon/blas.hpp>
#include <trigon/lapack.hpp>

#include <cstdint>

namespace trigon::test {
namespace {

using reference::conjugate;
using reference::times;
using reference::wide_t;

template <class T>
class Lu : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Lu, Types);

const std::pair<index, index> shapes[] = {{0, 0},   {0, 20},    {20, 0},   {0, 3},   {3, 0},   {1, 1},     {1, 9},
                                          {9, 1},   {7, 7},     {8, 8},    {9, 9},   {8, 20},  {20, 8},    {16, 17},
                                          {17, 16}, {33, 33},   {64, 64},  {65, 30}, {30, 65}, {100, 100}, {150, 3},
                                          {3, 150}, {129, 129}, {1000, 8}, {301, 21}};

/// The largest |P A - L U|, in units of the bound; `a` before, `f` after.
template <class T, class Int>
double residual(const Matrix<T>& a, const Matrix<T>& f, const std::vector<Int>& pivots) {
  using W = wide_t<T>;
  const auto order = order_of(pivots, a.rows());
  const index least = std::min(a.rows(), a.cols());
  double worst = 0;
  for (index j = 0; j < a.cols(); ++j)
    for (index i = 0; i < a.rows(); ++i) {
      W sum = -W(a(order[static_cast<std::size_t>(i)], j));
      double sizes = 0;
      for (index l = 0; l <= std::min({i, j, least - 1}); ++l) {
        const W term = l == i ? W(f(i, j)) : times(W(f(i, l)), W(f(l, j)));
        sum += term, sizes += size(term);
      }
      if (!(size(sum) <= bound<T>(least) * sizes)) worst = std::max(worst, size(sum) / (bound<T>(least) * sizes));
      if (std::isnan(size(sum))) worst = 1e9;
    }
  return worst;
}

TYPED_TEST(Lu, IsBackwardStable) {
  using T = TypeParam;
  for (const Layout layout : layouts)
    for (const auto& [m, n] : shapes) {
      SCOPED_TRACE(std::string(1, static_cast<char>(layout)) + " " + std::to_string(m) + " x " + std::to_string(n));
      const Matrix<T> a = random<T>(layout, m, n), f = random<T>(layout, m, n);
      std::vector<std::int32_t> pivots(static_cast<std::size_t>(std::min(m, n)));
      ASSERT_EQ(getrf(layout, m, n, f.data(), f.lda(), pivots.data()), 0);
      EXPECT_TRUE(same_but_for(a.content(), f.content(), all_places(f)));
      for (index i = 0; i < std::min(m, n); ++i) {
        ASSERT_GT(pivots[static_cast<std::size_t>(i)], i);
        ASSERT_LE(pivots[static_cast<std::size_t>(i)], m);
      }
      EXPECT_LE(residual(a, f, pivots), 1);
      // Pivots are the largest of their columns.
      for (index j = 0; j < std::min(m, n); ++j)
        for (index i = j + 1; i < m; ++i) ASSERT_LE(size(f(i, j)), is_complex<T> ? 1.5 : 1.0001);
      // 64-bit pivots, the same bits.
      const Matrix<T> again = random<T>(layout, m, n);
      std::vector<std::int64_t> wide(pivots.size());
      ASSERT_EQ(getrf(layout, m, n, again.data(), again.lda(), wide.data()), 0);
      EXPECT_TRUE(same_but_for(f.content(), again.content(), std::vector<bool>(f.content().size())));
      EXPECT_TRUE(std::equal(pivots.begin(), pivots.end(), wide.begin()));
    }
}

/// Short columns, long ones by vectors, and rows: what 8 columns are factored by must not be seen.
TYPED_TEST(Lu, LeavesRoundAlike) {
  using T = TypeParam;
  using R = real_t<T>;
  constexpr R inf = std::numeric_limits<R>::infinity(), nan = std::numeric_limits<R>::quiet_NaN(),
              least = std::numeric_limits<R>::min() / 4;
  const std::vector<R> ties{-2, -1, -0.0, 0, 1, 2}, special{0, -0.0, 1, -1, 1, -1, 2, 3, inf, -inf, nan},
      subnormal{least, -least, 3 * least / 4, 0};
  std::mt19937 random(1);
  const auto same = [](R x, R y) { return std::isnan(x) ? std::isnan(y) : std::memcmp(&x, &y, sizeof x) == 0; };
  for (const index m : {1, 2, 7, 8, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 31, 32, 33, 100})
    for (const index n : {1, 2, 3, 4, 5, 6, 7, 8})
      for (const auto* numbers : {&ties, &special, &subnormal, static_cast<const std::vector<R>*>(nullptr)}) {
        const Matrix<T> a = test::random<T>(Layout::ColMajor, m, n), b(Layout::RowMajor, m, n);
        for (index j = 0; j < n; ++j)
          for (index i = 0; i < m; ++i) {
            if (numbers) a(i, j) = T((*numbers)[random() % numbers->size()]);
            b(i, j) = a(i, j);
          }
        std::vector<std::int32_t> of_a(static_cast<std::size_t>(std::min(m, n))), of_b(of_a);
        ASSERT_EQ(getrf(Layout::ColMajor, m, n, a.data(), a.lda(), of_a.data()),
                  getrf(Layout::RowMajor, m, n, b.data(), b.lda(), of_b.data()));
        ASSERT_EQ(of_a, of_b) << m << " x " << n;
        for (index j = 0; j < n; ++j)
          for (index i = 0; i < m; ++i)
            ASSERT_TRUE(same(std::real(a(i, j)), std::real(b(i, j))) && same(std::imag(a(i, j)), std::imag(b(i, j))))
                << m << " x " << n << ": " << i << ", " << j;
      }
}

/// The first of the largest; a NaN only if it is the first of all. Wherever it lies in a vector.
TYPED_TEST(Lu, PivotsOfLongColumns) {
  using T = TypeParam;
  const T nan = Matrix<T>::poison();
  for (const Layout layout : layouts)
    for (const index m : {17, 40, 41, 43, 90})
      for (const index column : {0, 1, 5})
        for (index place = column; place < m; ++place) {
          const Matrix<T> a = random<T>(layout, m, column + 1);
          for (index j = 0; j < column; ++j)
            for (index i = 0; i < m; ++i) a(i, j) = T(i == j);  // nothing to exchange or to subtract
          a(place, column) = T(-7), a(m - 1, column) = T(7);
          if (place > column + 1) a(column + 1, column) = nan;
          std::vector<std::int32_t> pivots(static_cast<std::size_t>(column) + 1);
          const Matrix<T> b = a.copy();
          EXPECT_EQ(getrf(layout, m, column + 1, a.data(), a.lda(), pivots.data()), 0);
          ASSERT_EQ(pivots.back(), place + 1) << m << ' ' << column;
          b(column, column) = nan;
          EXPECT_EQ(getrf(layout, m, column + 1, b.data(), b.lda(), pivots.data()), 0);
          ASSERT_EQ(pivots.back(), column + 1) << m << ' ' << column;
        }
}

TYPED_TEST(Lu, LargeOnesByThreads) {
  using T = TypeParam;
  const Matrix<T> a = random<T>(Layout::ColMajor, 400, 390), f = random<T>(Layout::ColMajor, 400, 390);
  std::vector<std::int64_t> pivots(390);
  ASSERT_EQ(getrf(Layout::ColMajor, 400, 390, f.data(), f.lda(), pivots.data()), 0);
  EXPECT_LE(residual(a, f, pivots), 1);
}

TYPED_TEST(Lu, AZeroPivotIsNamedAndPassed) {
  using T = TypeParam;
  for (const Layout layout : layouts)
    for (const index n : {1, 8, 9, 30, 65})
      for (index zero = 0; zero < n; zero += 3) {
        const Matrix<T> a = random<T>(layout, n, n), f = random<T>(layout, n, n);
        for (const auto* x : {&a, &f})
          for (index i = 0; i < n; ++i) (*x)(i, zero) = (*x)(i, n - 1) = T(0);
        std::vector<std::int64_t> pivots(static_cast<std::size_t>(n));
        EXPECT_EQ(getrf(layout, n, n, f.data(), f.lda(), pivots.data()), zero + 1);
        EXPECT_LE(residual(a, f, pivots), 1) << n << ' ' << zero;
        const Matrix<T> b = random<T>(layout, n, 2);
        const auto before = b.content();
        EXPECT_EQ(gesv(layout, n, index{2}, a.data(), a.lda(), pivots.data(), b.data(), b.lda()), zero + 1);
        EXPECT_TRUE(same_but_for(before, b.content(), std::vector<bool>(before.size())));
      }
}

TYPED_TEST(Lu, AZeroPivotHidesNoNaN) {
  using T = TypeParam;
  const T nan = Matrix<T>::poison(), inf = std::numeric_limits<real_t<T>>::infinity();
  for (const Layout layout : layouts) {
    std::int32_t pivots[2];
    Matrix<T> a(layout, 2, 2);
    a(0, 0) = T(0), a(0, 1) = T(1), a(1, 0) = nan, a(1, 1) = T(1);
    EXPECT_EQ(getrf(layout, 2, 2, a.data(), a.lda(), pivots), 1);
    EXPECT_TRUE(std::isnan(std::real(a(1, 1))));
    a(0, 0) = T(0), a(0, 1) = inf, a(1, 0) = T(0), a(1, 1) = T(1);
    EXPECT_EQ(getrf(layout, 2, 2, a.data(), a.lda(), pivots), 1);
    EXPECT_TRUE(std::isnan(std::real(a(1, 1))));
  }
}

/// Enough exchanges for several threads, forward and backward, of rows and of columns.
TYPED_TEST(Lu, ManyRightHandSidesByThreads) {
  using T = TypeParam;
  const index n = 130, nrhs = 300;
  for (const Layout layout : layouts)
    for (const Op op : {Op::NoTrans, Op::Trans}) {
      const Matrix<T> f = random<T>(layout, n, n), x = random<T>(layout, n, nrhs);
      std::vector<std::int64_t> pivots(static_cast<std::size_t>(n));
      ASSERT_EQ(getrf(layout, n, n, f.data(), f.lda(), pivots.data()), 0);
      getrs(layout, op, n, nrhs, f.data(), f.lda(), pivots.data(), x.data(), x.lda());
      for (index j = 0; j < nrhs; j += 13) {  // one by one
        const Matrix<T> b = random<T>(layout, n, nrhs);
        Matrix<T> y(layout, n, 1);
        for (index i = 0; i < n; ++i) y(i, 0) = b(i, j);
        getrs(layout, op, n, index{1}, f.data(), f.lda(), pivots.data(), y.data(), y.lda());
        double most = 0, apart = 0;
        for (index i = 0; i < n; ++i)
          most = std::max(most, size(y(i, 0))), apart = std::max(apart, size(T(x(i, j) - y(i, 0))));
        ASSERT_LE(apart, 10 * bound<T>(n) * most) << j;
      }
    }
}

/// The largest |re| + |im|, as the reference has it, not the largest modulus.
TYPED_TEST(Lu, PivotsOfComplexColumnsAreTheReferences) {
  using T = TypeParam;
  if constexpr (is_complex<T>)
    for (const index n : {1, 2, 40}) {
      const Matrix<T> a = random<T>(Layout::ColMajor, 60, n);
      a(20, 0) = T(5), a(50, 0) = T(3, -3);
      std::vector<std::int32_t> pivots(static_cast<std::size_t>(n));
      EXPECT_EQ(getrf(Layout::ColMajor, 60, n, a.data(), a.lda(), pivots.data()), 0);
      EXPECT_EQ(pivots[0], 51);
    }
}

TYPED_TEST(Lu, PivotsWithoutANormalReciprocal) {
  using T = TypeParam;
  using R = real_t<T>;
  const R tiny = std::numeric_limits<R>::denorm_min() * 64;
  Matrix<T> a(Layout::ColMajor, 3, 1);
  a(0, 0) = T(tiny / 2), a(1, 0) = T(-tiny), a(2, 0) = T(tiny / 4);
  std::int32_t pivot = 0;
  ASSERT_EQ(getrf(Layout::ColMajor, 3, 1, a.data(), a.lda(), &pivot), 0);
  EXPECT_EQ(pivot, 2);
  EXPECT_EQ(a(0, 0), T(-tiny));
  EXPECT_EQ(a(1, 0), T(R(-0.5)));
  EXPECT_EQ(a(2, 0), T(R(-0.25)));
}

TYPED_TEST(Lu, SolvesWithEveryOp) {
  using T = TypeParam;
  using W = wide_t<T>;
  for (const Layout layout : layouts)
    for (const index n : {0, 1, 8, 9, 40, 77}) {
      const Matrix<T> a = random<T>(layout, n, n), f = a.copy();
      std::vector<std::int32_t> pivots(static_cast<std::size_t>(n));
      ASSERT_EQ(getrf(layout, n, n, f.data(), f.lda(), pivots.data()), 0);
      const auto factors = f.content();
      const auto lu = sizes_of_factors(f, pivots);
      for (const Op op : {Op::NoTrans, Op::Trans, Op::ConjTrans})
        for (const index nrhs : {0, 1, 5, 70}) {
          SCOPED_TRACE(std::string(1, static_cast<char>(op)) + " " + std::to_string(n) + " " + std::to_string(nrhs));
          const Matrix<T> b = random<T>(layout, n, nrhs, 5), x = b.copy();
          getrs(layout, op, n, nrhs, f.data(), f.lda(), pivots.data(), x.data(), x.lda());
          EXPECT_TRUE(same_but_for(factors, f.content(), std::vector<bool>(factors.size())));
          EXPECT_TRUE(same_but_for(b.content(), x.content(), all_places(x)));
          // |op(A) X - B| <= 3 bound |op(P^T L U)| |X|, with |L| |U| summed for every entry of A.
          for (index j = 0; j < nrhs; ++j)
            for (index i = 0; i < n; ++i) {
              W sum = -W(b(i, j));
              double sizes = 0;
              for (index l = 0; l < n; ++l) {
                const T entry = op == Op::NoTrans ? a(i, l) : op == Op::Trans ? a(l, i) : conjugate(a(l, i));
                sum += times(W(entry), W(x(l, j)));
                sizes += lu[static_cast<std::size_t>(op == Op::NoTrans ? i + l * n : l + i * n)] * size(x(l, j));
              }
              ASSERT_LE(size(sum), 3 * bound<T>(n) * sizes) << i << ", " << j;
            }
          if (op != Op::NoTrans) continue;
          // gesv: the same bits.
          const Matrix<T> g = a.copy(), y = b.copy();
          std::vector<std::int32_t> same(pivots.size());
          ASSERT_EQ(gesv(layout, n, nrhs, g.data(), g.lda(), same.data(), y.data(), y.lda()), 0);
          EXPECT_EQ(same, pivots);
          EXPECT_TRUE(same_but_for(x.content(), y.content(), std::vector<bool>(x.content().size())));
          EXPECT_TRUE(same_but_for(factors, g.content(), std::vector<bool>(factors.size())));
        }
    }
}

TYPED_TEST(Lu, TriangularSystems) {
  using T = TypeParam;
  for (const Layout layout : layouts)
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
      for (const Op op : {Op::NoTrans, Op::Trans, Op::ConjTrans})
        for (const Diag diag : {Diag::NonUnit, Diag::Unit}) {
          const index n = 19, nrhs = 4;
          const Matrix<T> a = random<T>(layout, n, n), x = random<T>(layout, n, nrhs), y = random<T>(layout, n, nrhs);
          ASSERT_EQ(trtrs(layout, uplo, op, diag, n, nrhs, a.data(), a.lda(), x.data(), x.lda()), 0);
          trsm<T>(layout, Side::Left, uplo, op, diag, n, nrhs, T(1), a.data(), a.lda(), y.data(), y.lda());
          EXPECT_TRUE(same_but_for(y.content(), x.content(), std::vector<bool>(x.content().size())));
          const auto before = x.content();
          a(7, 7) = a(11, 11) = T(0);
          EXPECT_EQ(trtrs(layout, uplo, op, diag, n, nrhs, a.data(), a.lda(), x.data(), x.lda()),
                    diag == Diag::Unit ? 0 : 8);
          if (diag == Diag::NonUnit) EXPECT_TRUE(same_but_for(before, x.content(), std::vector<bool>(before.size())));
        }
}

/// Then nothing but sizes is looked at.
TYPED_TEST(Lu, NoRightHandSidesTakeNothing) {
  using T = TypeParam;
  for (const Layout layout : layouts)
    for (const Op op : {Op::NoTrans, Op::Trans, Op::ConjTrans}) {
      EXPECT_NO_THROW((getrs<T, std::int32_t>(layout, op, 9, 0, nullptr, 9, nullptr, nullptr, 9)));
      EXPECT_EQ((trtrs<T>(layout, Uplo::Upper, op, Diag::Unit, 9, 0, nullptr, 9, nullptr, 9)), 0);
    }
}

/// However many rows or columns there are of no entries.
TYPED_TEST(Lu, NothingTakesNoTime) {
  using T = TypeParam;
  constexpr index most = std::numeric_limits<index>::max();
  T* const none = nullptr;
  std::int64_t* const no_pivots = nullptr;
  for (const Layout layout : layouts) {
    const index columns = layout == Layout::RowMajor ? most : 1, rows = layout == Layout::ColMajor ? most : 1;
    EXPECT_EQ(getrf(layout, 0, most, none, columns, no_pivots), 0);
    EXPECT_EQ(getrf(layout, most, 0, none, rows, no_pivots), 0);
    EXPECT_EQ(gesv(layout, 0, most, none, 1, no_pivots, none, columns), 0);
    for (const Op op : {Op::NoTrans, Op::Trans, Op::ConjTrans}) {
      getrs(layout, op, 0, most, none, 1, no_pivots, none, columns);
      EXPECT_EQ(trtrs(layout, Uplo::Lower, op, Diag::NonUnit, 0, most, none, 1, none, columns), 0);
    }
  }
}

TYPED_TEST(Lu, NameABadArgument) {
  using T = TypeParam;
  std::vector<T> a(24, T(3)), b(24, T(2));
  std::vector<std::int32_t> p(4, 1);
  const auto a0 = a, b0 = b;
  T* const null = nullptr;
  std::int32_t* const none = nullptr;
  constexpr Layout c = Layout::ColMajor, r = Layout::RowMajor;
  expect_refusal<T>("layout", 1, [&] { (void)getrf(Layout('x'), 4, 4, a.data(), 4, p.data()); });
  expect_refusal<T>("m", 2, [&] { (void)getrf(c, -1, 4, a.data(), 4, p.data()); });
  constexpr index most = std::numeric_limits<std::int32_t>::max();
  expect_refusal<T>("m", 2, [&] { (void)getrf(c, most + 1, 1, a.data(), most + 1, p.data()); });
  expect_refusal<T>("n", 3, [&] { (void)getrf(c, 4, -1, a.data(), 4, p.data()); });
  expect_refusal<T>("A", 4, [&] { (void)getrf(c, 4, 4, null, 4, p.data()); });
  expect_refusal<T>("lda", 5, [&] { (void)getrf(c, 4, 2, a.data(), 3, p.data()); });
  expect_refusal<T>("lda", 5, [&] { (void)getrf(r, 2, 4, a.data(), 3, p.data()); });
  expect_refusal<T>("ipiv", 6, [&] { (void)getrf(c, 4, 4, a.data(), 4, none); });
  expect_refusal<T>("trans", 2, [&] { getrs(c, Op('x'), 4, 1, a.data(), 4, p.data(), b.data(), 4); });
  expect_refusal<T>("n", 3, [&] { getrs(c, Op::Trans, -4, 1, a.data(), 4, p.data(), b.data(), 4); });
  expect_refusal<T>("nrhs", 4, [&] { getrs(c, Op::Trans, 4, -1, a.data(), 4, p.data(), b.data(), 4); });
  expect_refusal<T>("lda", 6, [&] { getrs(c, Op::Trans, 4, 1, a.data(), 3, p.data(), b.data(), 4); });
  expect_refusal<T>("ipiv", 7, [&] { getrs(c, Op::Trans, 4, 1, a.data(), 4, none, b.data(), 4); });
  expect_refusal<T>("B", 8, [&] { getrs(c, Op::Trans, 4, 1, a.data(), 4, p.data(), null, 4); });
  expect_refusal<T>("ldb", 9, [&] { getrs(r, Op::Trans, 4, 3, a.data(), 4, p.data(), b.data(), 2); });
  expect_refusal<T>("n", 2, [&] { (void)gesv(c, -4, 1, a.data(), 4, p.data(), b.data(), 4); });
  expect_refusal<T>("n", 2, [&] { (void)gesv(c, most + 1, 1, a.data(), most + 1, p.data(), b.data(), most + 1); });
  expect_refusal<T>("A", 4, [&] { (void)gesv(c, 4, 1, null, 4, p.data(), b.data(), 4); });
  expect_refusal<T>("lda", 5, [&] { (void)gesv(c, 4, 1, a.data(), 3, p.data(), b.data(), 4); });
  expect_refusal<T>("ipiv", 6, [&] { (void)gesv(c, 4, 1, a.data(), 4, none, b.data(), 4); });
  expect_refusal<T>("B", 7, [&] { (void)gesv(c, 4, 1, a.data(), 4, p.data(), null, 4); });
  expect_refusal<T>("nrhs", 3, [&] { (void)gesv(c, 4, -1, a.data(), 4, p.data(), b.data(), 4); });
  expect_refusal<T>("ldb", 8, [&] { (void)gesv(c, 4, 1, a.data(), 4, p.data(), b.data(), 3); });
  expect_refusal<T>("uplo", 2,
                    [&] { (void)trtrs(c, Uplo('x'), Op::Trans, Diag::Unit, 4, 1, a.data(), 4, b.data(), 4); });
  expect_refusal<T>("trans", 3,
                    [&] { (void)trtrs(c, Uplo::Lower, Op('x'), Diag::Unit, 4, 1, a.data(), 4, b.data(), 4); });
  expect_refusal<T>("diag", 4,
                    [&] { (void)trtrs(c, Uplo::Lower, Op::Trans, Diag('x'), 4, 1, a.data(), 4, b.data(), 4); });
  expect_refusal<T>("lda", 8,
                    [&] { (void)trtrs(c, Uplo::Lower, Op::Trans, Diag::Unit, 4, 1, a.data(), 3, b.data(), 4); });
  expect_refusal<T>("ldb", 10,
                    [&] { (void)trtrs(c, Uplo::Lower, Op::Trans, Diag::Unit, 4, 1, a.data(), 4, b.data(), 3); });
  EXPECT_EQ(a, a0);
  EXPECT_EQ(b, b0);
}

}  // namespace
}  // namespace trigon::test
