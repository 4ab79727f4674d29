// LU with partial pivoting, by halves of the columns (Toledo, "Locality of reference in LU decomposition with partial
// pivoting", 1997), and what its pivots do to right-hand sides.
//
//   [ A11  A12 ]    the left columns are factored as a whole, their exchanges of rows and L11 carried over to A12,
//   [ A21  A22 ]    A22 - A21 A12 is factored, and its exchanges carried back to A21
#pragma once

#include <trigon/blas.hpp>

#include "cpu/pool.hpp"
#include "lapack/leaf.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace trigon::lapack {

template <class T>
struct Rectangle {
  T* data;
  index lda, rows, cols;
  Layout layout;

  T* at(index i, index j) const { return data + (layout == Layout::ColMajor ? i + j * lda : i * lda + j); }
  T& operator()(index i, index j) const { return *at(i, j); }
  Rectangle block(index i, index j, index m, index n) const { return {at(i, j), lda, m, n, layout}; }
};

/// Exchanges row i with row pivots[i] - 1, for i from 0 to `count` or, backward, the other way round. Where columns are
/// contiguous, one after the other.
template <class T, class Int>
void exchange_part(const Rectangle<T>& b, const Int* pivots, index count, bool backward) {
  const auto over_all = [&](const auto& swap) {
    for (index step = 0; step < count; ++step) {
      const index i = backward ? count - 1 - step : step;
      swap(i, static_cast<index>(pivots[i]) - 1);
    }
  };
  if (b.layout == Layout::RowMajor)
    return over_all([&](index i, index other) {
      if (i != other) std::swap_ranges(b.at(i, 0), b.at(i, 0) + b.cols, b.at(other, 0));
    });
  for (index j = 0; j < b.cols; ++j)
    over_all([column = b.at(0, j)](index i, index other) { std::swap(column[i], column[other]); });
}

/// The same, the columns shared between threads if there are many exchanges.
template <class T, class Int>
void exchange(const Rectangle<T>& b, const Int* pivots, index count, bool backward = false) {
  constexpr index worth_a_thread = 8192;
  const index most = count * b.cols / worth_a_thread;
  if (most < 2) return exchange_part(b, pivots, count, backward);
  const int threads = static_cast<int>(std::min<index>(most, cpu::threads_now()));
  cpu::in_shares(threads, b.cols, 64 / sizeof(real_t<T>), [&](index first, index size) {
    exchange_part(b.block(0, first, b.rows, size), pivots, count, backward);
  });
}

/// As LAPACK's choice of a pivot has it: |re| + |im|.
template <class T>
real_t<T> magnitude(const T& x) {
  if constexpr (is_complex<T>)
    return std::abs(x.real()) + std::abs(x.imag());
  else
    return std::abs(x);
}

/// A column from some row on, `stride` elements from one entry to the next: the constant 1 where that is known.
template <class T, class Stride>
struct Column {
  T* data;
  index rows;
  Stride stride;

  T& operator[](index i) const { return data[i * stride]; }

  /// The first of the largest entries.
  index largest() const {
    index at = 0;
    real_t<T> most = magnitude(data[0]);
    for (index i = 1; i < rows; ++i)
      if (const auto size = magnitude((*this)[i]); size > most) most = size, at = i;
    return at;
  }
  void divide(const T& by) const {
    if (cpu::reciprocal_is_safe(by)) {
      const T factor = cpu::Reciprocal{}(by);
      for (index i = 0; i < rows; ++i) (*this)[i] = times((*this)[i], factor);
    } else {
      for (index i = 0; i < rows; ++i) (*this)[i] = cpu::quotient((*this)[i], by);
    }
  }
  void subtract(const Column& other, const T& factor) const {
    for (index i = 0; i < rows; ++i) (*this)[i] -= times(other[i], factor);
  }
};

/// A few columns. Returns 0, or the place from 1 of the first pivot that is zero.
template <class T, class Int, class Stride>
index lu_leaf(const Rectangle<T>& a, Int* pivots, Stride stride) {
  index zero = 0;
  for (index j = 0; j < std::min(a.rows, a.cols); ++j) {
    const auto below = [&](index column) { return Column<T, Stride>{a.at(j + 1, column), a.rows - j - 1, stride}; };
    const index p = j + Column<T, Stride>{a.at(j, j), a.rows - j, stride}.largest();
    pivots[j] = static_cast<Int>(p + 1);
    const T pivot = a(p, j);
    if (pivot == T(0) && zero == 0) zero = j + 1;
    if (p != j)
      for (index l = 0; l < a.cols; ++l) std::swap(a(j, l), a(p, l));
    if (pivot != T(0)) below(j).divide(pivot);
    for (index l = j + 1; l < a.cols; ++l) below(l).subtract(below(j), a(j, l));
  }
  return zero;
}

template <class T, class Int>
index lu(const Rectangle<T>& a, Int* pivots) {
  const index least = std::min(a.rows, a.cols);
  if (a.cols <= leaf_order)
    return a.layout == Layout::ColMajor ? lu_leaf(a, pivots, std::integral_constant<index, 1>{})
                                        : lu_leaf(a, pivots, a.lda);
  const index k = least <= leaf_order ? least : (least / 2 + leaf_order - 1) / leaf_order * leaf_order;
  const index below = a.rows - k, beside = a.cols - k;
  const Rectangle<T> left = a.block(0, 0, a.rows, k), right = a.block(0, k, a.rows, beside);
  const Rectangle<T> a22 = a.block(k, k, below, beside);
  index zero = lu(left, pivots);
  exchange(right, pivots, k);
  trsm<T>(a.layout, Side::Left, Uplo::Lower, Op::NoTrans, Diag::Unit, k, beside, T(1), a.data, a.lda, right.data,
          a.lda);
  if (below == 0) return zero;
  gemm<T>(a.layout, Op::NoTrans, Op::NoTrans, below, beside, k, T(-1), a.at(k, 0), a.lda, right.data, a.lda, T(1),
          a22.data, a.lda);
  const index more = lu(a22, pivots + k), count = least - k;
  if (zero == 0 && more != 0) zero = more + k;
  exchange(a.block(k, 0, below, k), pivots + k, count);
  for (index i = k; i < least; ++i) pivots[i] = static_cast<Int>(pivots[i] + k);
  return zero;
}

}  // namespace trigon::lapack
