// Small calls without a plan: what it would say of them is known beforehand.
#pragma once

#include "core/direct.hpp"
#include "core/once.hpp"
#include "core/plan.hpp"
#include "core/plugin.hpp"
#include "core/tuning.hpp"
#include "cpu/blocking.hpp"
#include "cpu/finite.hpp"
#include "cpu/plugin.hpp"
#include "cpu/pool.hpp"

#include <algorithm>

namespace trigon::cpu {

/// The table of their ways, by operation and precision.
const core::Direct& direct();

/// Which calls of one precision these are (core::direct_calls), looked up once.
struct DirectSizes {
  index volume, columns, order, vector, narrow_order, narrow_rhs;
  Blocking blocking;
};
template <class T>
[[gnu::always_inline]] inline const DirectSizes& direct_sizes() {
  return core::once([] {
    // What this call may use, one thread within a parallel region, does not hold for all that follow, nor what this
    // process may for its children: a limit that says one thread may say more in these.
    core::Machine all = machine();
    all.threads = std::max(2, thread_limit().threads);
    const core::DirectCalls calls = core::direct_calls(all, core::tuning());
    constexpr Precision p = precision_of<T>;
    return DirectSizes{calls.volume[p],       calls.columns[p],    calls.order[p], calls.vector[p],
                       calls.narrow_order[p], calls.narrow_rhs[p], blocking<T>(1)};
  });
}

using core::fits;

/// Whether three sizes are at least 1 and their product at most `volume`.
[[gnu::always_inline]] inline bool fits(index m, index n, index k, index volume) {
  return fits(m, volume) && fits(n, volume) && fits(k, volume) && m * n * k <= volume;
}

/// Whether a product is among them: its sums are of one block, its scalars are finite.
template <class T>
[[gnu::always_inline]] inline bool is_direct_product(const core::Request& r, const DirectSizes& known) {
  return fits(r.c.rows, r.c.cols, r.a.cols, known.volume) && r.a.cols <= known.blocking.k &&
         core::scalar<T>(r.alpha) != T(0) && is_finite(core::scalar<T>(r.alpha)) && is_finite(core::scalar<T>(r.beta));
}

}  // namespace trigon::cpu
