// potrs and posv: residuals entry by entry in higher precision, what is read and written, and failures.
#include "lapack/definite.hpp"
#include "lapack/general.hpp"
#include "lapack/refusal.hpp"

#include <trigon/lapack.hpp>

namespace trigon::test {
namespace {

using reference::conjugate;
using reference::times;
using reference::wide_t;

template <class T>
class Definite : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Definite, Types);

/// Entry (i, j) of the whole matrix of which one triangle is stored.
template <class T>
T whole(const Matrix<T>& a, Uplo uplo, index i, index j) {
  if (i == j) return T(std::real(a(i, i)));
  const bool stored = (i > j) == (uplo == Uplo::Lower);
  return stored ? a(i, j) : conjugate(a(j, i));
}

TYPED_TEST(Definite, SystemsAreSolvedBackwardStably) {
  using T = TypeParam;
  using W = wide_t<T>;
  for (const Layout layout : layouts)
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
      for (const index n : {0, 1, 8, 9, 40, 77}) {
        const Matrix<T> a = definite<T>(layout, uplo, n), f = a.copy();
        ASSERT_EQ(potrf(layout, uplo, n, f.data(), f.lda()), 0);
        const auto factor = f.content();
        std::vector<double> squares(static_cast<std::size_t>(n * n));  // |L| |L^H|
        for (index j = 0; j < n; ++j)
          for (index i = 0; i < n; ++i)
            for (index l = 0; l <= std::min(i, j); ++l)
              squares[static_cast<std::size_t>(i + j * n)] += size(entry(f, uplo, i, l)) * size(entry(f, uplo, j, l));
        for (const index nrhs : {0, 1, 5, 70}) {
          SCOPED_TRACE(std::string(1, static_cast<char>(uplo)) + " " + std::to_string(n) + " " + std::to_string(nrhs));
          const Matrix<T> b = random<T>(layout, n, nrhs, 5), x = b.copy();
          potrs(layout, uplo, n, nrhs, f.data(), f.lda(), x.data(), x.lda());
          EXPECT_TRUE(same_but_for(factor, f.content(), std::vector<bool>(factor.size())));
          EXPECT_TRUE(same_but_for(b.content(), x.content(), all_places(x)));
          // |A X - B| <= 3 bound |L| |L^H| |X|.
          for (index j = 0; j < nrhs; ++j)
            for (index i = 0; i < n; ++i) {
              W sum = -W(b(i, j));
              double sizes = 0;
              for (index l = 0; l < n; ++l) {
                sum += times(W(whole(a, uplo, i, l)), W(x(l, j)));
                sizes += squares[static_cast<std::size_t>(i + l * n)] * size(x(l, j));
              }
              ASSERT_LE(size(sum), 3 * bound<T>(n) * sizes) << i << ", " << j;
            }
          // posv: the same bits.
          const Matrix<T> g = a.copy(), y = b.copy();
          ASSERT_EQ(posv(layout, uplo, n, nrhs, g.data(), g.lda(), y.data(), y.lda()), 0);
          EXPECT_TRUE(same_but_for(x.content(), y.content(), std::vector<bool>(x.content().size())));
          EXPECT_TRUE(same_but_for(factor, g.content(), std::vector<bool>(factor.size())));
        }
      }
}

TYPED_TEST(Definite, AMinorThatIsNotPositiveIsNamedAndNothingSolved) {
  using T = TypeParam;
  for (const Layout layout : layouts)
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
      for (const index bad : {0, 7, 8, 20}) {
        const Matrix<T> a = definite<T>(layout, uplo, 21), b = random<T>(layout, 21, 3);
        const auto before = b.content();
        a(bad, bad) = T(-1);
        EXPECT_EQ(posv(layout, uplo, 21, 3, a.data(), a.lda(), b.data(), b.lda()), bad + 1);
        EXPECT_TRUE(same_but_for(before, b.content(), std::vector<bool>(before.size())));
      }
}

TYPED_TEST(Definite, NameABadArgument) {
  using T = TypeParam;
  std::vector<T> a(24, T(3)), b(24, T(2));
  const auto a0 = a, b0 = b;
  T* const null = nullptr;
  constexpr Layout c = Layout::ColMajor, r = Layout::RowMajor;
  constexpr Uplo l = Uplo::Lower;
  const auto both = [&](const char* name, int position, Layout layout, Uplo uplo, index n, index nrhs, T* A, index lda,
                        T* B, index ldb) {
    expect_refusal<T>(name, position, [&] { potrs(layout, uplo, n, nrhs, A, lda, B, ldb); });
    expect_refusal<T>(name, position, [&] { (void)posv(layout, uplo, n, nrhs, A, lda, B, ldb); });
  };
  both("layout", 1, Layout('x'), l, 4, 1, a.data(), 4, b.data(), 4);
  both("uplo", 2, c, Uplo('x'), 4, 1, a.data(), 4, b.data(), 4);
  both("n", 3, c, l, -4, 1, a.data(), 4, b.data(), 4);
  both("nrhs", 4, c, l, 4, -1, a.data(), 4, b.data(), 4);
  both("A", 5, c, l, 4, 1, null, 4, b.data(), 4);
  both("lda", 6, c, l, 4, 1, a.data(), 3, b.data(), 4);
  both("B", 7, c, l, 4, 1, a.data(), 4, null, 4);
  both("ldb", 8, c, l, 4, 1, a.data(), 4, b.data(), 3);
  both("ldb", 8, r, l, 4, 3, a.data(), 4, b.data(), 2);
  potrs(c, l, 4, 0, null, 4, null, 4);  // reads nothing
  expect_refusal<T>("A", 5, [&] { (void)posv(c, l, 4, 0, null, 4, null, 4); });
  EXPECT_EQ(a, a0);
  EXPECT_EQ(b, b0);
}

}  // namespace
}  // namespace trigon::test
