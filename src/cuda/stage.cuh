// One step of a factor of a product on its way from device memory, through registers, to shared memory.
#pragma once

#include "cuda/view.cuh"

namespace trigon::cuda {

inline constexpr int gemm_threads = 256;

/// V neighbouring lines, which one load from shared memory fetches.
template <class T, int V>
struct alignas(V * sizeof(T)) Vector {
  T element[V];
};

/// L lines of K elements, in shared memory by k, in groups of V lines; `gap` more groups per k, so that a line of k
/// meets other banks.
template <class T, int L, int K, int V, int gap>
class Stage {
 public:
  static constexpr int pitch = L / V + gap;  ///< groups per k
  static constexpr int size = K * pitch;
  using Group = Vector<T, V>;

  /// Lines from `line` on of `lines`, k from `k0` on of `depth`; beyond them is `padding`.
  template <bool general>
  TRIGON_DEVICE void fetch(const Factor<T>& f, index line, index lines, index k0, index depth, T padding) {
    const bool along_k = f.a.by_rows();
    TRIGON_UNROLL
    for (int e = 0; e < each; ++e) {
      const index i = line + line_of(along_k, e), k = k0 + k_of(along_k, e);
      if (i < lines && k < depth)
        held_[e] = general ? f.a.get(i, k) : entry(f, i, k);
      else
        held_[e] = padding;
    }
    along_k_ = along_k;
  }

  TRIGON_DEVICE void put(Group* stage) const {
    TRIGON_UNROLL
    for (int e = 0; e < each; ++e) {
      const int i = line_of(along_k_, e), k = k_of(along_k_, e);
      stage[k * pitch + i / V].element[i % V] = held_[e];
    }
  }

 private:
  static_assert(L % V == 0 && L * K % gemm_threads == 0);
  static_assert(gemm_threads % L == 0 && gemm_threads % K == 0);
  static constexpr int each = L * K / gemm_threads;

  /// Neighbouring threads take neighbours in memory.
  static TRIGON_DEVICE int line_of(bool along_k, int e) {
    return along_k ? thread() / K + e * (gemm_threads / K) : thread() % L;
  }
  static TRIGON_DEVICE int k_of(bool along_k, int e) {
    return along_k ? thread() % K : thread() / L + e * (gemm_threads / L);
  }

  T held_[each];
  bool along_k_ = false;
};

}  // namespace trigon::cuda
