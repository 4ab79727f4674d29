// What alpha and beta do to zeros and infinities, as in netlib's BLAS.
#include "cuda/device_calls.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace trigon::test {
namespace {

using Complex = std::complex<double>;
constexpr double inf = std::numeric_limits<double>::infinity();

/// The call on A (and B, the same) and C; their leading dimensions are in the text.
template <class T>
void run(const char* text, std::vector<T>& a, std::vector<T>& c, bool large_tiles = false) {
  Call call = parse_call(text);
  call.a = a.data(), call.b = a.data(), call.c = c.data();
  run_on_device(call, {.large_tiles = large_tiles});
}

bool is_zero(double x, bool negative) { return x == 0 && std::signbit(x) == negative; }

TEST(CudaScalars, KeepTheSignOfZeroWhereNothingIsSummed) {
  for (const char* text :
       {"dgemm m=1 n=1 k=3 alpha=0 beta=2 lda=1 ldb=3 ldc=1", "dgemm m=1 n=1 k=0 alpha=1 beta=2 lda=1 ldb=3 ldc=1",
        "dsyrk n=1 k=3 alpha=0 beta=2 lda=1 ldc=1"}) {
    std::vector<double> a(3, 1), c{-0.0};
    run(text, a, c);
    EXPECT_TRUE(is_zero(c[0], true)) << text << ": " << c[0];
  }
  std::vector<Complex> a(3, 1), c{{-0.0, 1}};
  run("zgemm m=1 n=1 k=3 alpha=0 beta=2 lda=1 ldb=3 ldc=1", a, c);
  EXPECT_TRUE(is_zero(c[0].real(), true)) << c[0];  // 2 -0 - 0 1
  EXPECT_EQ(c[0].imag(), 2);
  c = {{-0.0, -0.0}};
  run("zgemm m=1 n=1 k=3 alpha=0 beta=2 lda=1 ldb=3 ldc=1", a, c);
  EXPECT_TRUE(is_zero(c[0].real(), false)) << c[0];  // 2 -0 - 0 -0 = -0 + 0
  EXPECT_TRUE(is_zero(c[0].imag(), true)) << c[0];   // 2 -0 + 0 -0
}

/// Entry (1, 0) of a lower triangle of order 2.
Complex below(const char* text, Complex old, bool large_tiles) {
  std::vector<Complex> a(2, 0), c{{1, 0}, old, {7, 7}, {1, 0}};
  run(text, a, c, large_tiles);
  EXPECT_EQ(c[2], Complex(7, 7)) << text;
  return c[1];
}

TEST(CudaScalars, HermitianBetaScalesBothParts) {
  for (const char* text :
       {"zherk n=2 k=1 beta=0.5 lda=2 ldc=2", "zherk n=2 k=1 alpha=0 beta=0.5 lda=2 ldc=2",
        "zherk n=2 k=0 beta=0.5 lda=2 ldc=2", "zher2k n=2 k=1 alpha=2 beta=0.5 lda=2 ldb=2 ldc=2",
        "zher2k n=2 k=1 alpha=2,1 beta=0.5 lda=2 ldb=2 ldc=2", "zher2k n=2 k=1 alpha=0 beta=0.5 lda=2 ldb=2 ldc=2"})
    for (const bool large_tiles : {false, true}) {
      EXPECT_EQ(below(text, {1, inf}, large_tiles), Complex(0.5, inf)) << text;
      EXPECT_EQ(below(text, {-inf, 3}, large_tiles), Complex(-inf, 1.5)) << text;
    }
  const Complex zero = below("zherk n=2 k=0 beta=0.5 lda=2 ldc=2", {-0.0, -0.0}, false);
  EXPECT_TRUE(is_zero(zero.real(), true) && is_zero(zero.imag(), true)) << zero;
}

TEST(CudaScalars, HermitianAlphaScalesBothParts) {
  std::vector<Complex> a{{1e300, 1e300}}, c{{0, 0}};
  run("zherk n=1 k=1 alpha=2 beta=0 lda=1 ldc=1", a, c);
  EXPECT_EQ(c[0], Complex(inf, 0));
  c = {{1, 0}};
  run("zher2k n=1 k=1 alpha=2 beta=1 lda=1 ldb=1 ldc=1", a, c);
  EXPECT_EQ(c[0], Complex(inf, 0));
}

/// Elsewhere they are complex numbers like any other: 0.5 Inf - 0 Inf.
TEST(CudaScalars, OthersAreComplexProducts) {
  std::vector<Complex> a(1, 0), c{{1, inf}};
  run("zgemm m=1 n=1 k=1 beta=0.5 lda=1 ldb=1 ldc=1", a, c);
  EXPECT_TRUE(std::isnan(c[0].real())) << c[0];
  EXPECT_EQ(c[0].imag(), inf);
}

}  // namespace
}  // namespace trigon::test
