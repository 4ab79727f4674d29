// B := alpha T B, first row first: results go to where right-hand sides lie, or first to spare rows of a panel.

typedef struct {
  __global const real* packed;
  real ar, ai;
  int unit;
  steps lies;  // the triangle where it does, if its tiles are being packed
} multiplying;

INLINE void multiply_tile(const int nv, const share s, const int j, const multiplying w, const long i) {
  __global const real* const tile = w.packed + tile_at(i);
  const bool direct = nv == NV && i < direct_tiles(s, j);
  TILE(t);
  if (direct) {
    load_direct(t, place_of(s, j, i), s.rs, s.cs);
    store_rows(nv, t, packed_rows(s, j, i));
  }
  clear(t, 0);
  const lines later = next_tile(w.lies, w.packed, i, j, i * MR, s.panels);
  const long line = i + (direct ? 2 : RUN);  // the next rows that are packed
  add_product_and_lines(nv, t, 0, i * MR, MR, tile, packed_rows(s, j, 0), lines_of(s, j, line), later);
  multiply_corner(nv, t, tile + i * MR * STEP(MR), packed_rows(s, j, i), w.unit);
  scale_tile(nv, t, w.ar, w.ai);
  if (direct)
    store_direct(t, place_of(s, j, i), s.rs, s.cs);
  else
    store_rows(nv, t, packed_rows(s, j, spare_tile(s) + i % RUN));
}
ON_PANELS(multiply_tile, multiplying)

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void multiply(TRIANGLE_ARGUMENTS, const panels_numbers p) {
  const triangle t = triangle_of(a, packed, p);
  if (pack_triangle(t, counters, phases)) {
    const long tiles = (p.t.n + MR - 1) / MR;
    share s;
    for (bool packs = p.own > 0; take_share(&s, counters, packed, b, p, RUN); packs = false) {
      if (may_be_direct(s.rs, s.cs)) s.direct = p.t.n / MR;
      const multiplying w = {t.to, p.ar, p.ai, p.t.unit, lies_of(t, packs)};
      for (long i = 0; i < tiles; ++i) {
        if (packs) pack_own(t, i);
        if (i % RUN == 0) pack_rows_of(s, i, i + RUN);
        multiply_tile_panels(s, w, i);
        if ((i + 1) % RUN == 0 || i + 1 == tiles) deliver(s, spare_tile(s), i / RUN * RUN, i + 1);
      }
    }
  }
  leave(counters, 0);
}
