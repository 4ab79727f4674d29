// Level 1: vectors with any increments between guards, against plain loops in higher precision.
#include "clblas/memory.hpp"

#include <trigon/reference.hpp>

#include <gtest/gtest.h>

namespace trigon::test {
namespace {

using clblas::Any;

constexpr int increments[] = {1, -1, 3, -2};
constexpr index lengths[] = {1, 2, 17, 1023, 1025, 5000};

template <class T>
class Level1 : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Level1, Types);

/// f(x, y, incx, incy) for all increments and some lengths.
template <class T, class F>
void for_all(F&& f) {
  std::mt19937_64 random(1);
  for (const index n : lengths)
    for (const int incx : increments)
      for (const int incy : increments) f(random_values<T>(n, random), random_values<T>(n, random), incx, incy);
}

template <class T>
double distance(T a, reference::wide_t<T> b) {
  return static_cast<double>(std::abs(reference::wide_t<T>(a) - b));
}

template <class T>
constexpr double unit = std::numeric_limits<real_t<T>>::epsilon();

TYPED_TEST(Level1, CopySwapAxpyRot) {
  using T = TypeParam;
  using W = reference::wide_t<T>;
  OneQueue on;
  const auto copy = pick<T>(clblasScopy, clblasDcopy, clblasCcopy, clblasZcopy);
  const auto swap = pick<T>(clblasSswap, clblasDswap, clblasCswap, clblasZswap);
  const auto axpy = pick<T>(clblasSaxpy, clblasDaxpy, clblasCaxpy, clblasZaxpy);
  const auto rot = pick<T>(clblasSrot, clblasDrot, clblasCsrot, clblasZdrot);
  const std::complex<double> alpha(0.75, is_complex<T> ? -0.5 : 0);
  for_all<T>([&](const std::vector<T>& x, const std::vector<T>& y, int incx, int incy) {
    const std::size_t n = x.size();
    DeviceVector<T> dx(on.native, x, incx, 3), dy(on.native, y, incy, 5);
    ASSERT_EQ(axpy(n, Any{alpha}, dx.memory, dx.offset, incx, dy.memory, dy.offset, incy, ONE_QUEUE), clblasSuccess);
    const auto sum = dy.read();
    EXPECT_TRUE(dx.untouched());
    ASSERT_EQ(axpy(n, Any{0}, dx.memory, dx.offset, incx, dy.memory, dy.offset, incy, ONE_QUEUE), clblasSuccess);
    EXPECT_EQ(dy.read(), sum);
    ASSERT_EQ(swap(n, dx.memory, dx.offset, incx, dy.memory, dy.offset, incy, ONE_QUEUE), clblasSuccess);
    EXPECT_EQ(dx.read(), sum);
    EXPECT_EQ(dy.read(), x);
    const real_t<T> c = real_t<T>(0.6), s = real_t<T>(0.8);
    ASSERT_EQ(rot(n, dx.memory, dx.offset, incx, dy.memory, dy.offset, incy, c, s, ONE_QUEUE), clblasSuccess);
    const auto rx = dx.read(), ry = dy.read();
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_LE(distance(sum[i], reference::times(W(T(reference::scalar<T>(alpha))), W(x[i])) + W(y[i])), 8 * unit<T>);
      ASSERT_LE(distance(rx[i], W(c) * W(sum[i]) + W(s) * W(x[i])), 8 * unit<T>);
      ASSERT_LE(distance(ry[i], W(c) * W(x[i]) - W(s) * W(sum[i])), 8 * unit<T>);
    }
    ASSERT_EQ(copy(n, dx.memory, dx.offset, incx, dy.memory, dy.offset, incy, ONE_QUEUE), clblasSuccess);
    EXPECT_EQ(dy.read(), rx);
  });
}

TYPED_TEST(Level1, Scal) {
  using T = TypeParam;
  OneQueue on;
  std::mt19937_64 random(2);
  const auto scal = pick<T>(clblasSscal, clblasDscal, clblasCscal, clblasZscal);
  const auto by_real = pick<T>(clblasSscal, clblasDscal, clblasCsscal, clblasZdscal);
  const std::complex<double> alpha(0.5, is_complex<T> ? 2 : 0);
  for (const index n : lengths)
    for (const int incx : increments) {
      const auto x = random_values<T>(n, random);
      DeviceVector<T> dx(on.native, x, incx, 3), again(on.native, x, incx, 2);
      ASSERT_EQ(scal(x.size(), Any{alpha}, dx.memory, dx.offset, incx, ONE_QUEUE), clblasSuccess);
      ASSERT_EQ(by_real(x.size(), Any{0.25}, again.memory, again.offset, incx, ONE_QUEUE), clblasSuccess);
      if (incx < 0) {  // as in BLAS
        EXPECT_TRUE(dx.untouched() && again.untouched());
        continue;
      }
      const auto scaled = dx.read(), quarters = again.read();
      for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_LE(std::abs(scaled[i] - reference::times(reference::scalar<T>(alpha), x[i])), 8 * unit<T>);
        ASSERT_EQ(quarters[i], x[i] * real_t<T>(0.25));
      }
    }
}

TYPED_TEST(Level1, Dot) {
  using T = TypeParam;
  using W = reference::wide_t<T>;
  OneQueue on;
  const auto plain = pick<T>(clblasSdot, clblasDdot, clblasCdotu, clblasZdotu);
  const auto conjugated = pick<T>(clblasSdot, clblasDdot, clblasCdotc, clblasZdotc);
  for_all<T>([&](const std::vector<T>& x, const std::vector<T>& y, int incx, int incy) {
    DeviceVector<T> dx(on.native, x, incx, 3), dy(on.native, y, incy, 5), result(on.native, {T(7), T(7)}, 2, 1);
    ASSERT_EQ(plain(x.size(), result.memory, 1, dx.memory, 3, incx, dy.memory, 5, incy, nullptr, ONE_QUEUE),
              clblasSuccess);
    ASSERT_EQ(conjugated(x.size(), result.memory, 3, dx.memory, 3, incx, dy.memory, 5, incy, nullptr, ONE_QUEUE),
              clblasSuccess);
    W sum[2] = {};
    double moduli = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum[0] += reference::times(W(x[i]), W(y[i]));
      sum[1] += reference::times(W(reference::conjugate(x[i])), W(y[i]));
      moduli += static_cast<double>(std::abs(x[i]) * std::abs(y[i]));
    }
    const double bound = (static_cast<double>(x.size()) + 4) * 2 * unit<T> * moduli;
    for (int i = 0; i < 2; ++i) ASSERT_LE(distance(result.read()[static_cast<std::size_t>(i)], sum[i]), bound);
    EXPECT_TRUE(dx.untouched() && dy.untouched());
  });
}

TYPED_TEST(Level1, Nrm2AsumIamax) {
  using T = TypeParam;
  using R = real_t<T>;
  OneQueue on;
  std::mt19937_64 random(3);
  const auto nrm2 = pick<T>(clblasSnrm2, clblasDnrm2, clblasScnrm2, clblasDznrm2);
  const auto asum = pick<T>(clblasSasum, clblasDasum, clblasScasum, clblasDzasum);
  const auto iamax = pick<T>(clblasiSamax, clblasiDamax, clblasiCamax, clblasiZamax);
  for (const index n : lengths)
    for (const int incx : increments) {
      auto x = random_values<T>(n, random);
      const std::size_t largest = random() % x.size();
      x[largest] = T(3);
      if (largest + 1 < x.size()) x[largest + 1] = T(-3);
      DeviceVector<T> dx(on.native, x, incx, 3);
      DeviceVector<R> reals(on.native, {R(7), R(7)}, 3, 1);
      DeviceVector<float> place(on.native, {0}, 1, 2);
      ASSERT_EQ(nrm2(x.size(), reals.memory, 1, dx.memory, 3, incx, nullptr, ONE_QUEUE), clblasSuccess);
      ASSERT_EQ(asum(x.size(), reals.memory, 4, dx.memory, 3, incx, nullptr, ONE_QUEUE), clblasSuccess);
      ASSERT_EQ(iamax(x.size(), place.memory, 2, dx.memory, 3, incx, nullptr, ONE_QUEUE), clblasSuccess);
      long double squares = 0, sum = 0;
      for (const T v : x) {
        squares += static_cast<long double>(std::norm(reference::wide_t<T>(v)));
        sum += std::abs(static_cast<long double>(std::real(v))) + std::abs(static_cast<long double>(std::imag(v)));
      }
      const double relative = (static_cast<double>(n) + 8) * 2 * unit<T>;
      EXPECT_NEAR(reals.read()[0], incx > 0 ? std::sqrt(squares) : 0,
                  relative * static_cast<double>(std::sqrt(squares)));
      EXPECT_NEAR(reals.read()[1], incx > 0 ? sum : 0, relative * static_cast<double>(sum));
      const float bits = place.read()[0];
      cl_uint found = 0;
      std::memcpy(&found, &bits, sizeof found);
      EXPECT_EQ(found, incx > 0 ? largest + 1 : 0);
      EXPECT_TRUE(dx.untouched());
    }
}

/// Squares that overflow and vanish, infinities and NaNs.
TYPED_TEST(Level1, NormsOfAnySize) {
  using T = TypeParam;
  using R = real_t<T>;
  OneQueue on;
  const auto nrm2 = pick<T>(clblasSnrm2, clblasDnrm2, clblasScnrm2, clblasDznrm2);
  constexpr R huge = std::numeric_limits<R>::max() / 8, tiny = std::numeric_limits<R>::min() * 4;
  constexpr R infinity = std::numeric_limits<R>::infinity();
  const auto norm = [&](std::vector<T> x) {
    DeviceVector<T> dx(on.native, x, 1, 0);
    DeviceVector<R> result(on.native, {R(7)}, 1, 0);
    EXPECT_EQ(nrm2(x.size(), result.memory, 0, dx.memory, 0, 1, nullptr, ONE_QUEUE), clblasSuccess);
    return result.read()[0];
  };
  EXPECT_NEAR(norm({T(3 * huge), T(4 * huge)}) / huge, 5, 20 * unit<T>);
  EXPECT_NEAR(norm({T(3 * tiny), T(4 * tiny)}) / tiny, 5, 20 * unit<T>);
  EXPECT_NEAR(norm({T(tiny), T(1), T(tiny)}), 1, 4 * unit<T>);
  EXPECT_NEAR(norm({T(1), T(huge), T(tiny)}) / huge, 1, 4 * unit<T>);
  EXPECT_EQ(norm({T(0), T(0)}), 0);
  EXPECT_EQ(norm({T(infinity), T(1), T(infinity)}), infinity);
  EXPECT_TRUE(std::isnan(norm({T(1), not_a_number<T>(), T(huge)})));
}

TYPED_TEST(Level1, IamaxTakesTheFirstNaN) {
  using T = TypeParam;
  OneQueue on;
  const auto iamax = pick<T>(clblasiSamax, clblasiDamax, clblasiCamax, clblasiZamax);
  std::vector<T> x(4000, T(1));
  x[3] = T(100), x[1500] = x[3900] = not_a_number<T>();
  DeviceVector<T> dx(on.native, x, 1, 0);
  DeviceVector<float> place(on.native, {0}, 1, 0);
  ASSERT_EQ(iamax(x.size(), place.memory, 0, dx.memory, 0, 1, nullptr, ONE_QUEUE), clblasSuccess);
  const float bits = place.read()[0];
  cl_uint found = 0;
  std::memcpy(&found, &bits, sizeof found);
  EXPECT_EQ(found, 1501u);
}

TYPED_TEST(Level1, Rotg) {
  using T = TypeParam;
  using R = real_t<T>;
  OneQueue on;
  std::mt19937_64 random(5);
  const auto rotg = pick<T>(clblasSrotg, clblasDrotg, clblasCrotg, clblasZrotg);
  constexpr R huge = std::numeric_limits<R>::max() / 4, tiny = std::numeric_limits<R>::min() * 4;
  const T v = random_value<T>(random), w = random_value<T>(random);
  const std::pair<T, T> cases[] = {{v, w},        {w, v},        {v, T(0)},           {T(0), w},
                                   {T(0), T(0)},  {T(-3), T(4)}, {T(4), T(-3)},       {v * huge, w * huge},
                                   {v * tiny, w}, {v, w * tiny}, {v * tiny, w * tiny}};
  for (const auto& [a, b] : cases) {
    DeviceVector<T> da(on.native, {a}, 1, 2), db(on.native, {b}, 1, 3), ds(on.native, {T(9)}, 1, 1);
    DeviceVector<R> dc(on.native, {R(9)}, 1, 4);
    ASSERT_EQ(rotg(da.memory, 2, db.memory, 3, dc.memory, 4, ds.memory, 1, ONE_QUEUE), clblasSuccess);
    const T r = da.read()[0], s = ds.read()[0], scale = T(std::max({std::abs(a), std::abs(b), R(tiny)}));
    const R c = dc.read()[0];
    EXPECT_NEAR(c * c + std::norm(s), 1, 8 * unit<T>);
    const T u = a / scale, z = b / scale;
    EXPECT_LE(std::abs(c * u + s * z - r / scale), 12 * unit<T>) << a << ' ' << b;
    EXPECT_LE(std::abs(c * z - reference::conjugate(s) * u), 12 * unit<T>) << a << ' ' << b;
    if constexpr (!is_complex<T>) {
      const R kept = db.read()[0];  // Stewart's number: c and s again
      const R c2 = kept == 1 ? 0 : std::abs(kept) < 1 ? std::sqrt(1 - kept * kept) : 1 / kept;
      const R s2 = kept == 1 ? 1 : std::abs(kept) < 1 ? kept : std::sqrt(1 - c2 * c2);
      EXPECT_NEAR(std::abs(c2), std::abs(c), 64 * unit<T>);
      EXPECT_NEAR(std::abs(s2), std::abs(s), 64 * unit<T>);
    } else {
      EXPECT_TRUE(db.untouched());
    }
  }
}

template <class R>
class Modified : public testing::Test {};
TYPED_TEST_SUITE(Modified, decltype(testing::Types<float, double>()));

/// What rotmg makes annihilates y1 in the norm of d1 and d2, and rotm applies it.
TYPED_TEST(Modified, RotmgAndRotm) {
  using R = TypeParam;
  OneQueue on;
  const auto rotmg = pick<R>(clblasSrotmg, clblasDrotmg, nullptr, nullptr);
  const auto rotm = pick<R>(clblasSrotm, clblasDrotm, nullptr, nullptr);
  constexpr R cases[][5] = {// d1, d2, x1, y1, flag
                            {2, 3, 5, 1, 0},       {2, 3, 1, 5, 1},        {R(1e-9), 3, 1, 5, -1},
                            {2, R(1e9), 5, 1, -1}, {R(1e18), 2, 3, 4, -1}, {2, R(1e-18), 3, 4, -1},
                            {1, 2, 3, 0, -2},      {1, 0, 3, 4, -2},       {-1, 2, 3, 4, -1},
                            {1, -2, 1, 4, -1},     {1, R(-0.1), 3, 1, 0},  {0, 2, 3, 4, 1}};
  for (const auto& [d1, d2, x1, y1, flag] : cases) {
    DeviceVector<R> vd1(on.native, {d1}, 1, 1), vd2(on.native, {d2}, 1, 2), vx1(on.native, {x1}, 1, 3);
    DeviceVector<R> vy1(on.native, {y1}, 1, 4), param(on.native, {9, 9, 9, 9, 9}, 1, 5);
    ASSERT_EQ(rotmg(vd1.memory, 1, vd2.memory, 2, vx1.memory, 3, vy1.memory, 4, param.memory, 5, ONE_QUEUE),
              clblasSuccess);
    const auto p = param.read();
    ASSERT_EQ(p[0], flag) << d1 << ' ' << d2 << ' ' << x1 << ' ' << y1;
    EXPECT_TRUE(vy1.untouched());
    const R e1 = vd1.read()[0], e2 = vd2.read()[0], z1 = vx1.read()[0];
    if (p[0] == -2) {
      EXPECT_TRUE(vd1.untouched() && vd2.untouched() && vx1.untouched());
    } else if (d1 < 0 || (d2 < 0 && flag < 0)) {
      for (const R v : {e1, e2, z1, p[1], p[2], p[3], p[4]}) EXPECT_EQ(v, 0);
      continue;
    } else {
      for (const R e : {e1, e2})
        if (e != 0) EXPECT_TRUE(std::abs(e) > R(5.9e-8) && std::abs(e) < R(16777216)) << e;
    }
    DeviceVector<R> dx(on.native, {x1, 1}, -2, 0), dy(on.native, {y1, 0}, 3, 1);
    ASSERT_EQ(rotm(2, dx.memory, 0, -2, dy.memory, 1, 3, param.memory, 5, ONE_QUEUE), clblasSuccess);
    const auto x = dx.read(), y = dy.read();
    if (p[0] == -2) {
      EXPECT_EQ(x[0], x1);
      EXPECT_EQ(y[0], y1);
      continue;
    }
    EXPECT_NEAR(x[0], z1, 8 * unit<R> * std::abs(z1));
    EXPECT_NEAR(y[0] / (std::abs(x1) + std::abs(y1)), 0, 8 * unit<R> * std::max(R(1), std::abs(p[4])));
    // The sum of squares in the norm of d1 and d2 is kept.
    const double before = double(d1) * x1 * x1 + double(d2) * y1 * y1;
    EXPECT_NEAR(double(e1) * z1 * z1, before, 32 * unit<R> * std::abs(before));
    EXPECT_EQ(x[1], flag == 1 ? p[1] : flag == 0 ? 1 : p[1]);
    EXPECT_EQ(y[1], flag == 1 ? -1 : p[2]);
  }
}

}  // namespace
}  // namespace trigon::test
