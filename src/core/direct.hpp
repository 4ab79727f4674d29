// The short way of a small call, taken by its door: of a triangle that registers hold to its kernel, else one load, and
// where there is a way, one jump.
#pragma once

#include "core/canonical.hpp"
#include "core/plugin.hpp"

#include <trigon/export.hpp>

namespace trigon::core {

/// The ways in force. Null before the first call, while calls are observed, and with a backend that has none.
TRIGON_API extern std::atomic<const Direct*> ways_in_force;

/// To be called after what they depend on has changed.
void update_ways();

/// Carries out a checked call, if it has a short way. Operation and precision are given once more, because doors know
/// them when they are compiled.
[[gnu::always_inline]] inline bool directly(const Call& call, Operation operation, Precision precision) {
  const Direct* const ways = ways_in_force.load(std::memory_order_acquire);
  return ways && ways->way[static_cast<int>(operation)][index_of(precision)](call);
}

constexpr bool is_triangular(Operation op) {
  using enum Operation;
  return op == Trmm || op == Trsm || op == Trmv || op == Trsv;
}

/// Whether a size is from 1 to `most`: 0 becomes the largest of all numbers.
constexpr bool fits(index size, index most) {
  return static_cast<std::size_t>(size) - 1 < static_cast<std::size_t>(most);
}

/// The same for a triangle that registers hold. Of so small a call the way through memory to a jump and from there to
/// the kernel would take as long as the work: here nothing is in memory but what the kernel reads.
template <class T, Operation op>
[[gnu::always_inline]] inline bool in_registers(const Call& call) {
  using enum Operation;
  constexpr bool vector = op == Trmv || op == Trsv;
  const bool right = call.side == Side::Right;
  const index order = vector || right ? call.n : call.m, rhs = vector ? 1 : right ? call.m : call.n;
  if (order >= tiny_orders) return false;
  const Direct* const ways = ways_in_force.load(std::memory_order_acquire);
  if (!ways) return false;
  const auto& known = std::get<Direct::OfTriangles<T>>(ways->tiny);
  const TinyTable<T>& kernels = op == Trmm   ? known.trmm
                                : op == Trsm ? known.trsm
                                : op == Trmv ? known.trmv
                                             : known.trsv;
  const Lie lie = rhs == 1 ? Lie::Single : (call.layout == Layout::ColMajor) == right ? Lie::Along : Lie::Across;
  if (!fits(order, kernels.orders[static_cast<int>(lie)].of(rhs)) || !(vector || fits(rhs, known.rhs))) return false;
  Request r;
  canonical(call, op, precision_of<T>, r);
  const T alpha = scalar<T>(r.alpha);
  if (!vector && alpha == T(0)) return false;
  const Triangle<T*> t{host_view<T>(r.a), r.uplo, r.diag};
  kernels.kernel[static_cast<int>(lie)][order](tiny_of(alpha, t, host_view<T>(r.b)), rhs);
  return true;
}

/// What is left for calls without: checked, by a plan.
TRIGON_API void execute_as_planned(const Call&);

}  // namespace trigon::core
