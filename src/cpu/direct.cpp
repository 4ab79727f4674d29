// The short way for small calls: what a plan would say of them is known beforehand, so that none is made.
#include "cpu/direct.hpp"

#include "core/canonical.hpp"
#include "core/dispatch.hpp"
#include "core/tuning.hpp"
#include "cpu/backend.hpp"
#include "cpu/plugin.hpp"

#include <algorithm>

namespace trigon::cpu {
namespace {

using core::Request;

constexpr bool vector(Operation op) { return op == Operation::Trmv || op == Operation::Trsv; }
constexpr bool triangular(Operation op) { return op == Operation::Trmm || op == Operation::Trsm; }
constexpr bool inverse(Operation op) { return op == Operation::Trsm || op == Operation::Trsv; }

/// What is looked up once: which calls these are, and the kernels of the machine.
template <class T>
struct Known {
  index order, vector, narrow_order, narrow_rhs;
  const Kernels<T>& kernels;
};
template <class T>
const Known<T>& known() {
  static const Known<T> found = [] {
    const core::DirectCalls calls = core::direct_calls(machine(), core::tuning());
    constexpr Precision p = precision_of<T>;
    return Known<T>{calls.order[p], calls.vector[p], calls.narrow_order[p], calls.narrow_rhs[p], kernels<T>()};
  }();
  return found;
}

/// The whole request as one leaf of its recursion. Views are made where they are passed: a copy of one that was
/// just written would wait for its parts.
template <class T, Operation op>
[[gnu::always_inline]] inline bool leaf(const Request& r, const Kernels<T>& kernels) {
  constexpr Mirror mirror = core::mirror_of(op);
  constexpr core::Plan packed{core::Path::Packed};
  const T alpha = core::scalar<T>(r.alpha), beta = core::scalar<T>(r.beta);
  const auto view = [](const core::Operand& o) { return core::host_view<T>(o); };
  if constexpr (op == Operation::Trsm) return kernels.solve(alpha, {view(r.a), r.uplo, r.diag}, view(r.b), false);
  if constexpr (op == Operation::Trmm) return kernels.multiply(alpha, {view(r.a), r.uplo, r.diag}, view(r.b), false);
  const Backend<T> backend(packed, 1);
  if constexpr (op == Operation::Gemm)
    backend.gemm(alpha, view(r.a), view(r.b), beta, view(r.c));
  else if constexpr (op == Operation::Symm || op == Operation::Hemm)
    backend.template product<mirror>(alpha, {view(r.a), r.uplo}, view(r.b), beta, view(r.c));
  else if constexpr (op == Operation::Syrk || op == Operation::Herk)
    backend.template update<mirror>(alpha, view(r.a), beta, {view(r.c), r.uplo});
  else if constexpr (op == Operation::Syr2k || op == Operation::Her2k)
    backend.template update2<mirror>(alpha, view(r.a), view(r.b), beta, {view(r.c), r.uplo});
  return true;
}

template <class T, Operation op>
[[gnu::always_inline]] inline bool narrow(const Request& r, const Kernels<T>& kernels) {
  const T alpha = core::scalar<T>(r.alpha);
  const auto kernel = inverse(op) ? kernels.solve_narrow : kernels.multiply_narrow;
  return kernel(alpha, {core::host_view<T>(r.a), r.uplo, r.diag}, core::host_view<T>(r.b), 1);
}

template <class T, Operation op>
bool direct(const Call& call) {
  const Known<T>& of = known<T>();
  Request r;
  core::canonical(call, op, precision_of<T>, r);
  if constexpr (vector(op)) {
    if (r.a.rows == 0 || r.a.rows > of.vector) return false;
    return narrow<T, op>(r, of.kernels);
  } else {
    const core::Operand& c = triangular(op) ? r.b : r.c;
    const index most = std::max({c.rows, c.cols, r.a.cols}), least = std::min({c.rows, c.cols, r.a.cols});
    if (most > of.order || least == 0 || r.alpha == 0.0) return false;
    if constexpr (triangular(op))
      if (r.b.cols <= of.narrow_rhs && r.a.rows >= of.narrow_order) return narrow<T, op>(r, of.kernels);
    return leaf<T, op>(r, of.kernels);
  }
}

template <Operation op>
bool direct(const Call& call) {
  switch (call.precision) {
    case Precision::Single: return direct<float, op>(call);
    case Precision::Double: return direct<double, op>(call);
    case Precision::ComplexSingle: return direct<std::complex<float>, op>(call);
    case Precision::ComplexDouble: return direct<std::complex<double>, op>(call);
  }
  return false;
}

}  // namespace

bool direct(const Call& call) {
  switch (call.operation) {
    case Operation::Gemm: return direct<Operation::Gemm>(call);
    case Operation::Symm: return direct<Operation::Symm>(call);
    case Operation::Hemm: return direct<Operation::Hemm>(call);
    case Operation::Syrk: return direct<Operation::Syrk>(call);
    case Operation::Herk: return direct<Operation::Herk>(call);
    case Operation::Syr2k: return direct<Operation::Syr2k>(call);
    case Operation::Her2k: return direct<Operation::Her2k>(call);
    case Operation::Trmm: return direct<Operation::Trmm>(call);
    case Operation::Trsm: return direct<Operation::Trsm>(call);
    case Operation::Trmv: return direct<Operation::Trmv>(call);
    case Operation::Trsv: return direct<Operation::Trsv>(call);
  }
  return false;
}

}  // namespace trigon::cpu
