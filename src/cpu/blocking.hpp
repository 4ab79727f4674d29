// The block sizes of the packed GEMM, from the tuning table.
#pragma once

#include "core/environment.hpp"
#include "core/tuning.hpp"
#include "cpu/kernels.hpp"

namespace trigon::cpu {

/// Blocks of k are equal, and up to a quarter longer than the table's: C passes once for each.
template <class T>
Blocking blocking(index depth) {
  const core::Tuning& t = core::tuning();
  const index small = t.cpu_small_order[precision_of<T>];
  const Blocking whole{t.cpu_gemm_m[precision_of<T>], t.cpu_gemm_n[precision_of<T>], t.cpu_gemm_k[precision_of<T>],
                       small, small > 0 && !core::environment().reproducible};
  if (depth <= whole.k) return whole;
  const index blocks = (depth - whole.k / 4 + whole.k - 1) / whole.k;
  return {whole.m, whole.n, (depth + blocks - 1) / blocks, whole.small, whole.any_order};
}

}  // namespace trigon::cpu
