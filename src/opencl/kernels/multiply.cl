// B := alpha T B. All of a share has been packed, so that its rows may be written in any order.

typedef struct {
  __global const real* packed;
  real ar, ai;
  int unit;
} multiplying;

INLINE void multiply_tile(const int nv, const int v, const share s, const multiplying w, const long i) {
  __global const real* const tile = w.packed + tile_at(i);
  int rows, width;
  __global real* const out = rows_in_memory(nv, s, i, v, &rows, &width);
  TILE(t);
  clear(t, 0);
  add_product(nv, t, 0, i * MR, tile, packed_rows(s, 0, v));
  multiply_corner(nv, t, tile + i * MR * STEP(MR), packed_rows(s, i, v), w.unit);
  scale_tile(nv, t, w.ar, w.ai);
  store_tile(nv, t, out, s.rs, s.cs, rows, width);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void multiply(
    const long n, const long cols, __global real* packed, const long taken_at, const long x_at, __global real* b,
    const long b_at, const long rs, const long cs, const real ar, const real ai, const int most, const int unit) {
  const long tiles = (n + MR - 1) / MR;
  const multiplying w = {packed, ar, ai, unit};
  share s;
  while (take_share(&s, (__global int*)(packed + taken_at), packed + x_at, most, n, cols, b + PARTS * b_at, rs, cs))
    for (long i = 0; i < tiles; ++i) EACH_PANEL(multiply_tile, s, w, i)
}
