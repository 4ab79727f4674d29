// Deliberately broken implementations: for each class of defect the harness must say what is wrong.
// A harness that lets one of these through proves nothing about the library.
#include "support/harness.hpp"

#include <trigon/reference.hpp>

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace trigon::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr auto at_end = GuardedMemory::Place::EndsAtGuard;
constexpr auto at_start = GuardedMemory::Place::StartsAtGuard;

void right(const Call& c) { reference::execute_plain(c); }

double* d(void* p) { return static_cast<double*>(p); }
const double* d(const void* p) { return static_cast<const double*>(p); }

struct Mutant {
  const char* name;
  Implementation broken;
  Case where;
  Failure expected;
};

Case on(const char* text, OperandOptions options = {}, std::vector<Plant> plants = {}) {
  Call c = parse_call(text);
  c.lda = c.ldb = c.ldc = 0;  // the operands choose, padded
  return {.call = c, .operands = options, .plants = std::move(plants)};
}

void alpha_ignored(const Call& c) {
  Call m = c;
  m.alpha = 1;
  right(m);
}

void wrong_triangle(const Call& c) {
  Call m = c;
  m.uplo = c.uplo == Uplo::Lower ? Uplo::Upper : Uplo::Lower;
  right(m);
}

void unit_diagonal_read(const Call& c) {
  Call m = c;
  m.diag = Diag::NonUnit;
  right(m);
}

void conjugation_forgotten(const Call& c) {
  Call m = c;
  m.transa = Op::Trans;
  right(m);
}

void c_read_although_beta_is_zero(const Call& c) {
  const double before = d(c.c)[0];
  right(c);
  d(c.c)[0] += 0 * before;
}

void padding_written(const Call& c) {
  right(c);
  d(c.b)[c.m] = 0;
}

void other_triangle_written(const Call& c) {
  right(c);
  d(c.c)[c.uplo == Uplo::Lower ? c.ldc : 1] = 0;
}

void input_written(const Call& c) {
  right(c);
  const_cast<double*>(d(c.a))[0] = 1;
}

void one_past_read(const Call& c) {
  right(c);
  const volatile double past = d(c.a)[(c.m - 1) * c.lda + c.m];
  (void)past;
}

void one_before_read(const Call& c) {
  right(c);
  const volatile double early = d(c.b)[-1];
  (void)early;
}

void a_read_although_alpha_is_zero(const Call& c) {
  right(c);
  const volatile double read = d(c.a)[0];
  (void)read;
}

/// netlib up to 3.12: a zero right-hand side hides what A has in that column.
void nan_swallowed(const Call& c) {
  double* b = d(c.b);
  const double* a = d(c.a);
  for (index j = 0; j < c.n; ++j)
    for (index k = 0; k < c.m; ++k) {
      double& x = b[k + j * c.ldb];
      if (x == 0) continue;
      x /= a[k + k * c.lda];
      for (index i = k + 1; i < c.m; ++i) b[i + j * c.ldb] -= x * a[i + k * c.lda];
    }
}

/// Packing that fills the other triangle with zeros: zero times NaN reaches rows that do not depend on it.
void nan_spread(const Call& c) {
  right(c);
  bool poisoned = false;
  for (index i = 0; i < c.m; ++i) poisoned = poisoned || std::isnan(d(c.b)[i]);
  if (poisoned)
    for (index i = 0; i < c.m; ++i) d(c.b)[i] = nan;
}

void reciprocal(const Call& c) {
  const double inverse = 1 / d(c.a)[0];
  d(c.b)[0] *= inverse;
}

/// X := A^-1 B with the inverse formed by substitution.
void block_inverse(const Call& c) {
  const index n = c.m;
  std::vector<double> inverse(static_cast<std::size_t>(n * n)), b(static_cast<std::size_t>(n * c.n));
  for (index i = 0; i < n; ++i) inverse[static_cast<std::size_t>(i + i * n)] = 1;
  Call solve = c;
  solve.n = n;
  solve.alpha = 1;
  solve.b = inverse.data();
  solve.ldb = n;
  right(solve);
  for (index j = 0; j < c.n; ++j)
    for (index i = 0; i < n; ++i) b[static_cast<std::size_t>(i + j * n)] = d(c.b)[i + j * c.ldb];
  Call product = c;
  product.operation = Operation::Gemm;
  product.m = product.k = n;
  product.transa = product.transb = Op::NoTrans;
  product.a = inverse.data();
  product.lda = n;
  product.b = b.data();
  product.ldb = n;
  product.c = c.b;
  product.ldc = c.ldb;
  product.beta = 0;
  right(product);
}

void wrong_beyond_a_size(const Call& c) {
  right(c);
  if (c.m > 256) d(c.b)[256] *= 1 + 1e-9;
}

void hermitian_diagonal_not_real(const Call& c) {
  right(c);
  static_cast<std::complex<double>*>(c.c)[0] += std::complex<double>(0, 1e-300);
}

void hermitian_diagonal_read(const Call& c) {
  right(c);
  const auto stored = static_cast<const std::complex<double>*>(c.a)[0];
  static_cast<std::complex<double>*>(c.c)[0] += 0 * stored.imag();
}

void spurious_flag(const Call& c) {
  right(c);
  volatile double zero = 0;
  volatile double quotient = zero / zero;
  (void)quotient;
}

void rounding_left_changed(const Call& c) {
  right(c);
  std::fesetround(FE_UPWARD);
}

#if defined(__x86_64__)
void flush_to_zero_left_on(const Call& c) {
  right(c);
  _mm_setcsr(_mm_getcsr() | 0x8000);
}
void subnormals_flushed(const Call& c) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);
  for (index i = 0; i < c.m; ++i) d(c.b)[i] *= d(c.a)[i + i * c.lda];
  _mm_setcsr(before);
}
#endif

/// Bits that depend on what happened before, as with a buffer that is not cleared.
void depends_on_history(const Call& c) {
  static int calls = 0;
  right(c);
  if (++calls % 2 == 0) d(c.c)[0] = std::nextafter(d(c.c)[0], 1e300);
}

void throws(const Call&) { throw std::runtime_error("broken"); }

void PrintTo(const Mutant& m, std::ostream* out) { *out << m.name; }

std::vector<Mutant> mutants() {
  return {
    {"AlphaIgnored", alpha_ignored, on("dtrmm m=9 n=5 alpha=0.75"), Failure::Accuracy},
        {"AlphaIgnoredInASolve", alpha_ignored, on("ctrsm side=R m=9 n=5 alpha=0.75,1"), Failure::Accuracy},
        {"WrongTriangleRead", wrong_triangle, on("strsm m=17 n=5"), Failure::Accuracy},
        {"UnitDiagonalRead", unit_diagonal_read, on("ztrmm m=17 n=5 diag=U"), Failure::Accuracy},
        {"ConjugationForgotten", conjugation_forgotten, on("ztrsm m=4 n=2 transa=C"), Failure::Accuracy},
        {"CReadAlthoughBetaIsZero", c_read_although_beta_is_zero, on("dgemm m=5 n=6 k=7"), Failure::Accuracy},
        {"PaddingWritten", padding_written, on("dtrsm m=8 n=3"), Failure::Intrusion},
        {"OtherTriangleWritten", other_triangle_written, on("dsyrk n=6 k=3 beta=1"), Failure::Intrusion},
        {"InputWritten", input_written, on("dsymm m=6 n=3"), Failure::Crash},
        {"OnePastRead", one_past_read, on("dtrsm m=8 n=3", {.padding = 0, .place = at_end}), Failure::Crash},
        {"OneBeforeRead", one_before_read, on("dtrsm m=8 n=3", {.place = at_start}), Failure::Crash},
        {"AReadAlthoughAlphaIsZero", a_read_although_alpha_is_zero, on("dgemm m=3 n=3 k=3 alpha=0 beta=2"),
         Failure::Crash},
        {"NanSwallowed", nan_swallowed,
         on("dtrsm m=6 n=1", {}, {{Argument::A, 3, 1, nan}, {Argument::B, 0, 0, 0.0}, {Argument::B, 1, 0, 0.0}}),
         Failure::Accuracy},
        {"NanSpread", nan_spread, on("dtrmm m=6 n=1", {}, {{Argument::A, 5, 2, nan}}), Failure::Accuracy},
        {"Reciprocal", reciprocal,
         on("dtrsm m=1 n=1", {}, {{Argument::A, 0, 0, 0x1p-1040}, {Argument::B, 0, 0, 0x1p-1040}}), Failure::Accuracy},
        {"BlockInverse", block_inverse, on("dtrsm m=128 n=4 diag=U", {.ill_conditioned = true}), Failure::Accuracy},
        {"BlockInverseOfPivots", block_inverse, on("dtrsm m=16 n=4 transa=T uplo=U", {.ill_conditioned = true}),
         Failure::Accuracy},
        {"WrongBeyondASize", wrong_beyond_a_size, on("dtrmm m=257 n=3"), Failure::Accuracy},
        {"HermitianDiagonalNotReal", hermitian_diagonal_not_real, on("zherk n=5 k=3 beta=1"), Failure::Accuracy},
        {"HermitianDiagonalRead", hermitian_diagonal_read, on("zhemm m=5 n=3"), Failure::Accuracy},
        {"SpuriousFlag", spurious_flag, on("dtrmm m=5 n=3"), Failure::Flags},
        {"SpuriousFlagBesideAnInfinity", spurious_flag, on("dtrmm m=5 n=3", {}, {{Argument::B, 0, 0, inf}}),
         Failure::Flags},
        {"RoundingLeftChanged", rounding_left_changed, on("dtrmm m=5 n=3"), Failure::ControlState},
#if defined(__x86_64__)
        {"FlushToZeroLeftOn", flush_to_zero_left_on, on("dtrmm m=5 n=3"), Failure::ControlState},
        {"SubnormalsFlushed", subnormals_flushed,
         on("dtrmm m=1 n=1", {}, {{Argument::A, 0, 0, 1.5}, {Argument::B, 0, 0, 0x1p-1060}}), Failure::Accuracy},
#endif
        {"DependsOnHistory", depends_on_history, on("dgemm m=5 n=6 k=7"), Failure::Unrepeatable},
        {"Throws", throws, on("dgemm m=5 n=6 k=7"), Failure::Exception},
  };
}

class Mutants : public testing::TestWithParam<Mutant> {};

TEST_P(Mutants, AreCaught) {
  const Mutant& m = GetParam();
  const Outcome sound = run_case_in_child(right, m.where);
  EXPECT_TRUE(sound.ok()) << sound.failure << ": " << sound.words;
  const Outcome caught = run_case_in_child(m.broken, m.where);
  EXPECT_EQ(caught.failure, m.expected) << caught.words;
}

INSTANTIATE_TEST_SUITE_P(All, Mutants, testing::ValuesIn(mutants()), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace trigon::test
