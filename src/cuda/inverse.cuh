// Diagonal tiles by their inverses, on request: x := D r, refined once by x := x + D (r - t x), where D is t^-1 as
// substitution computes it. Nothing in it waits for the row before. Tiles of 32 and one refinement stay as good as
// substitution; inverses of 128 rows are off by orders of magnitude.
//
// The correction tells how good D is: where it is not small beside x, in each entry, the tile is substituted after all.
// So are NaN, infinities, and pivots without a reciprocal.
#pragma once

#include "cuda/tile.cuh"

namespace trigon::cuda {

/// What is done with a triangle.
enum class Action : int { Multiply, Solve, SolveByInverse };
template <Action action>
inline constexpr bool is_solve = action != Action::Multiply;

/// Whether d is below the square root of the roundoff beside x, in both parts of a number; not beside Inf or NaN.
template <class T>
TRIGON_DEVICE bool is_small_beside(T d, T x) {
  using std::fabs;
  if constexpr (device_complex<T>) {
    const auto larger = [](auto y, auto z) { return y <= z ? z : z <= y ? y : y + z; };  // NaN of a NaN
    return is_small_beside(larger(fabs(d.re), fabs(d.im)), larger(fabs(x.re), fabs(x.im)));
  } else {
    constexpr T most = sizeof(T) == 4 ? T(FLT_MAX) : T(DBL_MAX), root = sizeof(T) == 4 ? T(0x1p-12) : T(0x1p-26);
    return fabs(x) <= most && fabs(d) <= root * fabs(x);
  }
}

/// Calls put(i, j, x) for the entries of the inverse of a tile: each warp has four columns at a time, lanes rows. All
/// threads of the block.
template <class T, class Put>
TRIGON_DEVICE void invert_tile(const T* tile, int rows, bool lower, bool unit, const Put& put) {
  for (int first = warp() * panel_columns; first < panel_tile; first += warps() * panel_columns) {
    T x[panel_columns];
    TRIGON_UNROLL
    for (int q = 0; q < panel_columns; ++q) x[q] = number<T>(lane() == first + q ? 1 : 0);
    solve_in_warp(tile + lane() * tile_pitch, rows, lower, unit, x);
    TRIGON_UNROLL
    for (int q = 0; q < panel_columns; ++q) put(lane(), first + q, x[q]);
  }
}

/// y := S x for a triangle S of entries entry(k) in this lane's row.
template <class T, int columns, class Entry>
TRIGON_DEVICE void multiply_in_warp(const Entry& entry, int rows, bool lower, const T (&x)[columns], T (&y)[columns]) {
  TRIGON_UNROLL
  for (int q = 0; q < columns; ++q) y[q] = number<T>(0);
  for (int k = 0; k < rows; ++k) {
    const bool within = lower ? k <= lane() : k >= lane();
    const T factor = within ? entry(k) : number<T>(0);
    TRIGON_UNROLL
    for (int q = 0; q < columns; ++q) {
      const T other = shuffle(x[q], k);
      if (within) y[q] = add_product(y[q], factor, other);
    }
  }
}

/// x := t^-1 x by the inverse, of which inverse(k) is entry k of this lane's row; `row` is that of the tile.
template <class T, int columns, class Inverse>
TRIGON_DEVICE void solve_by_inverse(const T* row, const Inverse& inverse, int rows, bool lower, bool unit,
                                    T (&x)[columns]) {
  T y[columns], rest[columns], correction[columns];
  multiply_in_warp(inverse, rows, lower, x, y);
  multiply_in_warp([&](int k) { return unit && k == lane() ? number<T>(1) : row[k]; }, rows, lower, y, rest);
  TRIGON_UNROLL
  for (int q = 0; q < columns; ++q) rest[q] = difference(x[q], rest[q]);
  multiply_in_warp(inverse, rows, lower, rest, correction);
  bool good = true;
  TRIGON_UNROLL
  for (int q = 0; q < columns; ++q) good = good && is_small_beside(correction[q], y[q]);
  if (!all_lanes(good || lane() >= rows)) return solve_in_warp(row, rows, lower, unit, x);
  TRIGON_UNROLL
  for (int q = 0; q < columns; ++q) x[q] = sum(y[q], correction[q]);
}

/// In device memory an inverse lies by columns.
inline constexpr int inverse_size = panel_tile * panel_tile;

/// The inverses of all diagonal tiles, in the order of substitution. The grid is one block per tile.
template <class T>
TRIGON_KERNEL(panel_threads)
invert_kernel(Panel<T> p, View<T> t, T* inverses) {
  TRIGON_SHARED(T, tile, tile_size);
  const index rows = at_most(panel_tile, p.m - panel_tile * block());
  T* const inverse = inverses + inverse_size * block();
  load_triangle(tile, t, place_of_tile(p.lower, block(), p.m), rows, p.lower, p.unit);
  sync_block();
  invert_tile(tile, static_cast<int>(rows), p.lower, p.unit,
              [&](int i, int j, T x) { inverse[i + panel_tile * j] = x; });
}

}  // namespace trigon::cuda
