// Each routine as a recursion on halves: a triangle's head and tail, and the rectangle that links them by calls of the
// library. Cholesky and lauum are about lower triangles: A^T has the factor U^T where A has U, and U U^H is the
// transpose of L^H L for L = U^T.
#pragma once

#include "lapack/leaf.hpp"

namespace trigon::lapack {

template <class T>
index cholesky(const Triangle<T>& a) {
  if (a.n() <= leaf_order) return cholesky_leaf(a.a);
  const index k = half(a.n());
  const auto [head, link, tail] = core::split(a, k);
  if (const index bad = cholesky(head); bad != 0) return bad;
  solve(Side::Right, Op::ConjTrans, T(1), head, link);
  update(Op::NoTrans, -1, link, tail);
  const index bad = cholesky(tail);
  return bad == 0 ? 0 : bad + k;
}

/// link := -tail^-1 link head^-1, by the inverse on one side and by a solve on the other: of the two residuals X A - I
/// is the small one, as with LAPACK's (Du Croz and Higham, "Stability of methods for matrix inversion", 1992).
template <class T>
void invert(const Triangle<T>& a) {
  if (a.n() == 0) return;  // there is no last entry to begin with
  if (a.n() <= leaf_order) return invert_leaf(a.uplo == Uplo::Lower ? a.a : backwards(a.a), a.diag);
  const auto [head, link, tail] = core::split(a, half(a.n()));
  invert(tail);
  multiply(Side::Left, Op::NoTrans, tail, link);
  solve(Side::Right, Op::NoTrans, T(-1), head, link);
  invert(head);
}

template <class T>
void square(const Triangle<T>& a) {
  if (a.n() <= leaf_order) return square_leaf(a.a);
  const auto [head, link, tail] = core::split(a, half(a.n()));
  square(head);
  update(Op::ConjTrans, 1, link, head);
  multiply(Side::Left, Op::ConjTrans, tail, link);
  square(tail);
}

}  // namespace trigon::lapack
