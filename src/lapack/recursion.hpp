// Each routine as a recursion on halves: two triangles, and the rectangle between them by calls of the library, which
// choose their own kernels and threads.
//
//   [ A11      ]
//   [ A21  A22 ]
#pragma once

#include <trigon/blas.hpp>

#include "lapack/leaf.hpp"

namespace trigon::lapack {

/// The order of A11: half, in whole leaves.
constexpr index half(index n) { return (n / 2 + leaf_order - 1) / leaf_order * leaf_order; }

/// C := C + alpha op(X) op(X)^H, by the name that it has for this type.
template <class T>
void update(Op op, index k, int alpha, const T* x, const Triangle<T>& c) {
  if constexpr (is_complex<T>)
    herk<T>(c.layout, Uplo::Lower, op, c.n, k, alpha, x, c.lda, 1, c.data, c.lda);
  else
    syrk<T>(c.layout, Uplo::Lower, op, c.n, k, alpha, x, c.lda, 1, c.data, c.lda);
}

template <class T>
index cholesky(const Triangle<T>& a) {
  if (a.n <= leaf_order) return cholesky_leaf(a);
  const index k = half(a.n), rest = a.n - k;
  if (const index bad = cholesky(a.head(k)); bad != 0) return bad;
  T* const a21 = a.at(k, 0);
  trsm<T>(a.layout, Side::Right, Uplo::Lower, Op::ConjTrans, Diag::NonUnit, rest, k, T(1), a.data, a.lda, a21, a.lda);
  update(Op::NoTrans, k, -1, a21, a.tail(k));
  const index bad = cholesky(a.tail(k));
  return bad == 0 ? 0 : bad + k;
}

/// A21 := -X22 A21 A11^-1: of the two residuals, X A - I is the small one (Du Croz and Higham, "Stability of methods
/// for matrix inversion", 1992).
template <class T>
void invert(const Triangle<T>& a, Diag diag) {
  if (a.n <= leaf_order) return invert_leaf(a, diag);
  const index k = half(a.n), rest = a.n - k;
  T* const a21 = a.at(k, 0);
  invert(a.tail(k), diag);
  trmm<T>(a.layout, Side::Left, Uplo::Lower, Op::NoTrans, diag, rest, k, T(1), a.at(k, k), a.lda, a21, a.lda);
  trsm<T>(a.layout, Side::Right, Uplo::Lower, Op::NoTrans, diag, rest, k, T(-1), a.data, a.lda, a21, a.lda);
  invert(a.head(k), diag);
}

template <class T>
void square(const Triangle<T>& a) {
  if (a.n <= leaf_order) return square_leaf(a);
  const index k = half(a.n), rest = a.n - k;
  T* const a21 = a.at(k, 0);
  square(a.head(k));
  update(Op::ConjTrans, rest, 1, a21, a.head(k));
  trmm<T>(a.layout, Side::Left, Uplo::Lower, Op::ConjTrans, Diag::NonUnit, rest, k, T(1), a.at(k, k), a.lda, a21,
          a.lda);
  square(a.tail(k));
}

}  // namespace trigon::lapack
