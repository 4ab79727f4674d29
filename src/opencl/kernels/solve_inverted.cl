// B := alpha T^-1 B with the inverses of T's diagonal blocks: products only.

typedef struct {
  __global const real* packed;
  long inverse_at, block, first;
  real ar, ai;
  int unit;
} solving;

/// What the rows before the block have solved is taken from a tile of its right-hand sides.
INLINE void update_tile(const int nv, const share s, const int j, const solving w, const long i) {
  TILE(t);
  load_rows(nv, t, packed_rows(s, j, i));
  scale_tile(nv, t, w.ar, w.ai);
  const int each = (STEP(MR) + s.panels - 1) / s.panels;
  add_product_and(nv, t, 1, w.first * MR, MR, w.packed + tile_at(i), packed_rows(s, j, 0), 1,
                  w.packed + tile_at(i + 1) + j * w.first * MR * each, each);
  store_rows(nv, t, packed_rows(s, j, i));
}
ON_PANELS(update_tile, solving)

/// A tile of the block times its inverse, in place: those after it have been done.
INLINE void apply_inverse(const int nv, const share s, const int j, const solving w, const long i) {
  __global const real* const inverse = w.packed + w.inverse_at + i * w.block * MR * STEP(MR);
  const long row = (i - w.first) * MR;
  TILE(t);
  clear(t, 0);
  add_product(nv, t, 0, row, MR, inverse, packed_rows(s, j, w.first));
  multiply_corner(nv, t, inverse + row * STEP(MR), packed_rows(s, j, i), w.unit);
  store_rows(nv, t, packed_rows(s, j, i));
}
ON_PANELS(apply_inverse, solving)

/// A diagonal block of `block` tiles after the other: the rows before it are taken from its right-hand sides, then they
/// are multiplied by its inverse, last row first, so that it is in place.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void solve_inverted(TRIANGLE_ARGUMENTS, const panels_numbers p,
                                                                            const long block, const long inverse_at) {
  if (pack_triangle(triangle_of(a, packed, p), counters, phases)) {
    const long tiles = (p.t.n + MR - 1) / MR;
    share s;
    while (take_share(&s, counters, packed, b, p, 0))
      for (long first = 0, there = 0, delivered = 0; first < tiles; first += block) {
        const long last = min(first + block, tiles);
        if (there < last) {
          const long from = there;
          there = max(last, there + RUN);
          pack_rows_of(s, from, there);
        }
        const solving w = {packed, inverse_at, block, first, p.ar, p.ai, p.t.unit};
        if (first > 0 || p.ar != 1 || p.ai != 0)
          for (long i = first; i < last; ++i) update_tile_panels(s, w, i);
        for (long i = last - 1; i >= first; --i) apply_inverse_panels(s, w, i);
        if (last == tiles || last - delivered >= RUN) {
          deliver(s, delivered, delivered, last);
          delivered = last;
        }
      }
  }
  leave(counters, 0);
}
