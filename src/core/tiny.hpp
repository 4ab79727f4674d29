// Triangles that registers hold as a whole, as their kernels take them.
#pragma once

#include "core/view.hpp"

#include <cstddef>

namespace trigon::core {

/// Entry (i, k) of the lower triangle that remains when an upper one is read backwards, and entry (i, j) of
/// the right-hand sides. With `conj` conj(T) is meant.
template <class T>
struct Tiny {
  const T* a;
  index row, column;
  T* x;
  index step, next;  ///< between entries of one right-hand side, between right-hand sides
  const T* alpha;    ///< null for 1
  bool unit, conj;
};

template <class T>
[[gnu::always_inline]] inline Tiny<T> tiny_of(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b) {
  const bool lower = t.uplo == Uplo::Lower;
  const Matrix<T*> a = lower ? t.a : reversed(t.a), x = lower ? b : reversed_rows(b);
  return {a.data,
          a.row_stride,
          a.col_stride,
          x.data,
          x.row_stride,
          x.col_stride,
          alpha == T(1) ? nullptr : &alpha,
          t.diag == Diag::Unit,
          is_complex<T> && a.conj};
}

/// How the rows of X lie in memory.
enum class Lie { Single, Along, Across };  ///< one right-hand side; rows contiguous; columns contiguous
inline constexpr int lies = 3;

template <class T>
constexpr Lie lie_of(const Matrix<T*>& x) {
  return x.cols == 1 ? Lie::Single : x.col_stride == 1 ? Lie::Along : Lie::Across;
}

/// b := alpha t^-1 b or alpha t b for `rhs` right-hand sides.
template <class T>
using TinyKernel = void (*)(const Tiny<T>&, index rhs);

/// Up to which orders kernels that hold a triangle serve: whatever the number of right-hand sides, and for a few.
struct TinyOrders {
  index any = 0, of_few = 0, few = 0;

  constexpr index of(index rhs) const { return rhs <= few ? of_few : any; }
};

/// The kernels of one operation, by Lie and order.
inline constexpr int tiny_orders = 17;
template <class T>
struct TinyTable {
  TinyKernel<T> kernel[lies][tiny_orders] = {};
  TinyOrders orders[lies] = {};
};

}  // namespace trigon::core
