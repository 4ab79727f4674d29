// The ends of the recursions: triangles of a few rows, in place.
//
// Products and sums are rounded one by one in the order written here, whatever the machine.
#pragma once

#include "cpu/reciprocal.hpp"
#include "lapack/operands.hpp"

#include <cmath>

namespace trigon::lapack {

/// Up to this order the loops here take less time than calls would.
constexpr index leaf_order = 8;

/// About half of n, in whole leaves.
constexpr index half(index n) { return (n / 2 + leaf_order - 1) / leaf_order * leaf_order; }

/// x y, without the second thoughts about infinities that operator* has.
template <class T>
T times(T x, T y) {
  if constexpr (is_complex<T>)
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
  else
    return x * y;
}

/// As LAPACK's choice of a pivot has it: |re| + |im|.
template <class T>
real_t<T> magnitude(const T& x) {
  if constexpr (is_complex<T>)
    return std::abs(x.real()) + std::abs(x.imag());
  else
    return std::abs(x);
}

template <class T>
T conjugate(T x) {
  if constexpr (is_complex<T>) return std::conj(x);
  return x;
}

/// x -= y for a real y: the imaginary part of x, which is on the diagonal of a Hermitian matrix, is not looked at.
template <class T>
void subtract_real(T& x, T y) {
  if constexpr (is_complex<T>)
    x.real(x.real() - y.real());
  else
    x -= y;
}

/// Rows and columns from the last to the first: an upper triangle becomes a lower one, and so does its inverse.
template <class T>
Matrix<T> backwards(const Matrix<T>& a) {
  return {&at(a, a.rows - 1, a.cols - 1), a.rows, a.cols, -a.row_stride, -a.col_stride, a.conj};
}

/// L of A = L L^H, by a lower triangle; 0, or the place from 1 of the first pivot that is not positive.
template <class T>
index cholesky_leaf(const Matrix<T>& a) {
  using R = real_t<T>;
  for (index j = 0; j < a.rows; ++j) {
    const R pivot = std::real(at(a, j, j));
    if (!(pivot > R(0))) return j + 1;
    const R root = std::sqrt(pivot), factor = R(1) / root;  // a square root's reciprocal is a normal number
    at(a, j, j) = root;
    for (index i = j + 1; i < a.rows; ++i) at(a, i, j) *= factor;
    for (index k = j + 1; k < a.rows; ++k) {
      const T x = conjugate(at(a, k, j));
      subtract_real(at(a, k, k), times(at(a, k, j), x));
      for (index i = k + 1; i < a.rows; ++i) at(a, i, k) -= times(at(a, i, j), x);
    }
  }
  return 0;
}

/// 1 / d, by a slower way where the parts of a complex one would over- or underflow on the short one.
template <class T>
T inverse_of(const T& d) {
  return cpu::reciprocal_is_safe(d) ? cpu::Reciprocal{}(d) : cpu::quotient(T(1), d);
}

/// The inverse of a lower triangle, from the last column to the first: below the diagonal, -X l / d, X being what is
/// inverted already.
template <class T>
void invert_leaf(const Matrix<T>& a, Diag diag) {
  const bool unit = diag == Diag::Unit;
  for (index j = a.rows - 1; j >= 0; --j) {
    const T pivot = unit ? T(1) : inverse_of(at(a, j, j));
    for (index i = a.rows - 1; i > j; --i) {
      T sum = unit ? at(a, i, j) : times(at(a, i, i), at(a, i, j));
      for (index k = j + 1; k < i; ++k) sum += times(at(a, i, k), at(a, k, j));
      at(a, i, j) = -times(sum, pivot);
    }
    if (!unit) at(a, j, j) = pivot;
  }
}

/// L^H L of a lower triangle. Row i of it needs the rows of L from i on.
template <class T>
void square_leaf(const Matrix<T>& a) {
  for (index i = 0; i < a.rows; ++i)
    for (index j = 0; j <= i; ++j) {
      T sum = times(conjugate(at(a, i, i)), at(a, i, j));
      for (index k = i + 1; k < a.rows; ++k) sum += times(conjugate(at(a, k, i)), at(a, k, j));
      at(a, i, j) = i == j ? T(std::real(sum)) : sum;
    }
}

}  // namespace trigon::lapack
