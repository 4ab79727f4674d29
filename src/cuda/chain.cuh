// Few right-hand sides, one launch: B := alpha T^-1 B and B := alpha T B in place, for a triangle of any order.
//
// Blocks take tiles of 32 rows by a ticket, in an order in which a tile depends only on tickets that were taken before:
// so whoever waits, waits for a block that runs, and nothing is assumed about how many of them run at once. The warps
// of a block share the tiles of its row; each fetches a tile of T to registers before it waits for the part of X that
// it meets. All sums have a fixed order.
//
// By inverses, a block inverts its diagonal tile before it waits: off the chain, on which three products remain.
//
// A solve waits for the tiles before it. A product in place waits, before it writes, until every tile that needs the
// old rows has read them; reading needs no one else, so there is no chain.
#pragma once

#include "cuda/panel.cuh"

namespace trigon::cuda {

inline constexpr int chain_warps_least = 4, chain_warps_most = 8;
inline constexpr int chain_threads = chain_warps_most * warp_size;  ///< at most

/// A 32 × 32 tile in registers: lane i has row i, or, if neighbours in memory are neighbours in a row, column i.
template <class T, bool by_rows>
TRIGON_DEVICE void fetch_tile(T (&tile)[panel_tile], const View<T>& t, index i0, index j0, index rows, index columns) {
  TRIGON_UNROLL
  for (int e = 0; e < panel_tile; ++e) {
    const int i = by_rows ? e : lane(), j = by_rows ? lane() : e;
    tile[e] = i < rows && j < columns ? t.get(i0 + i, j0 + j) : number<T>(0);
  }
}

/// Lane j has term j of 32 sums; lane i gets sum i, in part[0]. Halves of the sums are exchanged for halves of the
/// lanes.
template <int half, class T>
TRIGON_DEVICE void sum_across(T (&part)[panel_tile]) {
  if constexpr (half > 0) {
    const bool upper = lane() & half;
    TRIGON_UNROLL
    for (int i = 0; i < half; ++i) {
      const T given = upper ? part[i] : part[i + half], kept = upper ? part[i + half] : part[i];
      part[i] = sum(kept, shuffle(given, lane() ^ half));
    }
    sum_across<half / 2>(part);
  }
}

/// Row `lane` of the tile times x, of which lane i has entry i.
template <class T, bool by_rows>
TRIGON_DEVICE T times(const T (&tile)[panel_tile], T x) {
  if constexpr (by_rows) {
    T part[panel_tile];
    TRIGON_UNROLL
    for (int i = 0; i < panel_tile; ++i) part[i] = product(tile[i], x);
    sum_across<panel_tile / 2>(part);
    return part[0];
  } else {
    T total = number<T>(0);
    TRIGON_UNROLL
    for (int j = 0; j < panel_tile; ++j) total = add_product(total, tile[j], shuffle(x, j));
    return total;
  }
}

/// `control`: the ticket counter and one flag for each ticket, all 0 when the kernel starts. The right-hand sides are
/// cut into chunks of `columns`, each a chain of its own.
template <class T, Action action, bool by_rows, int columns>
TRIGON_KERNEL(chain_threads)
chain_kernel(Panel<T> p, View<T> t, View<T> b, int* control) {
  TRIGON_SHARED(T, tile, tile_size);
  constexpr bool by_inverse = action == Action::SolveByInverse;
  TRIGON_SHARED(T, inverse, by_inverse ? tile_size : 1);
  TRIGON_SHARED(T, part, chain_warps_most * columns * warp_size);
  TRIGON_SHARED(int, taken, 1);
  int* const flags = control + 1;
  const index tiles = (p.m + panel_tile - 1) / panel_tile, chunks = (p.n + columns - 1) / columns;

  for (;;) {
    if (thread() == 0) *taken = take(control);
    sync_block();
    const int ticket = *taken;
    if (ticket >= tiles * chunks) return;
    const index step = ticket / chunks, chunk = ticket % chunks, j0 = chunk * columns;
    const index before = is_solve<action> ? step : tiles - 1 - step;
    const index i0 = place_of_tile(p.lower, before, p.m), rows = at_most(panel_tile, p.m - panel_tile * before);
    load_triangle(tile, t, i0, rows, p.lower, p.unit);
    if constexpr (by_inverse) {
      sync_block();
      invert_tile(tile, static_cast<int>(rows), p.lower, p.unit,
                  [&](int i, int j, T x) { inverse[i * tile_pitch + j] = x; });
    }

    T acc[columns];
    TRIGON_UNROLL
    for (int q = 0; q < columns; ++q) acc[q] = number<T>(0);
    for (index earlier = warp(); earlier < before; earlier += warps()) {
      const index p0 = place_of_tile(p.lower, earlier, p.m);  // which is not ragged
      T held[panel_tile];
      fetch_tile<T, by_rows>(held, t, i0, p0, rows, panel_tile);
      if (is_solve<action> && lane() == 0) wait_for(flags + earlier * chunks + chunk);
      sync_warp();  // in a product too: else the next tile is fetched early, to registers that there are not
      TRIGON_UNROLL
      for (int q = 0; q < columns; ++q) {
        if (j0 + q >= p.n) break;
        acc[q] = sum(acc[q], times<T, by_rows>(held, b.at(p0 + lane(), j0 + q)));
      }
    }
    TRIGON_UNROLL
    for (int q = 0; q < columns; ++q) part[(warp() * columns + q) * warp_size + lane()] = acc[q];
    sync_block();
    if (!is_solve<action> && thread() == 0)
      publish(flags + ticket);  // the block has read all that others may overwrite

    // The right-hand sides are shared by the warps: this one has q = warp, and no other one if there are enough warps.
    static_assert(columns <= chain_warps_least);
    const int q = warp();
    const bool mine = q < columns && j0 + q < p.n;
    T x[1] = {number<T>(0)};
    if (mine) {
      if (lane() < rows) x[0] = b.at(i0 + lane(), j0 + q);
      T total = number<T>(0);
      for (int w = 0; w < warps(); ++w) total = sum(total, part[(w * columns + q) * warp_size + lane()]);
      const T* row = tile + lane() * tile_pitch;
      if (is_solve<action>) {
        x[0] = difference(scaled(p.alpha, x[0]), total);
        if (by_inverse)
          solve_by_inverse(
              row, [&](int k) { return inverse[lane() * tile_pitch + k]; }, static_cast<int>(rows), p.lower, p.unit, x);
        else
          solve_in_warp(row, static_cast<int>(rows), p.lower, p.unit, x);
      } else {
        for (int k = 0; k < static_cast<int>(rows); ++k) {
          const T other = shuffle(x[0], k);
          if (k == lane() && p.unit)
            total = sum(total, other);  // 1 is no factor: (1, 0) times an infinity is a NaN
          else if (p.lower ? k <= lane() : k >= lane())
            total = add_product(total, row[k], other);
        }
        x[0] = scaled(p.alpha, total);
      }
    }
    if (!is_solve<action>) {
      for (index reader = thread(); reader < step; reader += threads()) wait_for(flags + reader * chunks + chunk);
      sync_block();
    }
    if (mine && lane() < rows) b.at(i0 + lane(), j0 + q) = x[0];
    sync_block();
    if (is_solve<action> && thread() == 0) publish(flags + ticket);
  }
}

}  // namespace trigon::cuda
