// 32 × 32 tiles of a triangle in shared memory, by a block of two, four or eight warps, and substitution within one.
#pragma once

#include "cuda/view.cuh"

namespace trigon::cuda {

inline constexpr int panel_tile = 32;
inline constexpr int panel_columns = 4;                         ///< of one warp
inline constexpr int panel_warps = panel_tile / panel_columns;  ///< at most
inline constexpr int panel_threads = panel_warps * warp_size;

TRIGON_DEVICE int warps() { return threads() / warp_size; }

/// A tile in shared memory, by rows; one more per row, so that a column meets every bank.
inline constexpr int tile_pitch = panel_tile + 1;
inline constexpr int tile_size = panel_tile * tile_pitch;

template <class T>
struct Panel {
  index m, n;
  T alpha;
  bool lower, unit;
};

/// The first row of tile `position`, counted as substitution goes: in an upper triangle from the end, so that tiles of
/// a block of rows are those of the whole. The ragged one comes last.
TRIGON_DEVICE index place_of_tile(bool lower, index position, index m) {
  const index before = panel_tile * position;
  return lower ? before : before + panel_tile < m ? m - before - panel_tile : 0;
}

/// Calls f(i, j) for the threads' share of a tile, neighbouring threads on neighbours in memory. `across`: its columns,
/// as many as four for each warp or as there are rows. By rows there are lanes beyond them.
template <class F>
TRIGON_DEVICE void for_tile(bool by_rows, int across, const F& f) {
  constexpr int at_once = 4;
  const int lines = by_rows ? panel_tile : across;
  for (int first = warp(); first < lines; first += at_once * warps()) {
    TRIGON_UNROLL
    for (int e = 0; e < at_once; ++e) {
      const int line = first + e * warps();
      by_rows ? f(line, lane()) : f(lane(), line);
    }
  }
}

/// The tile of `rows` × `columns` at (i0, j0), zeros beyond.
template <class T>
TRIGON_DEVICE void load_tile(T* tile, const View<T>& from, index i0, index j0, index rows, index columns,
                             int across = panel_tile) {
  for_tile(from.by_rows(), across, [&](int i, int j) {
    tile[i * tile_pitch + j] = i < rows && j < columns ? from.get(i0 + i, j0 + j) : number<T>(0);
  });
}

/// The same of a triangle on the diagonal: only what exists is read.
template <class T>
TRIGON_DEVICE void load_triangle(T* tile, const View<T>& from, index i0, index rows, bool lower, bool unit) {
  for_tile(from.by_rows(), panel_tile, [&](int i, int j) {
    const bool stored = i == j ? !unit : lower == (i > j);
    tile[i * tile_pitch + j] = stored && i < rows && j < rows ? from.get(i0 + i, i0 + j) : number<T>(0);
  });
}

template <class T>
TRIGON_DEVICE void store_tile(const T* tile, const View<T>& to, index i0, index j0, index rows, index columns,
                              int across) {
  for_tile(to.by_rows(), across, [&](int i, int j) {
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

}  // namespace trigon::cuda
