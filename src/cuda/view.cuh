// What kernels get: strided matrices in device memory, factors of a product, and which entries of a result exist.
#pragma once

#include "cuda/forms.hpp"
#include "cuda/scalar.cuh"

namespace trigon::cuda {

template <class T>
struct View {
  T* data;
  index row_stride, col_stride;
  bool conj;

  TRIGON_DEVICE T& at(index i, index j) const { return data[i * row_stride + j * col_stride]; }
  TRIGON_DEVICE T get(index i, index j) const { return conjugate_if(conj, at(i, j)); }
  /// Whether neighbours in memory are neighbours in a row.
  TRIGON_DEVICE bool by_rows() const {
    return (col_stride < 0 ? -col_stride : col_stride) < (row_stride < 0 ? -row_stride : row_stride);
  }
};

/// A factor by lines: entry (line, k).
template <class T>
struct Factor {
  View<T> a;
  Form form;
  View<T> b;    ///< the second of a pair
  index depth;  ///< columns of the first
};

template <class T>
TRIGON_DEVICE T entry(const Factor<T>& f, index line, index k) {
  switch (f.form) {
    case Form::General: return f.a.get(line, k);
    case Form::Pair: return k < f.depth ? f.a.get(line, k) : f.b.get(line, k - f.depth);
    default: break;
  }
  const bool lower = f.form == Form::SymmetricLower || f.form == Form::HermitianLower;
  const bool hermitian = f.form == Form::HermitianLower || f.form == Form::HermitianUpper;
  const bool stored = lower ? line >= k : line <= k;
  const T x = stored ? f.a.get(line, k) : conjugate_if(hermitian, f.a.get(k, line));
  return hermitian && line == k ? made_real(x) : x;
}

TRIGON_DEVICE bool is_lower(Mask m) { return m == Mask::Lower || m == Mask::HermitianLower; }
TRIGON_DEVICE bool is_hermitian(Mask m) { return m == Mask::HermitianLower || m == Mask::HermitianUpper; }
TRIGON_DEVICE bool exists(Mask m, index i, index j) { return m == Mask::All || (is_lower(m) ? i >= j : i <= j); }

/// f(0), …, f(count - 1), without a branch where count is `full`. What pads a tile stays out of sums: 0 - 0 would lose
/// the sign of a zero.
template <int full, class F>
TRIGON_DEVICE void for_each(index count, const F& f) {
  if (count >= full) {
    TRIGON_UNROLL
    for (int k = 0; k < full; ++k) f(k);
  } else {
    for (int k = 0; k < static_cast<int>(count); ++k) f(k);
  }
}

/// Whether a block of a result has entries that exist.
TRIGON_DEVICE bool any_exists(Mask m, index i, index j, index rows, index columns) {
  return m == Mask::All || (is_lower(m) ? i + rows > j : i < j + columns);
}

}  // namespace trigon::cuda
