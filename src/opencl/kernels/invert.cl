// The inverses of the diagonal blocks of a packed triangle, by substitution on the columns of the identity, which are
// lanes. Work-items (block, panel of its columns) share nothing: each has a panel of workspace of its own.
//
// Row tile i of an inverse is packed as that of the triangle is, its `block` * MR steps beginning at its block's first.

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void invert(__global real* packed, const invert_numbers q) {
  const long block = q.block, tiles = (q.n + MR - 1) / MR, first = get_global_id(0) * block,
             last = min(first + block, tiles);
  const long column = get_global_id(1) * NR, item = get_global_id(0) * get_global_size(1) + get_global_id(1);
  __global real* const z = packed + q.scratch_at + item * block * MR * STEP(NR);
  // Above the diagonal columns are 0.
  const long top = column / MR;
  for (long i = first + top; i < last; ++i) {
    __global const real* const tile = packed + tile_at(i) + first * MR * STEP(MR);
    const long row = (i - first) * MR;
    real buffer[MR][NR * PARTS];
    for (int r = 0; r < MR; ++r)
      for (int j = 0; j < NR * PARTS; ++j) buffer[r][j] = j < NR && column + j == row + r;
    TILE(t);
    UNROLL for (int r = 0; r < MR; ++r) UNROLL for (int v = 0; v < NV * PARTS; ++v) t[r][v] = LOAD(v, buffer[r]);
    add_product(NV, t, 1, row - top * MR, MR, tile + top * MR * STEP(MR), z + top * MR * STEP(NR));
    solve_corner(NV, t, tile + row * STEP(MR), q.unit, packed[q.divide_at + i] != 0);
    store_rows(NV, t, z + row * STEP(NR));
    __global real* const to = packed + q.inverse_at + i * block * MR * STEP(MR);
    for (long j = column; j < min(column + NR, row + MR); ++j)
      for (int r = 0; r < MR; ++r)
        UNROLL for (int p = 0; p < PARTS; ++p) to[j * STEP(MR) + p * MR + r] =
            z[(row + r) * STEP(NR) + p * NR + (j - column)];
  }
}
