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

namespace trigon::cpu {

/// The table of their ways, by operation and precision.
const core::Direct& direct();

/// Which calls of one precision these are (core::direct_calls), looked up once.
struct DirectSizes {
  index volume, columns, order, vector, narrow_order, narrow_rhs;
  Blocking blocking;
};
template <class T>
[[gnu::always_inline]] inline const DirectSizes& direct_sizes(bool serial = thread_limit().threads == 1) {
  struct Both {
    DirectSizes of[2];  ///< where a call may use several threads, and where one
  };
  const Both& known = core::once([] {
    const auto with = [](int threads) {
      // What this call may use, one thread within a parallel region, does not hold for all that follow.
      core::Machine all = machine();
      all.threads = threads;
      const core::DirectCalls calls = core::direct_calls(all, core::tuning());
      constexpr Precision p = precision_of<T>;
      return DirectSizes{calls.volume[p],       calls.columns[p],    calls.order[p], calls.vector[p],
                         calls.narrow_order[p], calls.narrow_rhs[p], blocking<T>(1)};
    };
    return Both{{with(2), with(1)}};
  });
  return known.of[serial];  // not once for all: a child may have more processors than its parent
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
