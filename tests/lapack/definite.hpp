// Positive definite matrices, and one triangle of a matrix.
#pragma once

#include "lapack/matrix.hpp"

#include <cmath>

namespace trigon::test {

/// Entry (i, j), i >= j, of the lower triangle, or of the upper one transposed.
template <class T>
T& entry(const Matrix<T>& a, Uplo uplo, index i, index j) {
  return uplo == Uplo::Lower ? a(i, j) : a(j, i);
}

template <class T>
std::vector<bool> triangle_places(const Matrix<T>& a, Uplo uplo, bool unit = false) {
  std::vector<bool> places(a.content().size());
  for (index j = 0; j < a.cols(); ++j)
    for (index i = j + unit; i < a.rows(); ++i)
      places[static_cast<std::size_t>(&entry(a, uplo, i, j) - a.data())] = true;
  return places;
}

/// A positive definite matrix, rows and columns scaled so that the condition of the largest passes 1 / u in float.
template <class T>
Matrix<T> definite(Layout layout, Uplo uplo, index n) {
  using W = reference::wide_t<T>;
  Matrix<T> a(layout, n, n);
  Random<T> random(static_cast<unsigned>(n) + 7);
  std::vector<T> g(static_cast<std::size_t>(n * n));
  for (T& x : g) x = random();
  const auto scale = [&](index i) { return std::pow(real_t<T>(0.01), real_t<T>(i % 5)); };
  for (index j = 0; j < n; ++j)
    for (index i = j; i < n; ++i) {
      W sum = i == j ? W(1) : W(0);
      for (index l = 0; l < n; ++l)
        sum += reference::times(W(g[static_cast<std::size_t>(i + l * n)]),
                                reference::conjugate(W(g[static_cast<std::size_t>(j + l * n)])));
      entry(a, uplo, i, j) = T(sum) * scale(i) * scale(j);
    }
  if constexpr (is_complex<T>)
    for (index i = 0; i < n; ++i) a(i, i).imag(std::numeric_limits<real_t<T>>::quiet_NaN());  // not read
  return a;
}

}  // namespace trigon::test
