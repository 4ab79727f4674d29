// B := alpha T^-1 B by substitution.

/// What tiles are solved with; the steps [first, last) of the triangle, in tiles, are the present block.
typedef struct {
  __global const real* packed;
  long divide_at, first, last;
  real sr, si;
  int unit;
  steps lies;  // the triangle where it does, if its tiles are being packed
} solving;

/// A tile of rows: what the block's rows above it have solved is taken off; inside the block it is solved itself.
INLINE void solve_tile(const int nv, const share s, const int j, const solving w, const long i) {
  __global real* const x = packed_rows(s, j, i);
  __global const real* const tile = w.packed + tile_at(i);
  const bool direct = nv == NV && i < direct_tiles(s, j);
  TILE(t);
  if (direct && w.first == 0)
    load_direct(t, place_of(s, j, i), s.rs, s.cs);
  else
    load_rows(nv, t, x);
  scale_tile(nv, t, w.sr, w.si);
  const long steps = (min(i, w.last) - w.first) * MR;
  const lines later = next_tile(w.lies, w.packed + w.first * MR * STEP(MR), i, j, steps, s.panels);
  // The next rows that are read or packed, or, where all have been, those that are delivered.
  const long line = w.first ? i : direct ? i + 2 : i + RUN;
  add_product_and_lines(nv, t, 1, steps, MR, tile + w.first * MR * STEP(MR), packed_rows(s, j, w.first),
                        lines_of(s, j, w.first == 0 || i < w.last ? line : s.n), later);
  if (i < w.last) solve_corner(nv, t, tile + i * MR * STEP(MR), w.unit, w.packed[w.divide_at + i] != 0);
  store_rows(nv, t, x);
  if (direct && i < w.last) store_direct(t, place_of(s, j, i), s.rs, s.cs);
}
ON_PANELS(solve_tile, solving)

/// `block` tiles of the triangle at a time: shares of right-hand sides are solved through them, then the rows beyond
/// are updated. Panels of a share use a tile one after the other.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void solve(TRIANGLE_ARGUMENTS, const panels_numbers p,
                                                                   const long block) {
  const triangle t = triangle_of(a, packed, p);
  if (pack_triangle(t, counters, phases)) {
    const long tiles = (p.t.n + MR - 1) / MR;
    share s;
    for (bool packs = p.own > 0; take_share(&s, counters, packed, b, p, 0); packs = false) {
      if (may_be_direct(s.rs, s.cs)) s.direct = p.t.n / MR;
      for (long first = 0; first < tiles; first += block) {
        const solving w = {t.to,
                           p.divide_at,
                           first,
                           min(first + block, tiles),
                           first ? 1 : p.ar,
                           first ? 0 : p.ai,
                           p.t.unit,
                           lies_of(t, packs && first == 0)};
        for (long i = first; i < tiles; ++i) {
          if (packs && first == 0) pack_own(t, i);
          // What is packed just before it is solved is delivered to cache lines that are there.
          if (first == 0 && i % RUN == 0) pack_rows_of(s, i, i + RUN);
          solve_tile_panels(s, w, i);
          if (i + 1 == w.last || (i < w.last && (i + 1) % RUN == 0)) {
            const long from = max(first, i / RUN * RUN);
            deliver(s, from, from, i + 1);
          }
        }
      }
    }
  }
  leave(counters, 0);
}
