// From a request to its recursion: the one place where an operation chooses its algorithm.
#pragma once

#include "core/algorithm.hpp"
#include "core/request.hpp"

namespace trigon::core {

/// Runs the request on a backend for T. `view` turns an operand into a matrix of the backend's pointers.
template <class T, class Be, class View>
void dispatch(const Request& r, Be& be, View&& view) {
  const T alpha = scalar<T>(r.alpha), beta = scalar<T>(r.beta);
  const auto a = view(r.a), b = view(r.b), c = view(r.c);
  // A real matrix is its own conjugate.
  constexpr Mirror hermitian = is_complex<T> ? Mirror::Hermitian : Mirror::Symmetric;
  const Triangle stored{a, r.uplo, r.diag}, result{c, r.uplo};
  switch (r.operation) {
    case Operation::Gemm: return be.gemm(alpha, a, b, beta, c);
    case Operation::Symm: return product<Mirror::Symmetric>(be, alpha, stored, b, beta, c);
    case Operation::Hemm: return product<hermitian>(be, alpha, stored, b, beta, c);
    case Operation::Syrk: return update<Mirror::Symmetric>(be, alpha, a, beta, result);
    case Operation::Herk: return update<hermitian>(be, alpha, a, beta, result);
    case Operation::Syr2k: return update2<Mirror::Symmetric>(be, alpha, a, b, beta, result);
    case Operation::Her2k: return update2<hermitian>(be, alpha, a, b, beta, result);
    case Operation::Trmm:
    case Operation::Trmv: return multiply(be, alpha, stored, b);
    case Operation::Trsm:
    case Operation::Trsv: return solve(be, alpha, stored, b);
  }
}

/// How many rectangles one split of the operation makes.
constexpr int gemms_per_split(Operation op) {
  const bool two = op == Operation::Symm || op == Operation::Hemm || op == Operation::Syr2k || op == Operation::Her2k;
  return two ? 2 : 1;
}

}  // namespace trigon::core
