// C := alpha A B + beta C, and every product that is one: a tile of C per block, its factors staged through shared
// memory, its sums in registers, by ordinary multiply-adds (patch.cuh) or on FP64 tensor units (tensor.cuh).
//
// Both factors are given by lines: A by the rows of C, B by its columns (transposed). So one way of loading serves
// both, transposition and conjugation are strides and a flag, and a symmetric factor, or a pair of matrices for a
// rank-2k update, is a matter of entry() alone. Of a masked C only tiles with entries are computed.
//
// Two buffers in turn: the next step of both factors is on its way to registers while this one is multiplied, and one
// barrier a step is enough.
#pragma once

#include "cuda/tensor.cuh"

namespace trigon::cuda {

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

struct Place {
  index row, column;
};

/// Which of rows × columns tiles this block has: eight columns of them at a time, row by row, so that blocks which run
/// together read few lines of both factors.
TRIGON_DEVICE Place place_of_block(index rows, index columns) {
  constexpr index together = 8;
  const index first = block() / (together * rows) * together;
  const index across = columns - first < together ? columns - first : together;
  const index within = block() - first * rows;
  return {within / across, first + within % across};
}

/// The grid is one block per tile of C. `general`: both factors are general ones and all of C exists.
template <class T, class Shape, bool general>
TRIGON_KERNEL_TOGETHER(gemm_threads, Shape::together)
gemm_kernel(Product<T> p, Factor<T> a, Factor<T> b, View<T> c) {
  using Sums = typename multiplier<T, Shape>::type;
  using StageA = typename Sums::StageA;
  using StageB = typename Sums::StageB;
  TRIGON_SHARED(typename StageA::Group, staged_a, 2 * StageA::size);
  TRIGON_SHARED(typename StageB::Group, staged_b, 2 * StageB::size);

  const index steps = (p.k + Shape::k - 1) / Shape::k;
  const Place at = place_of_block((p.m + Shape::m - 1) / Shape::m, (p.n + Shape::n - 1) / Shape::n);
  const index i0 = at.row * Shape::m, j0 = at.column * Shape::n;
  if (!general && !any_exists(p.mask, i0, j0, Shape::m, Shape::n)) return;

  Sums sums;
  sums.clear();
  StageA next_a;
  StageB next_b;
  const T padding_a = Sums::padding_a(), padding_b = number<T>(0);
  // One more turn at the beginning, in which nothing is multiplied: so the code that fetches is there once.
  TRIGON_KEEP_ROLLED
  for (index step = -1; step < steps; ++step) {
    const bool more = step + 1 < steps;
    if (more) {
      next_a.template fetch<general>(a, i0, p.m, (step + 1) * Shape::k, p.k, padding_a);
      next_b.template fetch<general>(b, j0, p.n, (step + 1) * Shape::k, p.k, padding_b);
    }
    if (step >= 0)
      sums.add(staged_a + step % 2 * StageA::size, staged_b + step % 2 * StageB::size, p.k - step * Shape::k);
    if (more) {
      next_a.put(staged_a + (step + 1) % 2 * StageA::size);
      next_b.put(staged_b + (step + 1) % 2 * StageB::size);
      sync_block();
    }
  }

  sums.for_sums([&](int i, int j, T sum) {
    const index at_i = i0 + i, at_j = j0 + j;
    if (at_i >= p.m || at_j >= p.n || !(general || exists(p.mask, at_i, at_j))) return;
    T& x = c.at(at_i, at_j);
    x = !general && is_hermitian(p.mask) ? combined_hermitian(p, sum, x, at_i == at_j) : combined(p, sum, x);
  });
}

}  // namespace trigon::cuda
