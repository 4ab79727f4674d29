// A triangle that registers hold, from its door to its kernel: of so small a call the way through memory to a jump and
// from there to the kernel would take as long as the work. Nothing is in memory here but what the kernel reads.
#pragma once

#include "core/canonical.hpp"
#include "core/direct.hpp"
#include "core/rules.hpp"

namespace trigon::core {

/// The kernel of a TRMM, TRSM, TRMV or TRSV, or null.
template <class T, Operation op>
[[gnu::always_inline]] inline TinyKernel<T> tiny_kernel(Lie lie, index order, index rhs) {
  using enum Operation;
  const Direct* const ways = ways_in_force.load(std::memory_order_acquire);
  if (!ways) return nullptr;
  const auto& known = std::get<Direct::OfTriangles<T>>(ways->tiny);
  const TinyTable<T>& kernels = op == Trmm   ? known.trmm
                                : op == Trsm ? known.trsm
                                : op == Trmv ? known.trmv
                                             : known.trsv;
  const bool serves = fits(order, kernels.orders[static_cast<int>(lie)].of(rhs)) && fits(rhs, known.rhs);
  return serves ? kernels.kernel[static_cast<int>(lie)][order] : nullptr;
}

/// Carries out a call that has not been checked, if it is good and one of these.
template <class T, Operation op>
[[gnu::always_inline]] inline bool execute_at_once(const Call& call) {
  using enum Operation;
  constexpr bool vector = op == Trmv || op == Trsv;
  if constexpr (op == Trmm || op == Trsm || vector) {
    const bool right = !vector && call.side == Side::Right;
    const index order = vector || right ? call.n : call.m, rhs = vector ? 1 : right ? call.m : call.n;
    if (order >= tiny_orders) return false;
    const Lie lie = rhs == 1 ? Lie::Single : (call.layout == Layout::ColMajor) == right ? Lie::Along : Lie::Across;
    const TinyKernel<T> kernel = tiny_kernel<T, op>(lie, order, rhs);
    if (!kernel || !rules::fine(call, op)) return false;
    Request r;
    canonical(call, op, precision_of<T>, r);
    const T alpha = scalar<T>(r.alpha);
    if (!vector && alpha == T(0)) return false;
    kernel(tiny_of(alpha, Triangle<T*>{host_view<T>(r.a), r.uplo, r.diag}, host_view<T>(r.b)), rhs);
    return true;
  }
  return false;
}

}  // namespace trigon::core
