// Strided views. A transposition exchanges strides, a conjugation flips a flag, a triangle splits in
// dependency order: after this page no algorithm needs to know about sides, triangles or layouts.
#pragma once

#include <trigon/types.hpp>

#include <utility>

namespace trigon::core {

/// Where element (i, j) of `data` lives. A pointer type that is not a plain pointer (device buffer and
/// offset, strided batch, variable batch that keeps i and j) overloads this one function.
template <class T>
T* shift(T* data, index i, index j, index row_stride, index col_stride) {
  return data + (i * row_stride + j * col_stride);
}

template <class Ptr>
struct Matrix {
  Ptr data;
  index rows, cols, row_stride, col_stride;
  bool conj = false;

  Matrix block(index i, index j, index m, index n) const {
    return {shift(data, i, j, row_stride, col_stride), m, n, row_stride, col_stride, conj};
  }
};

template <class Ptr>
Matrix<Ptr> transpose(Matrix<Ptr> a) {
  return {a.data, a.cols, a.rows, a.col_stride, a.row_stride, a.conj};
}
template <class Ptr>
Matrix<Ptr> conjugate(Matrix<Ptr> a) {
  a.conj = !a.conj;
  return a;
}
template <class Ptr>
Matrix<Ptr> adjoint(Matrix<Ptr> a) {
  return conjugate(transpose(a));
}

/// Rows in opposite order, and columns too: what turns an upper triangle into a lower one.
template <class Ptr>
Matrix<Ptr> reversed_rows(Matrix<Ptr> a) {
  a.data = shift(a.data, a.rows - 1, 0, a.row_stride, a.col_stride);
  a.row_stride = -a.row_stride;
  return a;
}
template <class Ptr>
Matrix<Ptr> reversed(Matrix<Ptr> a) {
  return transpose(reversed_rows(transpose(reversed_rows(a))));
}

constexpr Uplo flip(Uplo u) { return u == Uplo::Lower ? Uplo::Upper : Uplo::Lower; }

/// One triangle of a square matrix; what is beyond it does not exist. Used for triangular matrices and,
/// without a meaning for `diag`, for the stored half of symmetric and Hermitian ones.
template <class Ptr>
struct Triangle {
  Matrix<Ptr> a;
  Uplo uplo = Uplo::Lower;
  Diag diag = Diag::NonUnit;

  index n() const { return a.rows; }
};

template <class Ptr>
Triangle(Matrix<Ptr>, Uplo) -> Triangle<Ptr>;
template <class Ptr>
Triangle(Matrix<Ptr>, Uplo, Diag) -> Triangle<Ptr>;

template <class Ptr>
Triangle<Ptr> transpose(Triangle<Ptr> t) {
  return {transpose(t.a), flip(t.uplo), t.diag};
}
template <class Ptr>
Triangle<Ptr> conjugate(Triangle<Ptr> t) {
  return {conjugate(t.a), t.uplo, t.diag};
}

/// The triangle in dependency order: `head` can be solved alone, `link` carries it to `tail`.
/// Lower: A11, A21, A22. Upper: A22, A12, A11.
template <class Ptr>
struct Split {
  Triangle<Ptr> head;
  Matrix<Ptr> link;
  Triangle<Ptr> tail;
};

template <class Ptr>
Split<Ptr> split(Triangle<Ptr> t, index k) {
  const index rest = t.n() - k;
  const index head = t.uplo == Uplo::Lower ? 0 : rest;
  const index tail = t.uplo == Uplo::Lower ? k : 0;
  return {{t.a.block(head, head, k, k), t.uplo, t.diag},
          t.a.block(tail, head, rest, k),
          {t.a.block(tail, tail, rest, rest), t.uplo, t.diag}};
}

/// The rows of B that belong to the head (k of them) and to the tail.
template <class Ptr>
std::pair<Matrix<Ptr>, Matrix<Ptr>> split_rows(Matrix<Ptr> b, Uplo uplo, index k) {
  const index rest = b.rows - k;
  const index head = uplo == Uplo::Lower ? 0 : rest;
  const index tail = uplo == Uplo::Lower ? k : 0;
  return {b.block(head, 0, k, b.cols), b.block(tail, 0, rest, b.cols)};
}

}  // namespace trigon::core
