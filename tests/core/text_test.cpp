// Calls as text and back, and what is said about text that is no call.
#include "support/variants.hpp"

#include <trigon/call.hpp>
#include <trigon/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace trigon::test {
namespace {

bool same(const Call& x, const Call& y) {
  return x.operation == y.operation && x.precision == y.precision && x.layout == y.layout && x.side == y.side &&
         x.uplo == y.uplo && x.transa == y.transa && x.transb == y.transb && x.diag == y.diag && x.m == y.m &&
         x.n == y.n && x.k == y.k && x.alpha == y.alpha && x.beta == y.beta && x.lda == y.lda && x.ldb == y.ldb &&
         x.ldc == y.ldc && x.incx == y.incx;
}

TEST(Text, RoundTripsEveryVariant) {
  for (const Operation op : all_operations())
    for (const Precision p : all_precisions)
      for (Call c : variants(op, p)) {
        // Only what the operation has survives, so only that is set.
        const auto has = [&](Argument a) { return position(op, a, false) != 0; };
        if (has(Argument::M)) c.m = 123456789012;
        if (has(Argument::N)) c.n = 7;
        if (has(Argument::K)) c.k = 3;
        c.lda = 1234567890123;
        if (has(Argument::Ldb)) c.ldb = 99;
        if (has(Argument::Ldc)) c.ldc = 98;
        if (has(Argument::Incx)) c.incx = -5;
        if (has(Argument::Alpha)) c.alpha = {0.1, is_complex_precision(p) && op != Operation::Herk ? -1e-300 : 0};
        if (has(Argument::Beta)) c.beta = {-2.5e+17, 0};
        const Call back = parse_call(to_text(c));
        EXPECT_TRUE(same(c, back)) << to_text(c) << "\n" << to_text(back);
      }
}

/// The same number, zeros of both signs told apart.
testing::AssertionResult identical(std::complex<double> x, std::complex<double> y) {
  if (x == y && std::signbit(x.real()) == std::signbit(y.real()) && std::signbit(x.imag()) == std::signbit(y.imag()))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << x << " became " << y;
}

TEST(Text, RoundTripsScalarsExactly) {
  for (const double v : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 0.0, -0.0, 6.02e23}) {
    Call c = parse_call("zgemm");
    c.alpha = {v, -v};
    c.beta = {1, v};
    const Call back = parse_call(to_text(c));
    EXPECT_TRUE(identical(c.alpha, back.alpha));
    EXPECT_TRUE(identical(c.beta, back.beta));
  }
  Call c = parse_call("dgemm");
  c.alpha = std::numeric_limits<double>::infinity();
  c.beta = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(parse_call(to_text(c)).alpha, c.alpha);
  EXPECT_TRUE(std::isnan(parse_call(to_text(c)).beta.real()));
}

TEST(Text, OfARealRoutineHasRealScalars) {
  Call c = parse_call("dgemm m=3 n=2 k=1");
  c.alpha = {2, 1};
  c.beta = {3, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(parse_call(to_text(c)).alpha, 2.0);
  EXPECT_EQ(parse_call(to_text(c)).beta, 3.0);
}

TEST(Text, TakesFieldsInAnyOrderAndChoosesTheSmallestLeadingDimensions) {
  const Call c = parse_call("  dtrsm n=3   side=r m=5 # seconds=1 m=77");
  EXPECT_EQ(c.m, 5);
  EXPECT_EQ(c.n, 3);
  EXPECT_EQ(c.side, Side::Right);
  EXPECT_EQ(c.lda, 3);
  EXPECT_EQ(c.ldb, 5);
  EXPECT_EQ(parse_call("dgemm layout=R m=5 n=3 k=2").ldc, 3);
}

TEST(Text, NamesTheBadWord) {
  const std::pair<const char*, const char*> bad[] = {
      {"", "no routine"},
      {"   # only a comment", "no routine"},
      {"trsm m=3", "trsm"},
      {"xtrsm m=3", "xtrsm"},
      {"dtrsm5", "dtrsm5"},
      {"dtrsm m", "'m'"},
      {"dtrsm m=", "m="},
      {"dtrsm m=3.5", "3.5"},
      {"dtrsm m=3x", "3x"},
      {"dtrsm m=99999999999999999999", "99999999999999999999"},
      {"dtrsm side=X", "side=X"},
      {"dtrsm side=LL", "side=LL"},
      {"dtrsm uplo=", "uplo="},
      {"dtrsm alpha=one", "one"},
      {"ztrsm alpha=1,", "alpha=1,"},
      {"ztrsm alpha=1,2,3", "alpha=1,2,3"},
      {"dtrsm what=3", "what"},
      {"dtrsm dtrsm", "dtrsm"},
      {"dtrsm m=3 n=2 m=3", "'m=3': given twice"},
      {"dsyrk trans=T transa=N", "'transa=N': given twice"},
      {"dtrsm beta=2", "'beta=2': dtrsm has no beta"},
      {"dtrsm ldc=3", "'ldc=3': dtrsm has no ldc"},
      {"dsyrk m=3", "'m=3': dsyrk has no m"},
      {"dtrsv n=3 alpha=2", "dtrsv has no alpha"},
      {"dtrsm m=3 n=2 lda=0", "'lda=0': must be at least 1"},
      {"dtrsm alpha=1,2", "'alpha=1,2': dtrsm takes a real alpha"},
      {"zherk alpha=1,2", "zherk takes a real alpha"},
      {"cher2k alpha=1,2 beta=1,2", "'beta=1,2': cher2k takes a real beta"},
  };
  for (const auto& [text, word] : bad) {
    try {
      parse_call(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const error& e) {
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << text << " -> " << e.what();
    }
  }
}

TEST(Text, SurvivesArbitraryBytes) {
  std::uint32_t state = 1;
  for (int round = 0; round < 20000; ++round) {
    std::string text = round % 2 ? "ztrsm side=L uplo=U m=3 alpha=1,2" : "";
    for (int i = 0; i < 12; ++i) {
      state = state * 1664525 + 1013904223;
      const char byte = static_cast<char>(state >> 24);
      if (text.empty() || state % 3 == 0)
        text += byte;
      else
        text[(state >> 8) % text.size()] = byte;
    }
    try {
      const Call c = parse_call(text);
      EXPECT_TRUE(same(parse_call(to_text(c)), parse_call(to_text(parse_call(to_text(c)))))) << text;
    } catch (const error&) {
      // the promised answer
    }
  }
}

}  // namespace
}  // namespace trigon::test
