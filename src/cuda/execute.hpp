// A planned request on a stream.
#pragma once

#include "core/dispatch.hpp"
#include "core/plan.hpp"
#include "cuda/backend.hpp"

namespace trigon::cuda {

constexpr bool in_place(Operation op) { return op >= Operation::Trmm; }
constexpr bool solves(Operation op) { return op == Operation::Trsm || op == Operation::Trsv; }
constexpr bool updates(Operation op) { return op >= Operation::Syrk && op <= Operation::Her2k; }

/// The same request when nothing is added, alpha or the inner dimension being 0: a product of depth 0, which reads no
/// operand but the result.
inline core::Request without_terms(core::Request r) {
  if (in_place(r.operation)) r.c = r.b, r.beta = 0;
  r.alpha = 0;
  r.a.rows = r.c.rows, r.a.cols = 0;
  r.b = r.a;
  if (updates(r.operation)) return r;
  r.operation = Operation::Gemm;
  r.b.rows = 0, r.b.cols = r.c.cols;
  return r;
}

/// Of the tickets and flags of a chain.
inline std::size_t chain_bytes(Precision precision, index order, index right_hand_sides) {
  if (right_hand_sides == 0) return 0;
  return sizeof(int) * static_cast<std::size_t>(
                           with_type(precision, [&]<class T>(T) { return chain_control<T>(order, right_hand_sides); }));
}

/// Bytes of device memory that the call needs beside its operands.
inline std::size_t needed_bytes(const core::Request& r, const core::Plan& p) {
  if (p.path != core::Path::Narrow) return 0;
  return chain_bytes(r.precision, r.b.rows, r.b.cols);
}

/// The device under the plan's recursion, or under its one step.
template <class T>
Backend<T> backend(const Stream& stream, const core::Plan& p, const Means& means) {
  constexpr index whole = index{1} << 62;
  return {stream, p.path == core::Path::Recursion ? p.leaf : whole, means};
}

/// Enqueues the call. Its workspace is needed_bytes() of device memory.
template <class T>
void execute(const Stream& stream, const core::Request& r, const core::Plan& p, const Means& means) {
  Backend<T> backend = cuda::backend<T>(stream, p, means);
  if (p.path == core::Path::Scale) return core::dispatch<T>(without_terms(r), backend, core::host_view<T>);
  if (p.path != core::Path::Narrow) return core::dispatch<T>(r, backend, core::host_view<T>);
  const Triangle<T*> t{core::host_view<T>(r.a), r.uplo, r.diag};
  const auto chain = solves(r.operation) ? solve_chain<T> : multiply_chain<T>;
  chain(stream, core::scalar<T>(r.alpha), t, core::host_view<T>(r.b), static_cast<int*>(means.workspace));
}

}  // namespace trigon::cuda
