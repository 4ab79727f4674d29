// B := alpha T B. All of B has been packed, so that rows may be written in any order.

/// Multiplies a block of `block` tiles of rows by `panels` panels.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void multiply(
    const long n, const long cols, __global const real* packed, const long x_at, __global real* b, const long b_at,
    const long rs, const long cs, const real ar, const real ai, const long panels, const long block,
    const int unit) {
  const long tiles = (n + MR - 1) / MR, length = tiles * MR * STEP(NR);
  const long i_begin = get_global_id(0) * block, i_end = min(i_begin + block, tiles);
  const long j_begin = get_global_id(1) * panels, j_end = min(j_begin + panels, (cols + NR - 1) / NR);
  for (long i = i_begin; i < i_end; ++i)
    for (long j = j_begin; j < j_end; ++j) {
      __global const real* const x = packed + x_at + j * length;
      __global const real* const tile = packed + tile_at(i);
      TILE(t);
      clear(t, 0);
      __global real* const out = b + PARTS * (b_at + i * MR * rs + j * NR * cs);
      const int rows = (int)min((long)MR, n - i * MR), width = (int)min((long)NR, cols - j * NR);
      prefetch_tile(out, rs, cs, rows, width);
      add_product(t, 0, i * MR, tile, x);
      multiply_corner(t, tile + i * MR * STEP(MR), x + i * MR * STEP(NR), unit);
      scale_tile(t, ar, ai);
      store_tile(t, out, rs, cs, rows, width);
    }
}
