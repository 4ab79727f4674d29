// Views, and views as operands of the library's calls, which choose their own kernels and threads.
#pragma once

#include <trigon/blas.hpp>

#include "core/view.hpp"

namespace trigon::lapack {

template <class T>
using Matrix = core::Matrix<T*>;
template <class T>
using Triangle = core::Triangle<T*>;

template <class T>
Matrix<T> matrix(Layout layout, T* a, index lda, index rows, index cols) {
  return layout == Layout::ColMajor ? Matrix<T>{a, rows, cols, 1, lda} : Matrix<T>{a, rows, cols, lda, 1};
}

template <class T>
T& at(const Matrix<T>& a, index i, index j) {
  return *core::shift(a.data, i, j, a.row_stride, a.col_stride);
}

/// Of views as `matrix` makes them, their blocks and transposes.
template <class T>
Layout layout(const Matrix<T>& a) {
  return a.row_stride == 1 ? Layout::ColMajor : Layout::RowMajor;
}
template <class T>
index leading_dimension(const Matrix<T>& a) {
  return a.row_stride == 1 ? a.col_stride : a.row_stride;
}

/// B := alpha op(T)^-1 B, or alpha B op(T)^-1 on the right.
template <class T>
void solve(Side side, Op op, T alpha, const Triangle<T>& t, const Matrix<T>& b) {
  trsm<T>(layout(b), side, t.uplo, op, t.diag, b.rows, b.cols, alpha, t.a.data, leading_dimension(t.a), b.data,
          leading_dimension(b));
}

/// B := op(T) B, or B op(T) on the right.
template <class T>
void multiply(Side side, Op op, const Triangle<T>& t, const Matrix<T>& b) {
  trmm<T>(layout(b), side, t.uplo, op, t.diag, b.rows, b.cols, T(1), t.a.data, leading_dimension(t.a), b.data,
          leading_dimension(b));
}

/// C := C + alpha op(X) op(X)^H, by the name that it has for this type.
template <class T>
void update(Op op, int alpha, const Matrix<T>& x, const Triangle<T>& c) {
  const index k = op == Op::NoTrans ? x.cols : x.rows, ldx = leading_dimension(x), ldc = leading_dimension(c.a);
  if constexpr (is_complex<T>)
    herk<T>(layout(x), c.uplo, op, c.n(), k, alpha, x.data, ldx, 1, c.a.data, ldc);
  else
    syrk<T>(layout(x), c.uplo, op, c.n(), k, alpha, x.data, ldx, 1, c.a.data, ldc);
}

/// C := C - A B.
template <class T>
void subtract_product(const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& c) {
  gemm<T>(layout(c), Op::NoTrans, Op::NoTrans, c.rows, c.cols, a.cols, T(-1), a.data, leading_dimension(a), b.data,
          leading_dimension(b), T(1), c.data, leading_dimension(c));
}

}  // namespace trigon::lapack
