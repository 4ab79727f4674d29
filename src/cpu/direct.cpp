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

/// The whole request as one leaf of its recursion. Views are made where they are passed: a copy of one that was
/// just written would wait for its parts.
template <class T, Operation op>
[[gnu::always_inline]] inline bool leaf(const Request& r) {
  constexpr Mirror mirror = core::mirror_of(op);
  constexpr core::Plan packed{core::Path::Packed};
  const T alpha = core::scalar<T>(r.alpha), beta = core::scalar<T>(r.beta);
  const auto view = [](const core::Operand& o) { return core::host_view<T>(o); };
  const Backend<T> backend(packed, 1);
  if constexpr (op == Operation::Trsm)
    return kernels<T>().solve(alpha, {view(r.a), r.uplo, r.diag}, view(r.b), false);
  else if constexpr (op == Operation::Trmm)
    return kernels<T>().multiply(alpha, {view(r.a), r.uplo, r.diag}, view(r.b), false);
  else if constexpr (op == Operation::Gemm)
    backend.gemm(alpha, view(r.a), view(r.b), beta, view(r.c));
  else if constexpr (op == Operation::Symm || op == Operation::Hemm)
    backend.template product<mirror>(alpha, {view(r.a), r.uplo}, view(r.b), beta, view(r.c));
  else if constexpr (op == Operation::Syrk || op == Operation::Herk)
    backend.template update<mirror>(alpha, view(r.a), beta, {view(r.c), r.uplo});
  else
    backend.template update2<mirror>(alpha, view(r.a), view(r.b), beta, {view(r.c), r.uplo});
  return true;
}

template <class T, Operation op>
[[gnu::always_inline]] inline bool narrow(const Request& r) {
  const T alpha = core::scalar<T>(r.alpha);
  const auto kernel = inverse(op) ? kernels<T>().solve_narrow : kernels<T>().multiply_narrow;
  return kernel(alpha, {core::host_view<T>(r.a), r.uplo, r.diag}, core::host_view<T>(r.b), 1);
}

template <class T, Operation op>
bool direct(const Call& call) {
  if (call.operation != op) __builtin_unreachable();
  static const core::Tuning& tuning = core::tuning();
  static const core::DirectCalls allowed = core::direct_calls(machine(), tuning);
  Request r;
  core::canonical(call, r);
  if constexpr (vector(op)) {
    if (r.a.rows == 0 || r.a.rows > allowed.vector[precision_of<T>]) return false;
    return narrow<T, op>(r);
  } else {
    const core::Operand& c = triangular(op) ? r.b : r.c;
    const index most = std::max({c.rows, c.cols, r.a.cols}), least = std::min({c.rows, c.cols, r.a.cols});
    if (most > allowed.order[precision_of<T>] || least == 0 || r.alpha == 0.0) return false;
    if constexpr (triangular(op))
      if (allowed.narrow && core::is_narrow(tuning, precision_of<T>, r.a.rows, r.b.cols)) return narrow<T, op>(r);
    return leaf<T, op>(r);
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
