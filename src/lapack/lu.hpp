// LU with partial pivoting, by halves of the columns (Toledo, "Locality of reference in LU decomposition with partial
// pivoting", 1997), and what its pivots do to right-hand sides.
//
//   [ A11  A12 ]    the left columns are factored as a whole, their exchanges of rows and L11 carried over to A12,
//   [ A21  A22 ]    A22 - A21 A12 is factored, and its exchanges carried back to A21
#pragma once

#include "cpu/pool.hpp"
#include "lapack/lu_leaf.hpp"

#include <algorithm>
#include <utility>

namespace trigon::lapack {

/// Exchanges row i with row pivots[i] - 1, for i from 0 to `count` or, backward, the other way round. Where columns are
/// contiguous, one after the other.
template <class T, class Int>
void exchange_part(const Matrix<T>& b, const Int* pivots, index count, bool backward) {
  const auto over_all = [&](const auto& swap) {
    for (index step = 0; step < count; ++step) {
      const index i = backward ? count - 1 - step : step;
      swap(i, static_cast<index>(pivots[i]) - 1);
    }
  };
  if (layout(b) == Layout::RowMajor)
    return over_all([&](index i, index other) {
      if (i != other) std::swap_ranges(&at(b, i, 0), &at(b, i, 0) + b.cols, &at(b, other, 0));
    });
  for (index j = 0; j < b.cols; ++j)
    over_all([column = &at(b, 0, j)](index i, index other) { std::swap(column[i], column[other]); });
}

/// The same, the columns shared between threads if there are many exchanges.
template <class T, class Int>
void exchange(const Matrix<T>& b, const Int* pivots, index count, bool backward = false) {
  if (b.cols == 0 || count == 0) return;  // the pivots may be none
  constexpr index worth_a_thread = 8192;
  const index most = count * b.cols / worth_a_thread;
  if (most < 2) return exchange_part(b, pivots, count, backward);
  const int threads = static_cast<int>(std::min<index>(most, cpu::threads_now()));
  cpu::in_shares(threads, b.cols, 64 / sizeof(real_t<T>), [&](index first, index size) {
    exchange_part(b.block(0, first, b.rows, size), pivots, count, backward);
  });
}

/// Returns 0, or the place from 1 of the first pivot that is zero.
template <class T, class Int>
index lu(const Matrix<T>& a, Int* pivots) {
  const index least = std::min(a.rows, a.cols);
  if (least == 0) return 0;
  if (a.cols <= leaf_order) return lu_leaf(a, pivots);
  const index k = least <= leaf_order ? least : half(least);
  const index below = a.rows - k, beside = a.cols - k;
  const Matrix<T> a12 = a.block(0, k, k, beside), a21 = a.block(k, 0, below, k), a22 = a.block(k, k, below, beside);
  index zero = lu(a.block(0, 0, a.rows, k), pivots);
  exchange(a.block(0, k, a.rows, beside), pivots, k);
  solve(Side::Left, Op::NoTrans, T(1), {a.block(0, 0, k, k), Uplo::Lower, Diag::Unit}, a12);
  if (below == 0) return zero;
  subtract_product(a21, a12, a22);
  const index more = lu(a22, pivots + k);
  if (zero == 0 && more != 0) zero = more + k;
  exchange(a21, pivots + k, least - k);
  for (index i = k; i < least; ++i) pivots[i] = static_cast<Int>(pivots[i] + k);
  return zero;
}

}  // namespace trigon::lapack
