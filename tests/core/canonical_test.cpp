// The canonical form against the definition: which element each view names, for every variant.
#include "core/canonical.hpp"
#include "support/variants.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <vector>

namespace trigon::core {
namespace {

using namespace trigon::test;
using T = std::complex<double>;

/// Entry (i, j) of a matrix is named i + 100 j + 1 times the unit 1 + 2 sqrt(-1), so that conjugation shows.
T label(index i, index j) { return T(1, 2) * static_cast<double>(i + 100 * j + 1); }

struct Labelled {
  std::vector<T> memory;
  index ld;
  Labelled(index rows, index cols, Layout layout) : ld((layout == Layout::ColMajor ? rows : cols) + 2) {
    memory.resize(static_cast<std::size_t>(ld * std::max(rows, cols) + 1));
    for (index i = 0; i < rows; ++i)
      for (index j = 0; j < cols; ++j)
        memory[static_cast<std::size_t>(layout == Layout::ColMajor ? i + j * ld : i * ld + j)] = label(i, j);
  }
};

T at(const Operand& o, index i, index j) {
  const T v = static_cast<const T*>(o.handle)[o.offset + i * o.row_stride + j * o.col_stride];
  return o.conj ? std::conj(v) : v;
}
T applied_label(Op op, index i, index j) {
  return op == Op::NoTrans ? label(i, j) : op == Op::Trans ? label(j, i) : std::conj(label(j, i));
}

void expect_matrix(const Operand& o, index rows, index cols, auto expected, const std::string& where) {
  ASSERT_EQ(o.rows, rows) << where;
  ASSERT_EQ(o.cols, cols) << where;
  for (index i = 0; i < rows; ++i)
    for (index j = 0; j < cols; ++j) ASSERT_EQ(at(o, i, j), expected(i, j)) << where << ": " << i << ", " << j;
}

class Canonical : public testing::TestWithParam<Operation> {};

TEST_P(Canonical, NamesTheRightElements) {
  for (Call c : variants(GetParam(), Precision::ComplexDouble)) {
    c.m = 4, c.n = 5, c.k = 3;
    if (is_vector(c.operation)) c.n = 4;
    const bool right = has_side(c.operation) && c.side == Side::Right;
    const index order = right ? c.n : c.m;
    const Extent ea = extent(c, Argument::A), eb = extent(c, Argument::B), ec = extent(c, Argument::C);
    Labelled a(ea.rows, ea.cols, c.layout), b(eb.rows, eb.cols, c.layout), r(ec.rows, ec.cols, c.layout);
    c.a = a.memory.data(), c.lda = a.ld;
    c.b = b.memory.data(), c.ldb = b.ld;
    c.c = r.memory.data(), c.ldc = r.ld;
    c.incx = c.layout == Layout::ColMajor ? 1 : b.ld;
    const Request q = canonical(c);
    const std::string text = to_text(c);
    const auto plain = [&](index i, index j) { return right ? label(j, i) : label(i, j); };
    switch (c.operation) {
      case Operation::Gemm:
        expect_matrix(
            q.a, 4, 3, [&](index i, index j) { return applied_label(c.transa, i, j); }, text);
        expect_matrix(
            q.b, 3, 5, [&](index i, index j) { return applied_label(c.transb, i, j); }, text);
        expect_matrix(q.c, 4, 5, label, text);
        break;
      case Operation::Symm:
      case Operation::Hemm:
        expect_matrix(q.a, order, order, plain, text);
        expect_matrix(q.b, order, 20 / order, plain, text);
        expect_matrix(q.c, order, 20 / order, plain, text);
        EXPECT_EQ(q.uplo == c.uplo, !right) << text;
        break;
      case Operation::Syr2k:
      case Operation::Her2k:
        expect_matrix(
            q.b, 5, 3, [&](index i, index j) { return applied_label(c.transa, i, j); }, text);
        [[fallthrough]];
      case Operation::Syrk:
      case Operation::Herk:
        expect_matrix(
            q.a, 5, 3, [&](index i, index j) { return applied_label(c.transa, i, j); }, text);
        expect_matrix(q.c, 5, 5, label, text);
        EXPECT_EQ(q.uplo, c.uplo) << text;
        break;
      default:
        expect_matrix(
            q.a, order, order,
            [&](index i, index j) { return right ? applied_label(c.transa, j, i) : applied_label(c.transa, i, j); },
            text);
        expect_matrix(q.b, order, is_vector(c.operation) ? 1 : 20 / order, plain, text);
        EXPECT_EQ(q.uplo == c.uplo, (c.transa == Op::NoTrans) != right) << text;
        EXPECT_EQ(q.diag, c.diag);
    }
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Canonical, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST(CanonicalVector, StartsAtTheFarEndWhenTheIncrementIsNegative) {
  Call c = parse_call("dtrsv n=4 incx=-3");
  double x[10];
  c.b = x;
  const Request r = canonical(c);
  EXPECT_EQ(r.b.offset, 9);
  EXPECT_EQ(r.b.row_stride, -3);
  EXPECT_EQ(r.alpha, 1.0);
}

TEST(CanonicalReal, HasNoConjugate) {
  for (const Operation op : {Operation::Gemm, Operation::Trsm, Operation::Syrk}) {
    Call c;
    c.operation = op;
    c.transa = c.transb = Op::ConjTrans;
    c.m = c.n = c.k = 2;
    c.lda = c.ldb = c.ldc = 2;
    EXPECT_FALSE(canonical(c).a.conj);
    EXPECT_FALSE(canonical(c).b.conj);
  }
}

}  // namespace
}  // namespace trigon::core
