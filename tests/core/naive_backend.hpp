// A backend of obvious loops over views, with the leaf a test asks for.
#pragma once

#include "core/backend.hpp"

#include <trigon/reference.hpp>

#include <functional>
#include <vector>

namespace trigon::core {

template <class T>
struct NaiveBackend {
  index stop;
  /// Sees every rectangle that the recursion hands to gemm.
  std::function<void(Matrix<T*>, Matrix<T*>, Matrix<T*>)> on_gemm = [](auto...) {};

  static T get(Matrix<T*> m, index i, index j) {
    const T v = *shift(m.data, i, j, m.row_stride, m.col_stride);
    return m.conj ? reference::conjugate(v) : v;
  }
  static T& ref(Matrix<T*> m, index i, index j) { return *shift(m.data, i, j, m.row_stride, m.col_stride); }
  static T triangle(Triangle<T*> t, index i, index j) {
    if (t.uplo == Uplo::Lower ? i < j : i > j) return T(0);
    return i == j && t.diag == Diag::Unit ? T(1) : get(t.a, i, j);
  }
  template <Mirror mirror>
  static T full(Triangle<T*> s, index i, index j) {
    if (i == j && mirror == Mirror::Hermitian) return reference::real_part(get(s.a, i, i));
    if (i == j || (i > j) == (s.uplo == Uplo::Lower)) return get(s.a, i, j);
    return mirror == Mirror::Hermitian ? reference::conjugate(get(s.a, j, i)) : get(s.a, j, i);
  }
  template <class L, class R>
  static void add(index m, index n, index k, T alpha, L left, R right, T beta, Matrix<T*> c, const auto& wanted) {
    for (index j = 0; j < n; ++j)
      for (index i = 0; i < m; ++i) {
        if (!wanted(i, j)) continue;
        T sum(0);
        for (index l = 0; l < k; ++l) sum += left(i, l) * right(l, j);
        T& entry = ref(c, i, j);
        entry = beta == T(0) ? alpha * sum : alpha * sum + beta * entry;
      }
  }
  static bool everywhere(index, index) { return true; }
  static auto inside(Uplo uplo) {
    return [uplo](index i, index j) { return uplo == Uplo::Lower ? i >= j : i <= j; };
  }

  index leaf(index, index) const { return stop; }
  void gemm(T alpha, Matrix<T*> a, Matrix<T*> b, T beta, Matrix<T*> c) {
    on_gemm(a, b, c);
    add(
        c.rows, c.cols, a.cols, alpha, [&](index i, index l) { return get(a, i, l); },
        [&](index l, index j) { return get(b, l, j); }, beta, c, everywhere);
  }
  void solve(T alpha, Triangle<T*> t, Matrix<T*> b) {
    for (index j = 0; j < b.cols; ++j)
      for (index s = 0; s < t.n(); ++s) {
        const index i = t.uplo == Uplo::Lower ? s : t.n() - 1 - s;
        T sum = alpha * ref(b, i, j);
        for (index l = 0; l < t.n(); ++l)
          if (l != i && triangle(t, i, l) != T(0)) sum -= triangle(t, i, l) * ref(b, l, j);
        ref(b, i, j) = sum / triangle(t, i, i);
      }
  }
  void multiply(T alpha, Triangle<T*> t, Matrix<T*> b) {
    for (index j = 0; j < b.cols; ++j) {
      std::vector<T> old;
      for (index i = 0; i < t.n(); ++i) old.push_back(ref(b, i, j));
      for (index i = 0; i < t.n(); ++i) {
        T sum(0);
        for (index l = 0; l < t.n(); ++l)
          if (triangle(t, i, l) != T(0)) sum += triangle(t, i, l) * old[static_cast<std::size_t>(l)];
        ref(b, i, j) = alpha * sum;
      }
    }
  }
  template <Mirror mirror>
  void product(T alpha, Triangle<T*> s, Matrix<T*> b, T beta, Matrix<T*> c) {
    add(
        c.rows, c.cols, s.n(), alpha, [&](index i, index l) { return full<mirror>(s, i, l); },
        [&](index l, index j) { return get(b, l, j); }, beta, c, everywhere);
  }
  template <Mirror mirror>
  void update(T alpha, Matrix<T*> a, T beta, Triangle<T*> c) {
    const Matrix<T*> other = mirrored<mirror>(a);
    make_real<mirror>(c, beta);
    add(
        c.n(), c.n(), a.cols, alpha, [&](index i, index l) { return get(a, i, l); },
        [&](index l, index j) { return get(other, l, j); }, beta, c.a, inside(c.uplo));
    make_real<mirror>(c, T(1));
  }
  template <Mirror mirror>
  void update2(T alpha, Matrix<T*> a, Matrix<T*> b, T beta, Triangle<T*> c) {
    const T second = mirror == Mirror::Hermitian ? reference::conjugate(alpha) : alpha;
    const Matrix<T*> at = mirrored<mirror>(a), bt = mirrored<mirror>(b);
    make_real<mirror>(c, beta);
    add(
        c.n(), c.n(), a.cols, alpha, [&](index i, index l) { return get(a, i, l); },
        [&](index l, index j) { return get(bt, l, j); }, beta, c.a, inside(c.uplo));
    add(
        c.n(), c.n(), a.cols, second, [&](index i, index l) { return get(b, i, l); },
        [&](index l, index j) { return get(at, l, j); }, T(1), c.a, inside(c.uplo));
    make_real<mirror>(c, T(1));
  }

 private:
  /// The imaginary part of a Hermitian diagonal is neither read nor left behind.
  template <Mirror mirror>
  static void make_real(Triangle<T*> c, T beta) {
    if (mirror != Mirror::Hermitian || beta == T(0)) return;
    for (index i = 0; i < c.n(); ++i) ref(c.a, i, i) = reference::real_part(ref(c.a, i, i));
  }
};

}  // namespace trigon::core
