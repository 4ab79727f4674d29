// A planned request on a stream.
#pragma once

#include "core/dispatch.hpp"
#include "core/plan.hpp"
#include "cuda/backend.hpp"

namespace trigon::cuda {

constexpr bool in_place(Operation op) { return op >= Operation::Trmm; }
constexpr bool solves(Operation op) { return op == Operation::Trsm || op == Operation::Trsv; }
/// Whether diagonal tiles are inverted.
inline bool inverts(const core::Request& r) { return solves(r.operation) && r.solve == Solve::Inverted; }
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

inline std::size_t inverse_bytes(Precision precision, index order) {
  return static_cast<std::size_t>(inverse_elements(order)) *
         with_type(precision, [](auto zero) { return sizeof zero; });
}

/// Bytes of device memory that the call needs beside its operands.
inline std::size_t needed_bytes(const core::Request& r, const core::Plan& p) {
  if (p.path == core::Path::Narrow) return chain_bytes(r.precision, r.b.rows, r.b.cols);
  const bool inverses = inverts(r) && (p.path == core::Path::Packed || p.path == core::Path::Recursion);
  return inverses ? inverse_bytes(r.precision, r.b.rows) : 0;
}

template <class T>
Triangle<T*> triangle(const core::Request& r) {
  return {core::host_view<T>(r.a), r.uplo, r.diag};
}

/// The device under the plan's recursion, or under its one step; not for the narrow path.
template <class T>
Backend<T> backend(const Stream& stream, const core::Request& r, const core::Plan& p, const Means& means) {
  constexpr index whole = index{1} << 62;
  Backend<T> made(stream, p.path == core::Path::Recursion ? p.leaf : whole, means);
  if (inverts(r) && p.path != core::Path::Scale)
    made.solve_by_inverses(triangle<T>(r), static_cast<T*>(means.workspace));
  return made;
}

/// Enqueues the call. Its workspace is needed_bytes() of device memory.
template <class T>
void execute(const Stream& stream, const core::Request& r, const core::Plan& p, const Means& means) {
  if (p.path == core::Path::Narrow) {
    const T alpha = core::scalar<T>(r.alpha);
    const auto b = core::host_view<T>(r.b);
    int* const control = static_cast<int*>(means.workspace);
    if (!solves(r.operation)) return multiply_chain<T>(stream, alpha, triangle<T>(r), b, control, means.choice);
    return solve_chain<T>(stream, alpha, triangle<T>(r), b, control, inverts(r), means.choice);
  }
  Backend<T> device = backend<T>(stream, r, p, means);
  core::dispatch<T>(p.path == core::Path::Scale ? without_terms(r) : r, device, core::host_view<T>);
}

}  // namespace trigon::cuda
