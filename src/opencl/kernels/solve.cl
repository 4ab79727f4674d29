// B := alpha T^-1 B by substitution.

/// Solves for `panels` panels of right-hand sides, `block` tiles of the triangle at a time: a panel is solved through
/// the tiles of the block, then the rows beyond it are updated, each of their tiles for all panels.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void solve(
    const long n, const long cols, __global real* packed, const long divide_at, const long x_at, __global real* b,
    const long b_at, const long rs, const long cs, const int unit, const real ar, const real ai, const long panels,
    const long block) {
  const long tiles = (n + MR - 1) / MR, length = tiles * MR * STEP(NR);
  const long j_begin = get_global_id(0) * panels, j_end = min(j_begin + panels, (cols + NR - 1) / NR);
  for (long first = 0; first < tiles; first += block) {
    const long last = min(first + block, tiles);
    const real sr = first == 0 ? ar : 1, si = first == 0 ? ai : 0;
    for (long j = j_begin; j < j_end; ++j) {
      __global real* const x = packed + x_at + j * length;
      for (long i = first; i < last; ++i) {
        __global const real* const tile = packed + tile_at(i);
        TILE(t);
        load_rows(t, x + i * MR * STEP(NR));
        scale_tile(t, sr, si);
        __global real* const out = b + PARTS * (b_at + i * MR * rs + j * NR * cs);
        const int rows = (int)min((long)MR, n - i * MR), width = (int)min((long)NR, cols - j * NR);
        prefetch_tile(out, rs, cs, rows, width);
        add_product(t, 1, (i - first) * MR, tile + first * MR * STEP(MR), x + first * MR * STEP(NR));
        solve_corner(t, tile + i * MR * STEP(MR), unit, packed[divide_at + i] != 0);
        store_rows(t, x + i * MR * STEP(NR));
        store_tile(t, out, rs, cs, rows, width);
      }
    }
    for (long i = last; i < tiles; ++i)
      for (long j = j_begin; j < j_end; ++j) {
        __global real* const x = packed + x_at + j * length;
        TILE(t);
        load_rows(t, x + i * MR * STEP(NR));
        scale_tile(t, sr, si);
        add_product(t, 1, (last - first) * MR, packed + tile_at(i) + first * MR * STEP(MR), x + first * MR * STEP(NR));
        store_rows(t, x + i * MR * STEP(NR));
      }
  }
}
