// Leaves of the recursion: B := alpha T^-1 B and B := alpha T B in place, for a triangle of some hundred rows.
//
// After Charara, Keyes, Ltaief, CCPE 2017: 32 × 32 tiles of T in shared memory, columns of B in registers, one row per
// lane, left-looking (a tile of B is read often and written once). Each warp of a block has four columns of B: few
// warps make many blocks of few right-hand sides, many read T less often. Substitution is exact: no block is inverted
// unless it is asked for (inverse.cuh), and a diagonal element is replaced by its reciprocal only where that of its
// whole tile is safe.
#pragma once

#include "cuda/inverse.cuh"

namespace trigon::cuda {

/// Whether the warp has any of a strip's columns.
TRIGON_DEVICE bool has_columns(index columns) { return warp() * panel_columns < columns; }

/// acc += T(i, p) B(p, :) for the tile pair (i, p); all threads of the block.
template <class T>
TRIGON_DEVICE void add_tiles(T (&acc)[panel_columns], T* tile, T* strip, const View<T>& t, const View<T>& b, index i0,
                             index rows, index p0, index depth, index j0, index columns) {
  sync_block();  // the last pair's readers are done
  load_tile(tile, t, i0, p0, rows, depth);
  load_tile(strip, b, p0, j0, depth, columns, warps() * panel_columns);
  sync_block();
  const T* row = tile + lane() * tile_pitch;
  if (!has_columns(columns)) return;
  const T* mine = strip + warp() * panel_columns;
  for_each<panel_tile>(depth, [&](int k) {
    TRIGON_UNROLL
    for (int q = 0; q < panel_columns; ++q) acc[q] = add_product(acc[q], row[k], mine[k * tile_pitch + q]);
  });
}

/// The diagonal tile and the warp's columns of its rows: strip := T^-1 (alpha strip - acc), or alpha (acc + T strip).
template <class T, Action action>
TRIGON_DEVICE void meet_diagonal(const Panel<T>& p, int rows, const T* tile, const T* inverse, T* strip,
                                 T (&acc)[panel_columns]) {
  const T* row = tile + lane() * tile_pitch;
  T* mine = strip + warp() * panel_columns;
  if (is_solve<action>) {
    TRIGON_UNROLL
    for (int q = 0; q < panel_columns; ++q) acc[q] = difference(scaled(p.alpha, mine[lane() * tile_pitch + q]), acc[q]);
    if (action == Action::SolveByInverse)
      solve_by_inverse(
          row, [&](int k) { return inverse[lane() + panel_tile * k]; }, rows, p.lower, p.unit, acc);
    else
      solve_in_warp(row, rows, p.lower, p.unit, acc);
  } else {
    for (int k = 0; k < rows; ++k) {
      const bool within = p.lower ? k <= lane() : k >= lane(), alone = k == lane() && p.unit;
      TRIGON_UNROLL
      for (int q = 0; q < panel_columns; ++q) {
        const T x = mine[k * tile_pitch + q];  // 1 is no factor: (1, 0) times an infinity is a NaN
        if (within) acc[q] = alone ? sum(acc[q], x) : add_product(acc[q], row[k], x);
      }
    }
    TRIGON_UNROLL
    for (int q = 0; q < panel_columns; ++q) acc[q] = scaled(p.alpha, acc[q]);
  }
  sync_warp();  // the columns of a strip belong to one warp
  TRIGON_UNROLL
  for (int q = 0; q < panel_columns; ++q) mine[lane() * tile_pitch + q] = acc[q];
}

/// The grid is one block per four columns of B for each of its warps. `inverses`: of the diagonal tiles, where they are
/// used.
template <class T, Action action>
TRIGON_KERNEL(panel_threads)
panel_kernel(Panel<T> p, View<T> t, View<T> b, const T* inverses) {
  TRIGON_SHARED(T, tile, tile_size);
  TRIGON_SHARED(T, strip, tile_size);
  const index tiles = (p.m + panel_tile - 1) / panel_tile;

  const int across = warps() * panel_columns;
  const index j0 = block() * across;
  const index columns = at_most(across, p.n - j0);
  for (index step = 0; step < tiles; ++step) {
    // A solve goes from head to tail, a product from tail to head; both need the rows that come before.
    const index before = is_solve<action> ? step : tiles - 1 - step;
    const index i0 = place_of_tile(p.lower, before, p.m), rows = at_most(panel_tile, p.m - panel_tile * before);

    T acc[panel_columns];
    TRIGON_UNROLL
    for (int q = 0; q < panel_columns; ++q) acc[q] = number<T>(0);
    for (index earlier = 0; earlier < before; ++earlier)  // of which none is ragged
      add_tiles(acc, tile, strip, t, b, i0, rows, place_of_tile(p.lower, earlier, p.m), panel_tile, j0, columns);

    sync_block();
    load_triangle(tile, t, i0, rows, p.lower, p.unit);
    load_tile(strip, b, i0, j0, rows, columns, across);
    sync_block();
    if (has_columns(columns))
      meet_diagonal<T, action>(p, static_cast<int>(rows), tile, inverses + inverse_size * before, strip, acc);
    sync_block();
    store_tile(strip, b, i0, j0, rows, columns, across);
  }
}

}  // namespace trigon::cuda
