// B := alpha T^-1 B with the inverses of T's diagonal blocks: products only.

/// For `panels` panels of right-hand sides, a diagonal block of `block` tiles after the other: the rows before it are
/// taken from its right-hand sides, then they are multiplied by its inverse, last row first, so that it is in place.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void solve_inverted(
    const long n, const long cols, __global real* packed, const long x_at, __global real* b, const long b_at,
    const long rs, const long cs, const int unit, const real ar, const real ai, const long panels, const long block,
    const long inverse_at) {
  const long tiles = (n + MR - 1) / MR, length = tiles * MR * STEP(NR);
  const long j_begin = get_global_id(0) * panels, j_end = min(j_begin + panels, (cols + NR - 1) / NR);
  for (long first = 0; first < tiles; first += block) {
    const long last = min(first + block, tiles);
    if (first > 0 || ar != 1 || ai != 0)
      for (long i = first; i < last; ++i)
        for (long j = j_begin; j < j_end; ++j) {
          __global real* const x = packed + x_at + j * length;
          TILE(t);
          load_rows(t, x + i * MR * STEP(NR));
          scale_tile(t, ar, ai);
          add_product(t, 1, first * MR, packed + tile_at(i), x);
          store_rows(t, x + i * MR * STEP(NR));
        }
    for (long i = last - 1; i >= first; --i)
      for (long j = j_begin; j < j_end; ++j) {
        __global real* const x = packed + x_at + j * length + first * MR * STEP(NR);
        __global const real* const inverse = packed + inverse_at + i * block * MR * STEP(MR);
        const long row = (i - first) * MR;
        __global real* const out = b + PARTS * (b_at + i * MR * rs + j * NR * cs);
        const int rows = (int)min((long)MR, n - i * MR), width = (int)min((long)NR, cols - j * NR);
        prefetch_tile(out, rs, cs, rows, width);
        TILE(t);
        clear(t, 0);
        add_product(t, 0, row, inverse, x);
        multiply_corner(t, inverse + row * STEP(MR), x + row * STEP(NR), unit);
        store_rows(t, x + row * STEP(NR));
        store_tile(t, out, rs, cs, rows, width);
      }
  }
}
