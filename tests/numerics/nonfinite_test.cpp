// NaN and Inf reach exactly the entries that depend on them, and singular triangles give the pattern of plain
// substitution: zeros hide nothing, padding spreads nothing.
#include "support/harness.hpp"
#include "support/thinning.hpp"
#include "support/variants.hpp"

#include <trigon/blas.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string_view>

namespace trigon::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

class NonFinite : public testing::TestWithParam<Operation> {
 protected:
  std::mt19937 random_{11};

  index below(index n) { return static_cast<index>(random_() % static_cast<unsigned long>(n)); }

  static Call sized(Call c, index order, index others) {
    set_sizes(c, order, others, others);
    const bool complex = is_complex_precision(c.precision);
    c.alpha = {-0.5, complex && c.operation != Operation::Herk ? 0.25 : 0};
    c.beta = 0.75;
    return c;
  }

  /// A referenced entry of an operand.
  std::pair<index, index> place(const Call& c, Argument operand) {
    const Extent e = extent(c, operand);
    index i = below(e.rows), j = below(e.cols);
    const bool half = operand == Argument::A ? !is_rank_k(c.operation) && c.operation != Operation::Gemm
                                             : operand == Argument::C && is_rank_k(c.operation);
    if (half && (i < j) == (c.uplo == Uplo::Lower)) std::swap(i, j);
    return {i, j};
  }

  void run(const Call& c, std::vector<Plant> plants) {
    Case it{c};
    it.operands.seed = random_();
    it.operands.place = random_() % 2 ? GuardedMemory::Place::EndsAtGuard : GuardedMemory::Place::StartsAtGuard;
    it.plants = std::move(plants);
    // A sum that a NaN joins early has no infinities that cancel, and what comes early is not said.
    const auto any = [&](auto is) {
      return std::ranges::any_of(it.plants, [&](const Plant& p) { return is(p.value.real()); });
    };
    it.check_flags = !(any([](double x) { return std::isnan(x); }) && any([](double x) { return std::isinf(x); }));
    it.repeat = false;
    const Outcome outcome = run_case([](const Call& call) { execute(call); }, it);
    EXPECT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
  }

  /// Each part of the result is finite, the same infinity or NaN as in `before`, where the reference has been.
  static void expect_alike(const Operands& o) {
    const Call& c = o.call();
    const Argument out = is_triangular(c.operation) ? Argument::B : Argument::C;
    const Extent e = extent(c, out);
    with_type(c.precision, [&](auto zero) {
      using T = decltype(zero);
      const auto entry = [&](const Call& call, index i, index j) {
        T* const data = static_cast<T*>(out == Argument::B ? call.b : call.c);
        return is_vector(c.operation)
                   ? reference::Strided<T>{data, call.n, call.incx}(i)
                   : reference::Stored<T>{data, out == Argument::B ? call.ldb : call.ldc, call.layout}(i, j);
      };
      const auto alike = [](real_t<T> x, real_t<T> y) {
        return std::isfinite(x) ? std::isfinite(y) : x == y || (std::isnan(x) && std::isnan(y));
      };
      for (index i = 0; i < e.rows; ++i)
        for (index j = 0; j < e.cols; ++j) {
          if (is_rank_k(c.operation) && i != j && (i < j) == (c.uplo == Uplo::Lower)) continue;
          const T got = entry(o.call(), i, j), expected = entry(o.before(), i, j);
          ASSERT_TRUE(alike(std::real(got), std::real(expected)) && alike(std::imag(got), std::imag(expected)))
              << "(" << i << ", " << j << ") is " << got << ", expected " << expected << "\n"
              << to_text(c);
        }
    });
  }

  template <class F>
  void each(F f) {
    // TRIGON_TEST_NONFINITE=N keeps one in N of those that are kept here: where the CPU's kernels have had them all.
    const unsigned thin = one_in("TRIGON_TEST_NONFINITE");
    int failures = 0;
    for (const Precision p : all_precisions)
      for (const Call& v : variants(GetParam(), p))
        for (const index order : {1, 2, 3, 6, 9, 17, 26, 41, 70, 130})
          for (const index others : {1, 5, 9, 30}) {
            if (is_vector(v.operation) && others > 1) continue;
            if (random_() % ((order > 40 ? 12 : 4) * thin) != 0) continue;
            f(sized(v, order, others));
            if (HasFailure() && ++failures == 5) FAIL() << "and perhaps more";
          }
  }

  std::vector<Plant> zeros_in_b(const Call& c) {
    std::vector<Plant> plants;
    const Extent e = extent(c, Argument::B);
    const index column = below(e.cols);
    for (index i = 0; i < e.rows; ++i)
      if (random_() % 2) plants.push_back({Argument::B, i, column, 0.0});
    return plants;
  }
};

TEST_P(NonFinite, OfAReachesWhatDependsOnIt) {
  each([&](const Call& c) {
    const auto [i, j] = place(c, Argument::A);  // a unit diagonal too: there it must not matter
    run(c, {{Argument::A, i, j, random_() % 2 || (is_triangular(c.operation) && i == j) ? nan : inf}});
  });
}

TEST_P(NonFinite, IsNotHiddenByZeros) {
  each([&](const Call& c) {
    if (c.operation == Operation::Syrk || c.operation == Operation::Herk) return;
    std::vector<Plant> plants = zeros_in_b(c);
    for (int count = 0; count < 3; ++count) {
      const auto [i, j] = place(c, Argument::A);
      if (i != j || c.diag == Diag::NonUnit) plants.push_back({Argument::A, i, j, i == j || count != 1 ? nan : inf});
    }
    run(c, plants);
  });
}

TEST_P(NonFinite, OfTheRightHandSideReachesItsColumnOnly) {
  each([&](const Call& c) {
    if (c.operation == Operation::Syrk || c.operation == Operation::Herk) return;
    const auto [i, j] = place(c, Argument::B);
    run(c, {{Argument::B, i, j, random_() % 2 ? nan : -inf}});
  });
}

TEST_P(NonFinite, OfCStaysInItsEntry) {
  each([&](const Call& c) {
    if (is_triangular(c.operation)) return;
    const auto [i, j] = place(c, Argument::C);
    run(c, {{Argument::C, i, j, random_() % 2 ? nan : inf}});
  });
}

/// Infinite scalars and NaNs meet what they scale, and raise what an ordinary BLAS raises. (Where sums are cut, or two,
/// or B may be scaled first, an infinite alpha is another matter: infinities of both signs may or may not meet.)
TEST_P(NonFinite, ScalarsMeetNothingElse) {
  each([&](Call c) {
    if (is_vector(c.operation) || c.operation == Operation::Trmm) return;
    const bool twice = c.operation == Operation::Syr2k || c.operation == Operation::Her2k;
    const double scalars[] = {inf, -inf, nan};
    const double scalar = scalars[random_() % 3];
    const bool of_product = c.operation == Operation::Trsm || !((twice && !std::isnan(scalar)) || random_() % 2);
    (of_product ? c.alpha : c.beta) = scalar;
    Operands o(c, {.seed = random_()});
    std::feclearexcept(FE_ALL_EXCEPT);
    execute(o.call());
    const int raised = std::fetestexcept(FE_INVALID);
    std::feclearexcept(FE_ALL_EXCEPT);
    reference::execute_plain(o.before());
    EXPECT_TRUE(!raised || std::fetestexcept(FE_INVALID)) << "spurious invalid\n" << to_text(c);
    expect_alike(o);
  });
}

/// HERK's and HER2K's beta is a real number: an infinite part of an entry stays in that part.
TEST(NonFinitePart, OfCStaysInItsPart) {
  std::mt19937 random{12};
  const auto check = [&]<class T>(T, index n, index k, Uplo uplo, bool two) {
    using R = real_t<T>;
    std::vector<T> a(static_cast<std::size_t>(n * k)), b = a, c(static_cast<std::size_t>(n * n));
    for (auto* v : {&a, &b, &c})
      for (T& x : *v) x = T(R(random() % 8) - 3, R(random() % 8) - 3);
    std::vector<std::size_t> hit;
    for (index j = 0; j < n; ++j)
      for (index i = 0; i < n; ++i)
        if (i != j && (i > j) == (uplo == Uplo::Lower) && random() % 4 == 0) {
          hit.push_back(static_cast<std::size_t>(i + j * n));
          c[hit.back()] = random() % 2 ? T(1, R(inf)) : T(R(-inf), 1);
        }
    const std::vector<T> before = c;
    if (two)
      her2k<T>(Layout::ColMajor, uplo, Op::NoTrans, n, k, T(R(0.5), 1), a.data(), n, b.data(), n, R(0.5), c.data(), n);
    else
      herk<T>(Layout::ColMajor, uplo, Op::NoTrans, n, k, R(0.5), a.data(), n, R(0.5), c.data(), n);
    for (const std::size_t at : hit) {
      const bool real = std::isinf(before[at].real());
      ASSERT_EQ(real ? c[at].real() : c[at].imag(), real ? -inf : inf) << n << ' ' << k << ' ' << two;
      ASSERT_TRUE(std::isfinite(real ? c[at].imag() : c[at].real())) << n << ' ' << k << ' ' << two;
    }
  };
  for (const index n : {2, 3, 5, 8, 13, 17, 30, 47, 70, 130, 300})
    for (const index k : {0, 1, 3, 9, 40, 300}) {
      // Where kernels are interpreted.
      if (std::getenv("TRIGON_TEST_SWEEP") && n * n * k > 1'500'000) continue;
      for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
        for (const bool two : {false, true}) {
          check(std::complex<float>{}, n, k, uplo, two);
          check(std::complex<double>{}, n, k, uplo, two);
        }
    }
}

class NonFiniteUnit : public NonFinite {};

/// A unit diagonal is no factor: (1, 0) times an infinity is a NaN in the other part.
TEST_P(NonFiniteUnit, KeepsThePartsOfComplexNumbersApart) {
  const std::complex<double> values[] = {{inf, 0}, {0, -inf}, {nan, 1}, {-1, nan}, {-inf, inf}};
  // Rectangles between the leaves of CUDA's recursion are scaled by 1 and -1 as by any complex number.
  const char* const backend = std::getenv("TRIGON_BACKEND");
  const index most = backend && std::string_view(backend).starts_with("cuda") ? 32 : 130;
  const auto check = [&](Call c) {
    if (c.diag == Diag::NonUnit || !is_complex_precision(c.precision) || extent(c, Argument::A).rows > most) return;
    c.alpha = 1;
    Operands o(c, {.seed = random_()});
    for (int count = 0; count < 2; ++count) {
      const auto [i, j] = place(c, Argument::B);
      o.plant(Argument::B, i, j, values[below(5)]);
    }
    execute(o.call());
    reference::execute(o.before());
    expect_alike(o);
  };
  for (int round = 0; round < (is_vector(GetParam()) ? 8 : 1); ++round) each(check);  // of few variants
}

class NonFinitePivot : public NonFinite {};

TEST_P(NonFinitePivot, OfASingularTriangleIsTheReferences) {
  each([&](const Call& c) {
    if (c.diag == Diag::Unit) return;
    std::vector<Plant> plants;
    const index order = extent(c, Argument::A).rows;
    for (int count = 0; count < 2; ++count) {
      const index i = below(order);
      plants.push_back({Argument::A, i, i, random_() % 2 ? 0.0 : -0.0});
    }
    run(c, plants);
    const std::vector<Plant> zeros = zeros_in_b(c);
    plants.insert(plants.end(), zeros.begin(), zeros.end());
    run(c, plants);
  });
}

TEST_P(NonFinitePivot, OfAnInfinitePivotIsTheReferences) {
  each([&](const Call& c) {
    if (c.diag == Diag::Unit || is_complex_precision(c.precision)) return;
    const index i = below(extent(c, Argument::A).rows);
    run(c, {{Argument::A, i, i, random_() % 2 ? inf : -inf}});
  });
}

INSTANTIATE_TEST_SUITE_P(All, NonFinite, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

INSTANTIATE_TEST_SUITE_P(Triangular, NonFiniteUnit,
                         testing::Values(Operation::Trmm, Operation::Trsm, Operation::Trmv, Operation::Trsv),
                         [](const auto& info) { return std::string(name(info.param)); });

INSTANTIATE_TEST_SUITE_P(Solves, NonFinitePivot, testing::Values(Operation::Trsm, Operation::Trsv),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace trigon::test
