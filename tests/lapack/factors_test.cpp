// potrf, trtri, lauum and potri: errors entry by entry in higher precision, what is read and written, and failures.
#include "lapack/definite.hpp"
#include "lapack/matrix.hpp"
#include "lapack/refusal.hpp"

#include <trigon/lapack.hpp>

#include <cfenv>
#include <limits>

namespace trigon::test {
namespace {

using reference::conjugate;
using reference::times;
using reference::wide_t;

const index orders[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 25, 31, 33, 48, 63, 65, 100, 130};

/// A triangle with a diagonal of sizes from 1 down to `least`, and its wide copy by rows and columns of the lower one.
template <class T>
struct Triangle {
  using W = wide_t<T>;
  Matrix<T> a;
  Uplo uplo;
  bool unit;
  index n;
  std::vector<W> wide;

  Triangle(Layout layout, Uplo uplo, Diag diag, index n, double least)
      : a(layout, n, n), uplo(uplo), unit(diag == Diag::Unit), n(n) {
    Random<T> random(static_cast<unsigned>(n) + 1);
    for (index j = 0; j < n; ++j)
      for (index i = j; i < n; ++i) {
        const T x = random() / static_cast<real_t<T>>(n);
        const double scale = std::pow(least, static_cast<double>(j) / static_cast<double>(n));
        entry(a, uplo, i, j) = i == j ? T(static_cast<real_t<T>>(scale)) * (T(2) + x) : x;
      }
    if (unit)
      for (index i = 0; i < n; ++i) a(i, i) = Matrix<T>::poison();
    wide = copy();
  }

  W& at(std::vector<W>& v, index i, index j) const { return v[static_cast<std::size_t>(i + j * n)]; }

  std::vector<W> copy() const {
    std::vector<W> v(static_cast<std::size_t>(n * n));
    for (index j = 0; j < n; ++j)
      for (index i = j; i < n; ++i) at(v, i, j) = unit && i == j ? W(1) : W(entry(a, uplo, i, j));
    return v;
  }
};

template <class T>
class Factors : public testing::Test {
 public:
  /// Every layout, triangle and order.
  template <class Work>
  void over_all(const Work& work) {
    for (const Layout layout : {Layout::ColMajor, Layout::RowMajor})
      for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
        for (const index n : orders) {
          SCOPED_TRACE(std::string(1, static_cast<char>(layout)) + static_cast<char>(uplo) + " " + std::to_string(n));
          work(layout, uplo, n);
          if (testing::Test::HasFailure()) return;
        }
  }
};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Factors, Types);

/// Imaginary parts of a Hermitian diagonal are not looked at: a signalling NaN there would be heard.
TYPED_TEST(Factors, CholeskyOfARealDiagonal) {
  using T = TypeParam;
  if constexpr (is_complex<T>) {
    constexpr index n = 7;
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      std::vector<T> a(n * n, T(0.125));
      for (index i = 0; i < n; ++i)
        a[static_cast<std::size_t>(i * (n + 1))] = T(4, std::numeric_limits<real_t<T>>::signaling_NaN());
      std::feclearexcept(FE_ALL_EXCEPT);
      EXPECT_EQ(potrf(Layout::ColMajor, uplo, n, a.data(), n), 0);
      EXPECT_EQ(std::fetestexcept(FE_INVALID), 0);
      for (index i = 0; i < n; ++i) EXPECT_EQ(a[static_cast<std::size_t>(i * (n + 1))].imag(), 0);
    }
  }
}

/// |sum of x_l y_l over first <= l < last, minus expected|, in units of the bound on sums of so many terms.
template <class W, class Term>
double excess(index first, index last, const W& expected, double bound, const Term& term) {
  W sum = -expected;
  double sizes = 0;
  for (index l = first; l < last; ++l) {
    const W x = term(l);
    sum += x, sizes += size(x);
  }
  return sizes == 0 ? 0 : size(sum) / (bound * sizes);
}

TYPED_TEST(Factors, CholeskyIsBackwardStable) {
  using T = TypeParam;
  using W = wide_t<T>;
  this->over_all([](Layout layout, Uplo uplo, index n) {
    const Matrix<T> a = definite<T>(layout, uplo, n);
    const auto before = a.content();
    std::vector<W> wide(static_cast<std::size_t>(n * n));
    for (index j = 0; j < n; ++j)
      for (index i = j; i < n; ++i)
        wide[static_cast<std::size_t>(i + j * n)] = i == j ? W(std::real(a(i, i))) : W(entry(a, uplo, i, j));
    ASSERT_EQ(potrf(layout, uplo, n, a.data(), a.lda()), 0);
    EXPECT_TRUE(same_but_for(before, a.content(), triangle_places(a, uplo)));
    for (index j = 0; j < n; ++j) {
      EXPECT_EQ(std::imag(a(j, j)), 0);
      for (index i = j; i < n; ++i) {
        const W expected = wide[static_cast<std::size_t>(i + j * n)];
        const double error = excess(0, j + 1, expected, bound<T>(n), [&](index l) {
          return times(W(entry(a, uplo, i, l)), conjugate(W(entry(a, uplo, j, l))));
        });
        ASSERT_LE(error, 1) << i << ", " << j;
      }
    }
  });
}

TYPED_TEST(Factors, CholeskyNamesTheFirstMinorThatIsNotPositive) {
  using T = TypeParam;
  using R = real_t<T>;
  for (const Layout layout : {Layout::ColMajor, Layout::RowMajor})
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
      for (const index n : {1, 7, 8, 9, 33, 65}) {
        const Matrix<T> a = definite<T>(layout, uplo, n), good = a.copy();
        const auto before = a.content();
        for (index bad = 0; bad < n; bad += bad < 10 ? 1 : 11) {
          good.set_content(before);
          ASSERT_EQ(potrf(layout, uplo, bad, good.data(), good.lda()), 0);
          for (const R pivot :
               {R(0), R(-1), std::numeric_limits<R>::quiet_NaN(), -std::numeric_limits<R>::infinity()}) {
            a.set_content(before);
            a(bad, bad) = T(pivot);
            EXPECT_EQ(potrf(layout, uplo, n, a.data(), a.lda()), bad + 1) << n << ' ' << pivot;
            EXPECT_TRUE(same_but_for(before, a.content(), triangle_places(a, uplo)));
            // What lies before is a factor still.
            for (index j = 0; j < bad; ++j)
              for (index i = j; i < bad; ++i)
                ASSERT_LE(size(entry(a, uplo, i, j) - entry(good, uplo, i, j)),
                          bound<T>(n) * (size(good(i, i)) + size(entry(good, uplo, i, j))));
          }
        }
      }
}

/// The largest |X A - I|, A being what the triangle was, in units of the bound. Not |A X - I|, which may be larger.
template <class T>
double residual_of_inverse(const Triangle<T>& t) {
  using W = wide_t<T>;
  auto x = t.copy(), a = t.wide;
  if (t.uplo == Uplo::Upper) std::swap(x, a);  // both are kept transposed
  double worst = 0;
  for (index j = 0; j < t.n; ++j)
    for (index i = j; i < t.n; ++i)
      worst = std::max(worst, excess(j, i + 1, W(i == j), bound<T>(t.n),
                                     [&](index l) { return times(t.at(x, i, l), t.at(a, l, j)); }));
  return worst;
}

TYPED_TEST(Factors, InversesHaveASmallResidual) {
  using T = TypeParam;
  for (const Diag diag : {Diag::NonUnit, Diag::Unit})
    this->over_all([&](Layout layout, Uplo uplo, index n) {
      Triangle<T> t(layout, uplo, diag, n, 1e-3);
      const auto before = t.a.content();
      ASSERT_EQ(trtri(layout, uplo, diag, n, t.a.data(), t.a.lda()), 0);
      EXPECT_TRUE(same_but_for(before, t.a.content(), triangle_places(t.a, uplo, t.unit)));
      EXPECT_LE(residual_of_inverse(t), 1);
    });
}

/// Small pivots among large entries, where only the residual that is promised is small.
TYPED_TEST(Factors, InversesOfIllConditionedTriangles) {
  using T = TypeParam;
  Random<T> random(3);
  for (const Layout layout : {Layout::ColMajor, Layout::RowMajor})
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
      for (const index n : {4, 6, 12, 20})
        for (int round = 0; round < 60; ++round) {
          Triangle<T> t(layout, uplo, Diag::NonUnit, n, 1);
          for (index j = 0; j < n; ++j)
            for (index i = j; i < n; ++i)
              entry(t.a, uplo, i, j) = random() * static_cast<real_t<T>>(i == j && i % 4 == 2 ? 1e-4 : 1);
          t.wide = t.copy();
          ASSERT_EQ(trtri(layout, uplo, Diag::NonUnit, n, t.a.data(), t.a.lda()), 0);
          ASSERT_LE(residual_of_inverse(t), 1) << static_cast<char>(uplo) << ' ' << n << ' ' << round;
        }
}

TYPED_TEST(Factors, ASingularTriangleIsNamedAndLeftAlone) {
  using T = TypeParam;
  for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
    for (const index n : {1, 8, 9, 40})
      for (index zero = 0; zero < n; zero += 3) {
        Triangle<T> t(Layout::ColMajor, uplo, Diag::NonUnit, n, 1);
        t.a(zero, zero) = T(0), t.a(n - 1, n - 1) = T(0);
        const auto before = t.a.content();
        EXPECT_EQ(trtri(Layout::ColMajor, uplo, Diag::NonUnit, n, t.a.data(), t.a.lda()), zero + 1);
        EXPECT_EQ(potri(Layout::ColMajor, uplo, n, t.a.data(), t.a.lda()), zero + 1);
        EXPECT_TRUE(same_but_for(before, t.a.content(), std::vector<bool>(before.size())));
      }
}

// The modulus of a complex pivot of large parts is beyond the largest number, its inverse is not.
TYPED_TEST(Factors, InvertsPivotsNearTheLargestNumber) {
  using T = TypeParam;
  using R = real_t<T>;
  const R large = std::numeric_limits<R>::max() / 8 * 7;
  T d = T(large), expected = T(R(1) / large);
  if constexpr (is_complex<T>) d = T(large, large), expected = T(R(0.5) / large, R(-0.5) / large);
  ASSERT_EQ(trtri(Layout::ColMajor, Uplo::Lower, Diag::NonUnit, 1, &d, 1), 0);
  // Subnormal numbers, one unit of the last place apart at most.
  EXPECT_LE(std::abs(std::real(d) - std::real(expected)), std::numeric_limits<R>::denorm_min());
  EXPECT_LE(std::abs(std::imag(d) - std::imag(expected)), std::numeric_limits<R>::denorm_min());
  EXPECT_NE(std::real(d), R(0));
}

TYPED_TEST(Factors, ProductsWithTheirOwnTranspose) {
  using T = TypeParam;
  using W = wide_t<T>;
  this->over_all([](Layout layout, Uplo uplo, index n) {
    Triangle<T> t(layout, uplo, Diag::NonUnit, n, 1e-3);
    const auto before = t.a.content();
    lauum(layout, uplo, n, t.a.data(), t.a.lda());
    EXPECT_TRUE(same_but_for(before, t.a.content(), triangle_places(t.a, uplo)));
    for (index j = 0; j < n; ++j)
      for (index i = j; i < n; ++i)
        ASSERT_LE(excess(i, n, W(entry(t.a, uplo, i, j)), bound<T>(n),
                         [&](index l) { return times(conjugate(t.at(t.wide, l, i)), t.at(t.wide, l, j)); }),
                  1)
            << i << ", " << j;
  });
}

TYPED_TEST(Factors, InversesOfDefiniteMatrices) {
  using T = TypeParam;
  using W = wide_t<T>;
  this->over_all([](Layout layout, Uplo uplo, index n) {
    Triangle<T> t(layout, uplo, Diag::NonUnit, n, 0.5);
    const Matrix<T> both = t.a.copy();
    const auto before = t.a.content();
    ASSERT_EQ(potri(layout, uplo, n, t.a.data(), t.a.lda()), 0);
    EXPECT_TRUE(same_but_for(before, t.a.content(), triangle_places(t.a, uplo)));
    // The same bits as its two halves.
    ASSERT_EQ(trtri(layout, uplo, Diag::NonUnit, n, both.data(), both.lda()), 0);
    lauum(layout, uplo, n, both.data(), both.lda());
    EXPECT_TRUE(same_but_for(both.content(), t.a.content(), std::vector<bool>(before.size())));
    // And it is the inverse of L L^H: L^H times the whole of it is L^-1, which is lower.
    auto x = t.copy();
    const auto full = [&](index i, index j) { return i >= j ? t.at(x, i, j) : conjugate(t.at(x, j, i)); };
    for (index j = 0; j < n; ++j)
      for (index i = 0; i < j; ++i) {
        W sum = 0;
        double sizes = 0;
        for (index l = i; l < n; ++l) {
          const W term = times(conjugate(t.at(t.wide, l, i)), full(l, j));
          sum += term, sizes += size(term);
        }
        ASSERT_LE(size(sum), 8 * bound<T>(n) * sizes) << i << ", " << j;
      }
  });
}

TYPED_TEST(Factors, LargeOnesByThreads) {
  using T = TypeParam;
  using W = wide_t<T>;
  const index n = 517;
  const Matrix<T> a = definite<T>(Layout::ColMajor, Uplo::Upper, n);
  const Matrix<T> before = a.copy();
  ASSERT_EQ(potrf(Layout::ColMajor, Uplo::Upper, n, a.data(), a.lda()), 0);
  for (index j = 0; j < n; j += 37)
    for (index i = j; i < n; ++i) {
      const W expected = i == j ? W(std::real(before(i, i))) : W(before(j, i));
      ASSERT_LE(
          excess(0, j + 1, expected, bound<T>(n), [&](index l) { return times(W(a(l, i)), conjugate(W(a(l, j)))); }), 1)
          << i << ", " << j;
    }
}

/// What has no entries has no address.
TYPED_TEST(Factors, NothingMayBeANullPointer) {
  using T = TypeParam;
  T* const null = nullptr;
  for (const Layout layout : {Layout::ColMajor, Layout::RowMajor})
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      EXPECT_EQ(potrf(layout, uplo, 0, null, 1), 0);
      EXPECT_EQ(potri(layout, uplo, 0, null, 1), 0);
      lauum(layout, uplo, 0, null, 1);
      for (const Diag diag : {Diag::NonUnit, Diag::Unit}) EXPECT_EQ(trtri(layout, uplo, diag, 0, null, 1), 0);
    }
}

TYPED_TEST(Factors, NameABadArgument) {
  using T = TypeParam;
  std::vector<T> a(16, T(3));
  const auto before = a;
  T* const null = nullptr;
  constexpr Layout layout = Layout::RowMajor;
  expect_refusal<T>("layout", 1, [&] { (void)potrf(Layout('X'), Uplo::Lower, 4, a.data(), 4); });
  expect_refusal<T>("uplo", 2, [&] { (void)potrf(layout, Uplo('X'), 4, a.data(), 4); });
  expect_refusal<T>("n", 3, [&] { (void)potrf(layout, Uplo::Lower, -1, a.data(), 4); });
  expect_refusal<T>("A", 4, [&] { (void)potrf(layout, Uplo::Lower, 4, null, 4); });
  expect_refusal<T>("lda", 5, [&] { (void)potrf(layout, Uplo::Lower, 4, a.data(), 3); });
  expect_refusal<T>("lda", 5, [&] { (void)potri(layout, Uplo::Lower, 0, a.data(), 0); });
  expect_refusal<T>("n", 3, [&] { lauum(layout, Uplo::Upper, -3, a.data(), 4); });
  expect_refusal<T>("diag", 3, [&] { (void)trtri(layout, Uplo::Upper, Diag('X'), 4, a.data(), 4); });
  expect_refusal<T>("n", 4, [&] { (void)trtri(layout, Uplo::Upper, Diag::Unit, -1, a.data(), 4); });
  expect_refusal<T>("A", 5, [&] { (void)trtri(layout, Uplo::Upper, Diag::Unit, 4, null, 4); });
  expect_refusal<T>("lda", 6, [&] { (void)trtri(layout, Uplo::Upper, Diag::Unit, 4, a.data(), 3); });
  EXPECT_EQ(a, before);
}

}  // namespace
}  // namespace trigon::test
