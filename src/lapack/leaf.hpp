// The ends of the recursions: triangles of a few rows, in place.
//
// Products and sums are rounded one by one in the order written here, whatever the machine.
#pragma once

#include "cpu/reciprocal.hpp"
#include "lapack/triangle.hpp"

#include <cmath>

namespace trigon::lapack {

/// Up to this order the loops here take less time than calls would.
constexpr index leaf_order = 8;

/// x y, without the second thoughts about infinities that operator* has.
template <class T>
T times(T x, T y) {
  if constexpr (is_complex<T>)
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
  else
    return x * y;
}

template <class T>
T conjugate(T x) {
  if constexpr (is_complex<T>) return std::conj(x);
  return x;
}

/// L of A = L L^H; 0, or the place from 1 of the first pivot that is not positive.
template <class T>
index cholesky_leaf(const Triangle<T>& a) {
  using R = real_t<T>;
  for (index j = 0; j < a.n; ++j) {
    const R pivot = std::real(a(j, j));
    if (!(pivot > R(0))) return j + 1;
    const R root = std::sqrt(pivot), factor = R(1) / root;  // a square root's reciprocal is a normal number
    a(j, j) = root;
    for (index i = j + 1; i < a.n; ++i) a(i, j) *= factor;
    for (index k = j + 1; k < a.n; ++k) {
      const T x = conjugate(a(k, j));
      for (index i = k; i < a.n; ++i) a(i, k) -= times(a(i, j), x);
    }
  }
  return 0;
}

/// The inverse, from the last column to the first: below the diagonal, -X l / d, X being what is inverted already.
template <class T>
void invert_leaf(const Triangle<T>& a, Diag diag) {
  const bool unit = diag == Diag::Unit;
  for (index j = a.n - 1; j >= 0; --j) {
    const T pivot = unit ? T(1) : cpu::Reciprocal{}(a(j, j));
    for (index i = a.n - 1; i > j; --i) {
      T sum = unit ? a(i, j) : times(a(i, i), a(i, j));
      for (index k = j + 1; k < i; ++k) sum += times(a(i, k), a(k, j));
      a(i, j) = -times(sum, pivot);
    }
    if (!unit) a(j, j) = pivot;
  }
}

/// L^H L. Row i of it needs the rows of L from i on.
template <class T>
void square_leaf(const Triangle<T>& a) {
  for (index i = 0; i < a.n; ++i)
    for (index j = 0; j <= i; ++j) {
      T sum = times(conjugate(a(i, i)), a(i, j));
      for (index k = i + 1; k < a.n; ++k) sum += times(conjugate(a(k, i)), a(k, j));
      a(i, j) = i == j ? T(std::real(sum)) : sum;
    }
}

}  // namespace trigon::lapack
