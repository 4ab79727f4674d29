// Solves with pivots whose reciprocal overflows or underflows, or whose modulus does: divide, and scale.
#include "support/thinning.hpp"
#include "support/variants.hpp"

#include <trigon/reference.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <random>
#include <vector>

namespace trigon::test {
namespace {

template <class T>
class Pivots : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Pivots, Types);

/// TRIGON_TEST_SWEEP=N keeps one solve in N / 10: for sanitizers, and devices that are simulated.
unsigned thinning() { return std::max(1u, one_in("TRIGON_TEST_SWEEP") / 10); }

/// TRIGON_TEST_NUMERICS=N keeps one solve in N, of which any two of variant, pivot and shape still meet: for devices,
/// on which a small call takes long.
std::size_t strata(std::size_t pivots) { return std::min<std::size_t>(one_in("TRIGON_TEST_NUMERICS"), pivots); }

/// A diagonal triangle with one extreme pivot (or nothing else) and B = A X for X of moderate size.
template <class T>
void solve_diagonal(Call c, index order, index others, T extreme, index every) {
  using R = real_t<T>;
  std::mt19937 random(5);
  const bool left = c.side == Side::Left || is_vector(c.operation);
  c.m = left ? order : others;
  c.n = left && !is_vector(c.operation) ? others : order;
  c.lda = order;
  const index rows = c.m, columns = is_vector(c.operation) ? 1 : c.n;
  c.ldb = c.layout == Layout::ColMajor ? rows : columns;
  std::vector<T> a(static_cast<std::size_t>(order * order), T(0)), b(static_cast<std::size_t>(rows * columns));
  std::vector<T> x = b;
  for (index i = 0; i < order; ++i) a[static_cast<std::size_t>(i * (order + 1))] = i % every == 0 ? extreme : T(1.5);
  const auto pivot = [&](index i) {
    const T d = a[static_cast<std::size_t>(i * (order + 1))];
    return c.transa == Op::ConjTrans ? reference::conjugate(d) : d;
  };
  for (index i = 0; i < rows; ++i)
    for (index j = 0; j < columns; ++j) {
      const std::size_t at = static_cast<std::size_t>(c.layout == Layout::ColMajor ? i + j * c.ldb : i * c.ldb + j);
      x[at] = T(static_cast<R>(1 + (random() % 64) / 128.0));
      b[at] = reference::times(pivot(left ? i : j), x[at]);  // exact enough: x has seven bits
    }
  c.a = a.data();
  c.b = b.data();
  std::feclearexcept(FE_ALL_EXCEPT);
  execute(c);
  EXPECT_FALSE(std::fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW)) << to_text(c);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = std::abs(std::complex<double>(b[i]) - std::complex<double>(x[i]));
    ASSERT_LE(error, 64 * static_cast<double>(std::numeric_limits<R>::epsilon()) * 2)
        << to_text(c) << " entry " << i << " is " << b[i] << " instead of " << x[i] << ", pivot " << extreme;
  }
}

template <class T>
std::vector<T> extremes() {
  using R = real_t<T>;
  using L = std::numeric_limits<R>;
  // Seven bits of x must survive in B, so not the very smallest numbers.
  const R tiny = L::denorm_min() * 4096, subnormal = L::min() / 8, huge = L::max() / 4;
  std::vector<T> list{T(tiny), T(subnormal), T(L::min()), T(huge), T(-subnormal)};
  if constexpr (is_complex<T>) {
    list.insert(list.end(), {T(0, subnormal), T(huge, huge), T(subnormal, -subnormal), T(huge, 1), T(0, -huge),
                             T(std::sqrt(L::max()), std::sqrt(L::max())), T(std::sqrt(L::min()) / 16, 0),
                             T(L::max() / 2, L::max() / 2 - L::max() / 64), T(-L::max() / 4, L::max() / 2),
                             T(3 * tiny, 2 * tiny), T(-tiny, 5 * tiny)});
  }
  return list;
}

TYPED_TEST(Pivots, DivideWhereAReciprocalCouldNot) {
  using T = TypeParam;
  std::mt19937 random(9);
  const unsigned thin = thinning();
  const std::vector<T> pivots = extremes<T>();
  const std::size_t one_in = strata(pivots.size());
  for (const Operation op : {Operation::Trsm, Operation::Trsv}) {
    std::size_t variant = 0;
    for (const Call& v : variants(op, precision_of<T>)) {
      if (v.diag == Diag::Unit) continue;
      ++variant;
      for (std::size_t pivot = 0; pivot < pivots.size(); ++pivot) {
        std::size_t shape = 0;
        for (const index order : {1, 2, 7, 16, 33, 70})
          for (const index others : {1, 3, 6, 9, 24, 40}) {  // packed with a table of environments_test.cpp only
            if (op == Operation::Trsv && others > 1) continue;
            for (const index every : {1, 5, 40}) {  // of 40: blocks of rows with such a pivot and others without
              if (std::max(every, others) > std::max<index>(order, 24)) continue;
              if ((variant + pivot + shape++) % one_in != 0 || random() % thin != 0) continue;
              solve_diagonal<T>(v, order, others, pivots[pivot], every);
              if (this->HasFatalFailure()) return;
            }
          }
      }
    }
  }
}

/// x / d in numbers of a wider range.
std::complex<long double> quotient_of(std::complex<long double> x, std::complex<long double> d) {
  const long double p = d.real(), q = d.imag(), re = x.real(), im = x.imag();
  if (std::abs(p) >= std::abs(q))
    return {(re + im * (q / p)) / (p + q * (q / p)), (im - re * (q / p)) / (p + q * (q / p))};
  return {(re * (p / q) + im) / (q + p * (p / q)), (im * (p / q) - re) / (q + p * (p / q))};
}

/// Of what is beyond all numbers an infinity; anything else with the error of a few roundings of the whole, or of its
/// own where `alone`.
template <class R>
testing::AssertionResult is_part(R got, long double wanted, long double whole, bool alone) {
  using L = std::numeric_limits<R>;
  const long double most = L::max(), few = 16 * L::epsilon();
  const long double allowed = few * (alone ? std::abs(wanted) : std::min(whole, most)) + 4 * L::denorm_min();
  const bool good = std::abs(wanted) > most ? std::isinf(got) && (got > 0) == (wanted > 0)
                                            : std::abs(static_cast<long double>(got) - wanted) <= allowed;
  if (good) return testing::AssertionSuccess();
  return testing::AssertionFailure() << got << " instead of " << wanted;
}

/// A diagonal of one pivot, beside a last one that only divides, and columns of one number.
template <class T>
void divide(Call c, index order, index others, T pivot, T number) {
  using R = real_t<T>;
  const bool vector = is_vector(c.operation), left = c.side == Side::Left || vector;
  c.m = left ? order : others;
  c.n = left && !vector ? others : order;
  c.lda = order;
  const index rows = c.m, columns = vector ? 1 : c.n;
  c.ldb = c.layout == Layout::ColMajor ? rows : columns;
  std::vector<T> a(static_cast<std::size_t>(order * order), T(0)), b(static_cast<std::size_t>(rows * columns), number);
  for (index i = 0; i < order; ++i) a[static_cast<std::size_t>(i * (order + 1))] = pivot;
  if (order > 1) a.back() = T(std::numeric_limits<R>::max() / 2);
  const T by = c.transa == Op::ConjTrans ? reference::conjugate(pivot) : pivot;
  const std::complex<long double> wanted = quotient_of(number, by);
  // An infinity would meet the zeros beside the diagonal.
  if (order > 1 && std::max(std::abs(wanted.real()), std::abs(wanted.imag())) > std::numeric_limits<R>::max()) return;
  c.a = a.data();
  c.b = b.data();
  execute(c);
  for (index i = 0; i < rows; ++i)
    for (index j = 0; j < columns; ++j) {
      if (order > 1 && (left ? i : j) == order - 1) continue;
      const T x = b[static_cast<std::size_t>(c.layout == Layout::ColMajor ? i + j * c.ldb : i * c.ldb + j)];
      const bool alone = pivot.real() == 0 || pivot.imag() == 0;
      ASSERT_TRUE(is_part(x.real(), wanted.real(), std::abs(wanted), alone)) << to_text(c) << number << by;
      ASSERT_TRUE(is_part(x.imag(), wanted.imag(), std::abs(wanted), alone)) << to_text(c) << number << by;
    }
}

// Sums of Smith's method that overflow or lose bits where the quotient does not, and parts beside one that has none.
TYPED_TEST(Pivots, DivideNumbersAsLargeAsAny) {
  using T = TypeParam;
  using R = real_t<T>;
  using L = std::numeric_limits<R>;
  if constexpr (is_complex<T>) {
    const R most = L::max(), tiny = L::min() / L::epsilon() / 8, unsafe = L::min() / 8;
    const T pivots[] = {{2, 2},
                        {1, 1},
                        {3, -1},
                        {R(0.75), R(0.75)},
                        {tiny, 0},
                        {0, -tiny},
                        {tiny, tiny / 64},
                        {1, 0},
                        {unsafe, 0},
                        {0, unsafe},
                        {tiny * 4096, tiny * 1024 + tiny}};
    const T numbers[] = {{most, most},
                         {most, -most},
                         {-most, 1},
                         {most, L::epsilon()},
                         {1 / tiny * 64, 1},
                         {2, L::denorm_min() * 64},
                         {L::min() / 512, L::min() / 128}};
    std::mt19937 random(3);
    const unsigned thin = thinning();
    const std::size_t one_in = strata(8);
    for (const Operation op : {Operation::Trsm, Operation::Trsv}) {
      std::size_t turn = 0;
      for (const Call& v : variants(op, precision_of<T>)) {
        if (v.diag == Diag::Unit) continue;
        for (const T& pivot : pivots)
          for (const T& number : numbers)
            for (const index order : {1, 3, 9, 20})
              for (const index others : {1, 2, 9}) {
                if ((op == Operation::Trsv && others > 1) || turn++ % one_in != 0 || random() % thin != 0) continue;
                divide<T>(v, order, others, pivot, number);
                if (this->HasFatalFailure()) return;
              }
      }
    }
  }
}

TYPED_TEST(Pivots, SubnormalsAreKeptInProducts) {
  using T = TypeParam;
  using R = real_t<T>;
  const R tiny = std::numeric_limits<R>::denorm_min();
  for (const Operation op : {Operation::Trmm, Operation::Trmv})
    for (Call c : variants(op, precision_of<T>)) {
      const index order = 19, others = op == Operation::Trmv ? 1 : 6;
      c.m = order, c.n = op == Operation::Trmv ? order : others;
      if (c.side == Side::Right) std::swap(c.m, c.n);
      c.lda = c.ldb = order + others;
      std::vector<T> a(static_cast<std::size_t>(c.lda * order), T(0)),
          b(static_cast<std::size_t>(c.ldb * c.ldb), T(tiny * 3));
      for (index i = 0; i < order; ++i) a[static_cast<std::size_t>(i * (c.lda + 1))] = T(1);
      c.a = a.data();
      c.b = b.data();
      execute(c);
      for (const T& v : b) ASSERT_EQ(v, T(tiny * 3)) << to_text(c);
    }
}

}  // namespace
}  // namespace trigon::test
