// What the recursions work on: a lower triangle. An upper one is the lower one of the transpose, whose layout is the
// other: A^T has the factor U^T where A has U, and the same holds of inverses and of L^H L.
#pragma once

#include <trigon/types.hpp>

namespace trigon::lapack {

template <class T>
struct Triangle {
  T* data;
  index lda, n;
  Layout layout;

  Triangle(Layout of, Uplo uplo, index order, T* a, index lda)
      : data(a),
        lda(lda),
        n(order),
        layout((of == Layout::ColMajor) == (uplo == Uplo::Lower) ? Layout::ColMajor : Layout::RowMajor) {}

  T* at(index i, index j) const { return data + (layout == Layout::ColMajor ? i + j * lda : i * lda + j); }
  T& operator()(index i, index j) const { return *at(i, j); }

  /// The triangles above and below the rectangle that begins in row k and ends before column k.
  Triangle head(index k) const { return part(0, k); }
  Triangle tail(index k) const { return part(k, n - k); }

 private:
  Triangle part(index first, index order) const {
    Triangle t = *this;
    t.data = at(first, first), t.n = order;
    return t;
  }
};

}  // namespace trigon::lapack
