// General matrices, and what pivots say of their rows.
#pragma once

#include "lapack/matrix.hpp"

#include <numeric>
#include <utility>

namespace trigon::test {

constexpr Layout layouts[] = {Layout::ColMajor, Layout::RowMajor};

template <class T>
Matrix<T> random(Layout layout, index m, index n, unsigned seed = 1) {
  Matrix<T> a(layout, m, n);
  Random<T> entry(seed + static_cast<unsigned>(m * 1000 + n));
  for (index j = 0; j < n; ++j)
    for (index i = 0; i < m; ++i) a(i, j) = entry();
  return a;
}

template <class T>
std::vector<bool> all_places(const Matrix<T>& a) {
  std::vector<bool> places(a.content().size());
  for (index j = 0; j < a.cols(); ++j)
    for (index i = 0; i < a.rows(); ++i) places[static_cast<std::size_t>(&a(i, j) - a.data())] = true;
  return places;
}

/// Where each row of P A comes from.
template <class Int>
std::vector<index> order_of(const std::vector<Int>& pivots, index rows) {
  std::vector<index> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), index{0});
  for (std::size_t i = 0; i < pivots.size(); ++i) std::swap(order[i], order[static_cast<std::size_t>(pivots[i] - 1)]);
  return order;
}

/// |P^T L| |U|, by columns: what errors of factors are measured by, for every entry of A.
template <class T, class Int>
std::vector<double> sizes_of_factors(const Matrix<T>& f, const std::vector<Int>& pivots) {
  const index n = f.rows();
  const auto order = order_of(pivots, n);
  std::vector<double> sizes(static_cast<std::size_t>(n * n));
  for (index j = 0; j < n; ++j)
    for (index i = 0; i < n; ++i)
      for (index l = 0; l <= std::min(i, j); ++l)
        sizes[static_cast<std::size_t>(order[static_cast<std::size_t>(i)] + j * n)] +=
            (l == i ? 1 : size(f(i, l))) * size(f(l, j));
  return sizes;
}

}  // namespace trigon::test
