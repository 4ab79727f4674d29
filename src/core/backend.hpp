// What a backend must supply so that the recursions of algorithm.hpp run on it.
#pragma once

#include "core/view.hpp"

#include <concepts>

namespace trigon::core {

/// How the missing half of a matrix follows from the stored one.
enum class Mirror { Symmetric, Hermitian };

template <Mirror mirror, class Ptr>
Matrix<Ptr> mirrored(Matrix<Ptr> a) {
  return mirror == Mirror::Hermitian ? adjoint(a) : transpose(a);
}

/// The conjugate where a Hermitian product needs it.
template <Mirror mirror, class Ptr>
Matrix<Ptr> bar(Matrix<Ptr> a) {
  return transpose(mirrored<mirror>(a));
}

/// Four kernels, their symmetric siblings, and the order at which the recursion hands over to them.
///
/// `gemm(alpha, a, b, beta, c)`: c := alpha a b + beta c. beta = 0 overwrites without reading.
/// `solve(alpha, t, b)`, `multiply(alpha, t, b)`: in place, any order up to leaf().
/// `product<mirror>`, `update<mirror>`, `update2<mirror>`: as in algorithm.hpp.
/// `leaf(n, rhs)`: recursion stops at triangles of at most this order (at least 1).
///
/// c and every b that is written have conj == false. Operands never alias.
template <class Be, class T, class A, class B = A, class C = B>
concept Backend = requires(Be& be, T s, Triangle<A> t, Matrix<A> a, Matrix<B> b, Matrix<C> c, Triangle<C> u) {
  { be.leaf(index{}, index{}) } -> std::same_as<index>;
  be.gemm(s, a, b, s, c);
  be.solve(s, t, c);
  be.multiply(s, t, c);
  be.template product<Mirror::Symmetric>(s, t, b, s, c);
  be.template update<Mirror::Hermitian>(s, a, s, u);
  be.template update2<Mirror::Hermitian>(s, a, a, s, u);
};

}  // namespace trigon::core
