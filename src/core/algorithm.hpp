// Every recursion of the library, each written once: over views, for any backend.
//
// The triangle is split in two; the halves recurse, the rectangle between them is one GEMM.
// Charara, Keyes, Ltaief, "A framework for dense triangular matrix kernels on various manycore
// architectures", CCPE 2017; Carrica et al., "Toward portable GPU performance", 2025.
//
// Nothing here branches on data, so the same code run over a recording backend gives the static
// task list of a call. alpha and beta are folded into the updates: never a separate pass over B or C.
#pragma once

#include "core/backend.hpp"
#include "core/view.hpp"

#include <bit>
#include <complex>

namespace trigon::core {

/// Where a triangle of order n is cut: at the largest power of two below n, so that the blocks of
/// every level but the last have the same, well-aligned order.
inline index cut(index n) { return static_cast<index>(std::bit_floor(static_cast<std::uint64_t>(n - 1))); }

template <class T> T conj_scalar(T x) {
  if constexpr (is_complex<T>) return std::conj(x);
  else return x;
}

/// B := alpha T^-1 B.
template <class T, class A, class B, Backend<T, A, B> Be>
void solve(Be& be, T alpha, Triangle<A> t, Matrix<B> b) {
  if (t.n() <= be.leaf(t.n(), b.cols)) return be.solve(alpha, t, b);
  const auto [head, link, tail] = split(t, cut(t.n()));
  const auto [b_head, b_tail] = split_rows(b, t.uplo, head.n());
  solve(be, alpha, head, b_head);
  be.gemm(T(-1), link, b_head, alpha, b_tail);
  solve(be, T(1), tail, b_tail);
}

/// B := alpha T B.
template <class T, class A, class B, Backend<T, A, B> Be>
void multiply(Be& be, T alpha, Triangle<A> t, Matrix<B> b) {
  if (t.n() <= be.leaf(t.n(), b.cols)) return be.multiply(alpha, t, b);
  const auto [head, link, tail] = split(t, cut(t.n()));
  const auto [b_head, b_tail] = split_rows(b, t.uplo, head.n());
  multiply(be, alpha, tail, b_tail);
  be.gemm(alpha, link, b_head, T(1), b_tail);
  multiply(be, alpha, head, b_head);
}

/// C := alpha S B + beta C, S symmetric or Hermitian with one triangle stored.
template <Mirror mirror, class T, class A, class B, class C, Backend<T, A, B, C> Be>
void product(Be& be, T alpha, Triangle<A> s, Matrix<B> b, T beta, Matrix<C> c) {
  if (s.n() <= be.leaf(s.n(), b.cols)) return be.template product<mirror>(alpha, s, b, beta, c);
  const auto [head, link, tail] = split(s, cut(s.n()));
  const auto [b_head, b_tail] = split_rows(b, s.uplo, head.n());
  const auto [c_head, c_tail] = split_rows(c, s.uplo, head.n());
  product<mirror>(be, alpha, head, b_head, beta, c_head);
  be.gemm(alpha, mirrored<mirror>(link), b_tail, T(1), c_head);
  product<mirror>(be, alpha, tail, b_tail, beta, c_tail);
  be.gemm(alpha, link, b_head, T(1), c_tail);
}

/// C := alpha A A' + beta C on one triangle; A' is the transpose or the adjoint of A.
template <Mirror mirror, class T, class A, class C, Backend<T, A, A, C> Be>
void update(Be& be, T alpha, Matrix<A> a, T beta, Triangle<C> c) {
  if (c.n() <= be.leaf(c.n(), a.cols)) return be.template update<mirror>(alpha, a, beta, c);
  const auto [head, link, tail] = split(c, cut(c.n()));
  const auto [a_head, a_tail] = split_rows(a, c.uplo, head.n());
  update<mirror>(be, alpha, a_head, beta, head);
  be.gemm(alpha, a_tail, mirrored<mirror>(a_head), beta, link);
  update<mirror>(be, alpha, a_tail, beta, tail);
}

/// C := alpha A B' + alpha' B A' + beta C on one triangle; alpha' is conj(alpha) with the adjoint.
template <Mirror mirror, class T, class A, class C, Backend<T, A, A, C> Be>
void update2(Be& be, T alpha, Matrix<A> a, Matrix<A> b, T beta, Triangle<C> c) {
  if (c.n() <= be.leaf(c.n(), a.cols)) return be.template update2<mirror>(alpha, a, b, beta, c);
  const T alpha2 = mirror == Mirror::Hermitian ? conj_scalar(alpha) : alpha;
  const auto [head, link, tail] = split(c, cut(c.n()));
  const auto [a_head, a_tail] = split_rows(a, c.uplo, head.n());
  const auto [b_head, b_tail] = split_rows(b, c.uplo, head.n());
  update2<mirror>(be, alpha, a_head, b_head, beta, head);
  be.gemm(alpha, a_tail, mirrored<mirror>(b_head), beta, link);
  be.gemm(alpha2, b_tail, mirrored<mirror>(a_head), T(1), link);
  update2<mirror>(be, alpha, a_tail, b_tail, beta, tail);
}

}  // namespace trigon::core
