// The short way for small calls: what a plan would say of them is known beforehand, so that none is made.
#include "cpu/direct.hpp"

#include "core/canonical.hpp"
#include "core/dispatch.hpp"
#include "core/tuning.hpp"
#include "cpu/backend.hpp"
#include "cpu/plugin.hpp"

#include <utility>

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
[[gnu::always_inline]] inline const Known<T>& known() {
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
bool run(const Call& call) {
  const Known<T>& of = known<T>();
  Request r;
  core::canonical(call, op, precision_of<T>, r);
  if constexpr (vector(op)) {
    if (r.a.rows == 0 || r.a.rows > of.vector) return false;
    return narrow<T, op>(r, of.kernels);
  } else {
    // From 1 to `order`: 0 becomes the largest of all numbers.
    const auto fits = [&](index size) {
      return static_cast<std::size_t>(size) - 1 < static_cast<std::size_t>(of.order);
    };
    const core::Operand& c = triangular(op) ? r.b : r.c;
    if (!fits(c.rows) || !fits(c.cols) || !fits(r.a.cols) || core::scalar<T>(r.alpha) == T(0)) return false;
    if constexpr (triangular(op))
      if (r.b.cols <= of.narrow_rhs && r.a.rows >= of.narrow_order) return narrow<T, op>(r, of.kernels);
    return leaf<T, op>(r, of.kernels);
  }
}

constexpr core::Direct table() {
  core::Direct direct;
  const auto fill = [&]<class T, std::size_t... op>(T, std::index_sequence<op...>) {
    ((direct.way[op][core::index_of(precision_of<T>)] = run<T, Operation{op}>), ...);
  };
  constexpr auto operations = std::make_index_sequence<operation_count>();
  fill(float{}, operations), fill(double{}, operations);
  fill(std::complex<float>{}, operations), fill(std::complex<double>{}, operations);
  return direct;
}

}  // namespace

const core::Direct& direct() {
  static constexpr core::Direct ways = table();
  return ways;
}

}  // namespace trigon::cpu
