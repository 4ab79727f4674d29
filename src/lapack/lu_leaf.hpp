// The end of LU's recursion: 8 columns or fewer, in three orders that round alike. Each returns 0, or the place from 1
// of the first pivot that is zero.
#pragma once

#include "lapack/columns.hpp"
#include "lapack/leaf.hpp"

#include <algorithm>
#include <utility>

namespace trigon::lapack {

/// Takes row p to row j, where its entry is a pivot, which is returned.
template <class T, class Int>
T take_pivot(const Matrix<T>& a, Int* pivots, index j, index p, index& zero) {
  pivots[j] = static_cast<Int>(p + 1);
  if (p != j)
    for (index l = 0; l < a.cols; ++l) std::swap(at(a, j, l), at(a, p, l));
  const T pivot = at(a, j, j);
  if (pivot == T(0) && zero == 0) zero = j + 1;
  return pivot;
}

/// Short columns, which are brought up to date as soon as there is something to subtract.
template <class T, class Int>
index lu_of_short_columns(const Matrix<T>& a, Int* pivots) {
  index zero = 0;
  for (index j = 0; j < std::min(a.rows, a.cols); ++j) {
    T* const x = &at(a, 0, j);
    index p = j;
    real_t<T> most = magnitude(x[j]);
    for (index i = j + 1; i < a.rows; ++i)
      if (const auto size = magnitude(x[i]); size > most) most = size, p = i;
    const T pivot = take_pivot(a, pivots, j, p, zero);
    if (cpu::reciprocal_is_safe(pivot)) {
      const T factor = cpu::Reciprocal{}(pivot);
      for (index i = j + 1; i < a.rows; ++i) x[i] = times(x[i], factor);
    } else if (pivot != T(0)) {
      for (index i = j + 1; i < a.rows; ++i) x[i] = cpu::quotient(x[i], pivot);
    }
    for (index l = j + 1; l < a.cols; ++l) {
      T* const y = &at(a, 0, l);
      const T factor = y[j];
      for (index i = j + 1; i < a.rows; ++i) y[i] -= times(x[i], factor);
    }
  }
  return zero;
}

/// Columns longer than there are any, each when its turn comes, with all that the ones before it subtract.
template <class T, class Int>
index lu_of_columns(const Matrix<T>& a, Int* pivots) {
  const ColumnKernels<T>& kernels = column_kernels<T>();
  index zero = 0;
  for (index j = 0; j < a.cols; ++j) {
    T* const x = &at(a, 0, j);
    for (index k = 0; k < j; ++k)
      for (index i = k + 1; i < j; ++i) x[i] -= times(at(a, i, k), x[k]);
    const index p = j + kernels.subtract(j, &at(a, j, 0), a.col_stride, x, x + j, a.rows - j);
    const T pivot = take_pivot(a, pivots, j, p, zero);
    if (cpu::reciprocal_is_safe(pivot))
      kernels.scale(cpu::Reciprocal{}(pivot), x + j + 1, a.rows - j - 1);
    else if (pivot != T(0))
      for (index i = j + 1; i < a.rows; ++i) x[i] = cpu::quotient(x[i], pivot);
  }
  return zero;
}

/// Contiguous rows: a pass over them divides, subtracts and looks for the next pivot.
template <class T, class Int>
index lu_of_rows(const Matrix<T>& a, Int* pivots) {
  index zero = 0, p = 0;
  real_t<T> most = magnitude(at(a, 0, 0));
  for (index i = 1; i < a.rows; ++i)
    if (const auto size = magnitude(at(a, i, 0)); size > most) most = size, p = i;
  for (index j = 0; j < std::min(a.rows, a.cols); ++j) {
    const T* const u = &at(a, j, 0);
    const T pivot = take_pivot(a, pivots, j, p, zero);
    const bool divides = pivot != T(0), safe = cpu::reciprocal_is_safe(pivot);
    const T factor = safe ? cpu::Reciprocal{}(pivot) : T(0);
    p = j + 1;
    for (index i = j + 1; i < a.rows; ++i) {
      T* const x = &at(a, i, 0);
      if (divides) x[j] = safe ? times(x[j], factor) : cpu::quotient(x[j], pivot);
      for (index l = j + 1; l < a.cols; ++l) x[l] -= times(x[j], u[l]);
      if (j + 1 == a.cols) continue;
      if (const auto size = magnitude(x[j + 1]); i == j + 1 || size > most) most = size, p = i;
    }
  }
  return zero;
}

template <class T, class Int>
index lu_leaf(const Matrix<T>& a, Int* pivots) {
  constexpr index is_short = 2 * leaf_order;  // a kernel's call costs more up to here
  if (layout(a) == Layout::RowMajor) return lu_of_rows(a, pivots);
  return a.rows <= is_short ? lu_of_short_columns(a, pivots) : lu_of_columns(a, pivots);
}

}  // namespace trigon::lapack
