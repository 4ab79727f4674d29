// Contiguous columns of a few, for LU: one is brought up to date and searched in one pass, and divided in another.
#pragma once

#include <trigon/types.hpp>

namespace trigon::lapack {

/// The columns that there may be before one.
constexpr index most_before = 7;

/// Products and sums are rounded one by one in the order of the columns, whatever the machine.
template <class T>
struct ColumnKernels {
  /// x -= A u for the k columns of A, and then the place of the first of the largest entries of x, of which there is
  /// one at least: 0 if the first one is a NaN, and no other NaN.
  index (*subtract)(index k, const T* a, index lda, const T* u, T* x, index rows);
  /// x := factor x.
  void (*scale)(const T& factor, T* x, index rows);
};

template <class T>
const ColumnKernels<T>& column_kernels();

}  // namespace trigon::lapack
