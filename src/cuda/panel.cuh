// Leaves of the recursion: B := alpha T^-1 B and B := alpha T B in place, for a triangle of some hundred rows.
//
// After Charara, Keyes, Ltaief, CCPE 2017: 32 × 32 tiles of T in shared memory, columns of B in registers, one row per
// lane, left-looking (a tile of B is read often and written once). A block has 32 columns of B, its warps four each.
// Substitution is exact: no block is inverted, and a diagonal element is replaced by its reciprocal only where that
// of its whole tile is safe.
#pragma once

#include "cuda/view.cuh"

namespace trigon::cuda {

inline constexpr int panel_tile = 32;
inline constexpr int panel_warps = 8;
inline constexpr int panel_threads = panel_warps * warp_size;
inline constexpr int panel_columns = panel_tile / panel_warps;  ///< of one warp

/// A tile in shared memory, by rows; one more per row, so that a column meets every bank.
inline constexpr int tile_pitch = panel_tile + 1;
inline constexpr int tile_size = panel_tile * tile_pitch;

template <class T>
struct Panel {
  index m, n;
  T alpha;
  bool lower, unit;
};

/// Calls f(i, j) for the threads' share of a tile, neighbouring threads on neighbours in memory.
template <class F>
TRIGON_DEVICE void for_tile(bool by_rows, const F& f) {
  TRIGON_UNROLL
  for (int e = 0; e < panel_tile / panel_warps; ++e) {
    const int line = warp() + e * panel_warps;
    by_rows ? f(line, lane()) : f(lane(), line);
  }
}

/// The tile of `rows` × `columns` at (i0, j0), zeros beyond.
template <class T>
TRIGON_DEVICE void load_tile(T* tile, const View<T>& from, index i0, index j0, index rows, index columns) {
  for_tile(from.by_rows(), [&](int i, int j) {
    tile[i * tile_pitch + j] = i < rows && j < columns ? from.get(i0 + i, j0 + j) : number<T>(0);
  });
}

/// The same of a triangle on the diagonal: only what exists is read.
template <class T>
TRIGON_DEVICE void load_triangle(T* tile, const View<T>& from, index i0, index rows, bool lower, bool unit) {
  for_tile(from.by_rows(), [&](int i, int j) {
    const bool stored = i == j ? !unit : lower == (i > j);
    tile[i * tile_pitch + j] = stored && i < rows && j < rows ? from.get(i0 + i, i0 + j) : number<T>(0);
  });
}

template <class T>
TRIGON_DEVICE void store_tile(const T* tile, const View<T>& to, index i0, index j0, index rows, index columns) {
  for_tile(to.by_rows(), [&](int i, int j) {
    if (i < rows && j < columns) to.at(i0 + i, j0 + j) = tile[i * tile_pitch + j];
  });
}

TRIGON_DEVICE index at_most(index most, index x) { return x < most ? x : most; }

/// Substitution within a tile: lane i has x(i) of `columns` right-hand sides, `row` is row i of the tile.
template <class T, int columns>
TRIGON_DEVICE void solve_in_warp(const T* row, int rows, bool lower, bool unit, T (&x)[columns]) {
  const bool mine = lane() < rows && !unit;
  const T diagonal = mine ? row[lane()] : number<T>(1);
  const bool safe = all_lanes(reciprocal_is_safe(diagonal));
  const T inverse = safe ? quotient(number<T>(1), diagonal) : number<T>(1);
  for (int step = 0; step < rows; ++step) {
    const int j = lower ? step : rows - 1 - step;
    const bool after = lower ? lane() > j : lane() < j && lane() < rows;
    TRIGON_UNROLL
    for (int q = 0; q < columns; ++q) {
      if (lane() == j && !unit) x[q] = safe ? product(x[q], inverse) : quotient(x[q], diagonal);
      const T solved = shuffle(x[q], j);
      if (after) x[q] = subtract_product(x[q], row[j], solved);
    }
  }
}

/// Whether the warp has any of a strip's columns.
TRIGON_DEVICE bool has_columns(index columns) { return warp() * panel_columns < columns; }

/// acc += T(i, p) B(p, :) for the tile pair (i, p); all threads of the block.
template <class T>
TRIGON_DEVICE void add_tiles(T (&acc)[panel_columns], T* tile, T* strip, const View<T>& t, const View<T>& b, index i0,
                             index rows, index p0, index depth, index j0, index columns) {
  sync_block();  // the last pair's readers are done
  load_tile(tile, t, i0, p0, rows, depth);
  load_tile(strip, b, p0, j0, depth, columns);
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
template <class T, bool solves>
TRIGON_DEVICE void meet_diagonal(const Panel<T>& p, int rows, const T* tile, T* strip, T (&acc)[panel_columns]) {
  const T* row = tile + lane() * tile_pitch;
  T* mine = strip + warp() * panel_columns;
  if (solves) {
    TRIGON_UNROLL
    for (int q = 0; q < panel_columns; ++q) acc[q] = difference(scaled(p.alpha, mine[lane() * tile_pitch + q]), acc[q]);
    solve_in_warp(row, rows, p.lower, p.unit, acc);
  } else {
    for (int k = 0; k < rows; ++k) {
      const bool within = p.lower ? k <= lane() : k >= lane();
      const T factor = k == lane() && p.unit ? number<T>(1) : row[k];
      TRIGON_UNROLL
      for (int q = 0; q < panel_columns; ++q)
        if (within) acc[q] = add_product(acc[q], factor, mine[k * tile_pitch + q]);
    }
    TRIGON_UNROLL
    for (int q = 0; q < panel_columns; ++q) acc[q] = scaled(p.alpha, acc[q]);
  }
  sync_warp();  // the columns of a strip belong to one warp
  TRIGON_UNROLL
  for (int q = 0; q < panel_columns; ++q) mine[lane() * tile_pitch + q] = acc[q];
}

/// The grid is one block per 32 columns of B.
template <class T, bool solves>
TRIGON_KERNEL(panel_threads)
panel_kernel(Panel<T> p, View<T> t, View<T> b) {
  TRIGON_SHARED(T, tile, tile_size);
  TRIGON_SHARED(T, strip, tile_size);
  const index tiles = (p.m + panel_tile - 1) / panel_tile;

  const index j0 = block() * panel_tile;
  const index columns = at_most(panel_tile, p.n - j0);
  for (index step = 0; step < tiles; ++step) {
    // A solve goes from head to tail, a product from tail to head; both need the rows that come before.
    const index before = solves ? step : tiles - 1 - step;
    const auto place = [&](index position) { return panel_tile * (p.lower ? position : tiles - 1 - position); };
    const index i0 = place(before), rows = at_most(panel_tile, p.m - i0);

    T acc[panel_columns];
    TRIGON_UNROLL
    for (int q = 0; q < panel_columns; ++q) acc[q] = number<T>(0);
    for (index earlier = 0; earlier < before; ++earlier) {
      const index p0 = place(earlier);
      add_tiles(acc, tile, strip, t, b, i0, rows, p0, at_most(panel_tile, p.m - p0), j0, columns);
    }

    sync_block();
    load_triangle(tile, t, i0, rows, p.lower, p.unit);
    load_tile(strip, b, i0, j0, rows, columns);
    sync_block();
    if (has_columns(columns)) meet_diagonal<T, solves>(p, static_cast<int>(rows), tile, strip, acc);
    sync_block();
    store_tile(strip, b, i0, j0, rows, columns);
  }
}

}  // namespace trigon::cuda
