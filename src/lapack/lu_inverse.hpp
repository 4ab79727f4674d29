// A^-1 from the factors of P A = L U: X L = U^-1 for X = A^-1 P^T, as LAPACK's getri has it (Du Croz and Higham, 1992,
// their method B), panels of columns from the last to the first.
#pragma once

#include "lapack/lu.hpp"
#include "lapack/recursion.hpp"

#include <algorithm>
#include <memory>
#include <new>

namespace trigon::lapack {

constexpr index widest_panel = 64;

/// What X takes the place of: a panel of L, copied from the diagonal on. As wide as there is memory for.
template <class T>
class PanelOfL {
 public:
  PanelOfL(Layout layout, index n)
      : by_columns_(layout == Layout::ColMajor), width_(std::clamp<index>(n, 1, widest_panel)) {
    while (!reserve(n)) width_ /= 2;
    stride_ = by_columns_ ? n : width_;
  }
  index width() const { return width_; }

  /// The columns of `a`, whose diagonal begins in its first row: below it zeros are left.
  Matrix<T> take(const Matrix<T>& a) {
    const Matrix<T> l{reinterpret_cast<T*>(space_.get()), a.rows, a.cols, by_columns_ ? 1 : stride_,
                      by_columns_ ? stride_ : 1};
    const auto move = [&](index i, index j) { at(l, i, j) = std::exchange(at(a, i, j), T(0)); };
    if (by_columns_) {
      for (index j = 0; j < a.cols; ++j)
        for (index i = j + 1; i < a.rows; ++i) move(i, j);
    } else {
      for (index i = 1; i < a.rows; ++i)
        for (index j = 0; j < std::min(i, a.cols); ++j) move(i, j);
    }
    return l;
  }

 private:
  bool reserve(index n) {
    constexpr index parts = sizeof(T) / sizeof(real_t<T>);
    try {
      space_ = std::make_unique_for_overwrite<real_t<T>[]>(static_cast<std::size_t>(n * width_ * parts));
    } catch (const std::bad_alloc&) {
      if (width_ == 1) throw;
      return false;
    }
    return true;
  }

  bool by_columns_;
  index width_, stride_ = 0;
  std::unique_ptr<real_t<T>[]> space_;  // an array of complex numbers would be filled with zeros
};

/// `a` holds U^-1 and, below its diagonal, L.
template <class T, class Int>
void invert_lu(const Matrix<T>& a, const Int* pivots, PanelOfL<T>& space) {
  const index n = a.cols;
  for (index end = n; end > 0;) {
    const index begin = (end - 1) / space.width() * space.width(), width = end - begin, after = n - end;
    const Matrix<T> x = a.block(0, begin, n, width), l = space.take(a.block(begin, begin, n - begin, width));
    if (after > 0) subtract_product(a.block(0, end, n, after), l.block(width, 0, after, width), x);
    solve(Side::Right, Op::NoTrans, T(1), {l.block(0, 0, width, width), Uplo::Lower, Diag::Unit}, x);
    end = begin;
  }
  exchange(core::transpose(a), pivots, n, true);
}

}  // namespace trigon::lapack
