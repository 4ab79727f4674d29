// The oracle against dense matrices of integers, where every answer is exact.
#include "support/variants.hpp"

#include <trigon/operands.hpp>
#include <trigon/reference.hpp>

#include <gtest/gtest.h>

#include <random>

namespace trigon::test {
namespace {

using Number = std::complex<double>;

/// A dense matrix, spelled out: no layout, no triangle, no op.
struct Dense {
  index rows, columns;
  std::vector<Number> entries = std::vector<Number>(static_cast<std::size_t>(rows * columns));
  Number& operator()(index i, index j) { return entries[static_cast<std::size_t>(i + j * rows)]; }
  Number operator()(index i, index j) const { return entries[static_cast<std::size_t>(i + j * rows)]; }
};

Dense operator*(const Dense& a, const Dense& b) {
  Dense c{a.rows, b.columns};
  for (index i = 0; i < a.rows; ++i)
    for (index j = 0; j < b.columns; ++j)
      for (index l = 0; l < a.columns; ++l) c(i, j) += a(i, l) * b(l, j);
  return c;
}
Dense operator+(Dense a, const Dense& b) {
  for (std::size_t i = 0; i < a.entries.size(); ++i) a.entries[i] += b.entries[i];
  return a;
}
Dense operator*(Number s, Dense a) {
  for (Number& v : a.entries) v *= s;
  return a;
}
Dense apply(Op op, const Dense& a) {
  if (op == Op::NoTrans) return a;
  Dense t{a.columns, a.rows};
  for (index i = 0; i < a.rows; ++i)
    for (index j = 0; j < a.columns; ++j) t(j, i) = op == Op::ConjTrans ? std::conj(a(i, j)) : a(i, j);
  return t;
}

/// What a stored triangle stands for.
Dense expand(const Call& c, Dense a) {
  const bool lower = c.uplo == Uplo::Lower;
  for (index i = 0; i < a.rows; ++i)
    for (index j = 0; j < a.columns; ++j) {
      const bool stored = i == j || (i > j) == lower;
      if (is_triangular(c.operation)) {
        if (!stored) a(i, j) = 0;
        if (i == j && c.diag == Diag::Unit) a(i, j) = 1;
      } else if (!stored) {
        a(i, j) = c.operation == Operation::Hemm ? std::conj(a(j, i)) : a(j, i);
      }
    }
  if (c.operation == Operation::Hemm)
    for (index i = 0; i < a.rows; ++i) a(i, i) = a(i, i).real();
  return a;
}

class Oracle : public testing::TestWithParam<Operation> {
 protected:
  std::mt19937 random_{7};

  Number number(Precision p) {
    const auto small = [&] { return static_cast<double>(static_cast<int>(random_() % 7) - 3); };
    const double re = small();
    return is_complex_precision(p) ? Number(re, small()) : Number(re);
  }
  Dense dense(Precision p, index rows, index columns) {
    Dense d{rows, columns};
    for (Number& v : d.entries) v = number(p);
    return d;
  }

  template <class T>
  static std::vector<T> store(const Dense& d, Layout layout, index ld) {
    std::vector<T> memory(static_cast<std::size_t>(ld * std::max(d.rows, d.columns) + 1), T(99));
    const reference::Stored<T> s{memory.data(), ld, layout};
    for (index i = 0; i < d.rows; ++i)
      for (index j = 0; j < d.columns; ++j) s(i, j) = reference::scalar<T>(d(i, j));
    return memory;
  }
  template <class T>
  static Dense load(std::vector<T>& memory, const Dense& like, Layout layout, index ld) {
    Dense d{like.rows, like.columns};
    const reference::Stored<T> s{memory.data(), ld, layout};
    for (index i = 0; i < d.rows; ++i)
      for (index j = 0; j < d.columns; ++j) d(i, j) = Number(s(i, j));
    return d;
  }

  /// The definition of the operation on dense matrices; for solves, op(A) X of the result.
  static Dense expected(const Call& c, const Dense& a, const Dense& b, const Dense& old) {
    const bool left = c.side == Side::Left;
    const Op adjoint = is_hermitian(c.operation) ? Op::ConjTrans : Op::Trans;
    switch (c.operation) {
      case Operation::Gemm: return c.alpha * (apply(c.transa, a) * apply(c.transb, b)) + c.beta * old;
      case Operation::Symm:
      case Operation::Hemm: return c.alpha * (left ? expand(c, a) * b : b * expand(c, a)) + c.beta * old;
      case Operation::Syrk:
      case Operation::Herk: {
        const Dense f = apply(c.transa, a);
        return c.alpha * (f * apply(adjoint, f)) + c.beta * old;
      }
      case Operation::Syr2k:
      case Operation::Her2k: {
        const Dense f = apply(c.transa, a), g = apply(c.transa, b);
        const Number second = is_hermitian(c.operation) ? std::conj(c.alpha) : c.alpha;
        return c.alpha * (f * apply(adjoint, g)) + second * (g * apply(adjoint, f)) + c.beta * old;
      }
      default: break;
    }
    const Dense t = apply(c.transa, expand(c, a));
    return c.alpha * (left ? t * old : old * t);
  }

  template <class T>
  void check(Call c) {
    const Precision p = c.precision;
    const index m = c.m, n = c.n, k = c.k, order = c.side == Side::Left ? m : n, ld = 9;
    const auto turned = [](Op op, index r, index s) { return op == Op::NoTrans ? std::pair{r, s} : std::pair{s, r}; };
    auto [ar, ac] = std::pair{order, order};
    auto [br, bc] = std::pair{m, n};
    if (c.operation == Operation::Gemm) {
      std::tie(ar, ac) = turned(c.transa, m, k);
      std::tie(br, bc) = turned(c.transb, k, n);
    } else if (is_rank_k(c.operation)) {
      std::tie(ar, ac) = turned(c.transa, n, k);
      std::tie(br, bc) = turned(c.transa, n, k);
    }
    Dense a = dense(p, ar, ac), b = dense(p, br, bc), old = dense(p, is_rank_k(c.operation) ? n : m, n);
    if (is_solve(c.operation) && c.diag == Diag::NonUnit)  // pivots that divide exactly
      for (index i = 0; i < order; ++i)
        a(i, i) = i % 2 ? Number(-1) : is_complex_precision(p) ? Number(0, 1) : Number(2);
    if (is_hermitian(c.operation) && is_rank_k(c.operation))
      for (index i = 0; i < n; ++i) old(i, i) = old(i, i).real();
    Dense in = old;
    if (is_solve(c.operation)) {  // the right-hand side of a known solution
      Call product = c;
      product.operation = c.operation == Operation::Trsm ? Operation::Trmm : Operation::Trmv;
      product.alpha = 1;
      in = expected(product, a, b, old);
    }
    auto ma = store<T>(a, c.layout, ld), mb = store<T>(b, c.layout, ld), mc = store<T>(in, c.layout, ld);
    c.a = ma.data();
    c.b = is_triangular(c.operation) ? mc.data() : mb.data();
    c.c = mc.data();
    c.lda = c.ldb = c.ldc = ld;
    c.incx = c.layout == Layout::ColMajor ? 1 : ld;
    Call run = c;
    if (is_vector(c.operation)) run.n = m;  // here x is an m x 1 matrix
    reference::execute(run);
    const Dense want = is_solve(c.operation) ? c.alpha * old : expected(c, a, b, old);
    const Dense got = load(mc, old, c.layout, ld);
    for (index i = 0; i < got.rows; ++i)
      for (index j = 0; j < got.columns; ++j) {
        const bool outside = is_rank_k(c.operation) && i != j && (i > j) != (c.uplo == Uplo::Lower);
        ASSERT_EQ(got(i, j), outside ? old(i, j) : want(i, j)) << to_text(c) << " at " << i << ", " << j;
      }
  }
};

TEST_P(Oracle, IsExactOnIntegers) {
  const Operation op = GetParam();
  for (const Precision p : all_precisions)
    for (Call c : variants(op, p)) {
      c.m = is_vector(op) ? 4 : 3;
      c.n = is_vector(op) ? 1 : 4;
      c.k = 5;
      const bool complex = is_complex_precision(p);
      c.alpha = is_vector(op) ? Number(1) : complex && op != Operation::Herk ? Number(1, -2) : Number(-2);
      c.beta = complex && op != Operation::Herk && op != Operation::Her2k ? Number(2, 1) : Number(3);
      with_type(p, [&](auto zero) { check<decltype(zero)>(c); });
      if (HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Oracle, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace trigon::test
