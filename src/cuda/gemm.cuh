// C := alpha A B + beta C, and every product that is one: a tile of C per block, its factors staged through shared
// memory, an r × c patch of it in the registers of each thread.
//
// Both factors are given by lines: A by the rows of C, B by its columns (transposed). So one way of loading serves
// both, transposition and conjugation are strides and a flag, and a symmetric factor, or a pair of matrices for a
// rank-2k update, is a matter of entry() alone. Of a masked C only tiles with entries are computed.
//
// Two buffers in turn: the next step of both factors is on its way to registers while this one is multiplied, and one
// barrier a step is enough.
#pragma once

#include "cuda/view.cuh"

namespace trigon::cuda {

/// How many of a thread's lines one load from shared memory fetches: up to 16 bytes of them.
template <class T, int lines>
inline constexpr int group_of = lines / 16 < static_cast<int>(16 / sizeof(T)) ? lines / 16
                                                                              : static_cast<int>(16 / sizeof(T));

template <class T, int V>
struct alignas(V * sizeof(T)) Vector {
  T element[V];
};

/// Tiles of M × N with K steps at a time. The threads are 16 × 16; each has M / 16 rows and N / 16 columns, in groups
/// of neighbours.
template <int M, int N, int K>
struct Tile {
  static constexpr int m = M, n = N, k = K;
};
inline constexpr int gemm_threads = 256;

/// One step of a factor: L lines of K elements.
template <class T, int L, int K>
class Stage {
 public:
  static constexpr int V = group_of<T, L>;
  static constexpr int pitch = L / V + 1;  ///< groups per k; one more, so that a line of k meets other banks
  static constexpr int size = K * pitch;
  using Group = Vector<T, V>;

  /// Lines from `line` on of `lines`, k from `k0` on of `depth`; beyond them are zeros.
  template <bool general>
  TRIGON_DEVICE void fetch(const Factor<T>& f, index line, index lines, index k0, index depth) {
    const bool along_k = f.a.by_rows();
    TRIGON_UNROLL
    for (int e = 0; e < each; ++e) {
      const index i = line + line_of(along_k, e), k = k0 + k_of(along_k, e);
      if (i < lines && k < depth)
        held_[e] = general ? f.a.get(i, k) : entry(f, i, k);
      else
        held_[e] = number<T>(0);
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
  static_assert(L % (16 * V) == 0 && L * K % gemm_threads == 0);
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

/// What the kernel needs beside its operands.
template <class T>
struct Product {
  index m, n, k;
  T alpha, beta;
  Mask mask;
};

/// beta old + alpha acc; without a look at old when beta is 0, and beta old alone where nothing was summed: + 0 would
/// lose the sign of a zero.
template <class T>
TRIGON_DEVICE T combined(const Product<T>& p, T acc, const T& old) {
  const T x = scaled(p.alpha, acc);
  if (is(p.beta, 0)) return x;
  return p.k == 0 ? product(p.beta, old) : add_product(x, p.beta, old);
}

/// The same in a Hermitian result, where beta is real, and HERK's alpha: they scale both parts, and 0 times the other
/// part, which may be Inf, is not added. A diagonal is read and left without imaginary parts.
template <class T>
TRIGON_DEVICE T combined_hermitian(const Product<T>& p, T acc, const T& old, bool diagonal) {
  if constexpr (device_complex<T>) {
    using std::fma;
    const auto alpha = p.alpha.re, beta = p.beta.re;
    T x = p.alpha.im == 0 ? T{alpha * acc.re, alpha * acc.im} : product(p.alpha, acc);
    if (beta != 0) x = p.k == 0 ? T{beta * old.re, beta * old.im} : T{fma(beta, old.re, x.re), fma(beta, old.im, x.im)};
    return diagonal ? made_real(x) : x;
  } else {
    return combined(p, acc, old);
  }
}

/// The grid is one block per tile of C. `general`: both factors are general ones and all of C exists.
template <class T, class Shape, bool general>
TRIGON_KERNEL(gemm_threads)
gemm_kernel(Product<T> p, Factor<T> a, Factor<T> b, View<T> c) {
  using StageA = Stage<T, Shape::m, Shape::k>;
  using StageB = Stage<T, Shape::n, Shape::k>;
  constexpr int rows = Shape::m / 16, columns = Shape::n / 16, VA = StageA::V, VB = StageB::V;
  TRIGON_SHARED(typename StageA::Group, staged_a, 2 * StageA::size);
  TRIGON_SHARED(typename StageB::Group, staged_b, 2 * StageB::size);

  const int row = thread() % 16, column = thread() / 16;
  const index tile_rows = (p.m + Shape::m - 1) / Shape::m;
  const index steps = (p.k + Shape::k - 1) / Shape::k;

  const index i0 = block() % tile_rows * Shape::m, j0 = block() / tile_rows * Shape::n;
  if (!general && !any_exists(p.mask, i0, j0, Shape::m, Shape::n)) return;

  T acc[rows][columns];
  TRIGON_UNROLL
  for (int i = 0; i < rows; ++i) {
    TRIGON_UNROLL
    for (int j = 0; j < columns; ++j) acc[i][j] = number<T>(0);
  }

  StageA next_a;
  StageB next_b;
  next_a.template fetch<general>(a, i0, p.m, 0, p.k);
  next_b.template fetch<general>(b, j0, p.n, 0, p.k);
  next_a.put(staged_a);
  next_b.put(staged_b);
  sync_block();

  for (index step = 0; step < steps; ++step) {
    const bool more = step + 1 < steps;
    if (more) {
      next_a.template fetch<general>(a, i0, p.m, (step + 1) * Shape::k, p.k);
      next_b.template fetch<general>(b, j0, p.n, (step + 1) * Shape::k, p.k);
    }
    const auto* from_a = staged_a + step % 2 * StageA::size + row;
    const auto* from_b = staged_b + step % 2 * StageB::size + column;
    for_each<Shape::k>(p.k - step * Shape::k, [&](int k) {
      typename StageA::Group x[rows / VA];
      typename StageB::Group y[columns / VB];
      TRIGON_UNROLL
      for (int g = 0; g < rows / VA; ++g) x[g] = from_a[k * StageA::pitch + 16 * g];
      TRIGON_UNROLL
      for (int g = 0; g < columns / VB; ++g) y[g] = from_b[k * StageB::pitch + 16 * g];
      TRIGON_UNROLL
      for (int i = 0; i < rows; ++i) {
        TRIGON_UNROLL
        for (int j = 0; j < columns; ++j)
          acc[i][j] = add_product(acc[i][j], x[i / VA].element[i % VA], y[j / VB].element[j % VB]);
      }
    });
    if (more) {
      next_a.put(staged_a + (step + 1) % 2 * StageA::size);
      next_b.put(staged_b + (step + 1) % 2 * StageB::size);
      sync_block();
    }
  }

  TRIGON_UNROLL
  for (int j = 0; j < columns; ++j) {
    TRIGON_UNROLL
    for (int i = 0; i < rows; ++i) {
      const index at_i = i0 + (i / VA * 16 + row) * VA + i % VA, at_j = j0 + (j / VB * 16 + column) * VB + j % VB;
      if (at_i >= p.m || at_j >= p.n || !(general || exists(p.mask, at_i, at_j))) continue;
      T& x = c.at(at_i, at_j);
      x = !general && is_hermitian(p.mask) ? combined_hermitian(p, acc[i][j], x, at_i == at_j)
                                           : combined(p, acc[i][j], x);
    }
  }
}

}  // namespace trigon::cuda
