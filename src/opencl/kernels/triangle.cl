// B := alpha T^-1 B and B := alpha T B, T lower triangular. (An upper one is lower, read backwards: negative strides.)
//
// The triangle is packed once, tile of MR rows by tile: tile i has (i + 1) * MR steps, the last MR of which are its
// corner. B is packed by panels of NR right-hand sides, which are lanes. The corner is bounded row by row: no padded
// zero and nothing beyond the diagonal enters a sum. No diagonal block is inverted; a diagonal element is, where every
// one of its tile and its reciprocal is normal, and else divided by.

INLINE long tile_at(const long i) { return i * (i + 1) / 2 * MR * STEP(MR); }

/// The first `nv` vectors of the rows of a tile in a panel.
INLINE void load_rows(const int nv, TILE(t), __global const real* x) {
  UNROLL for (int i = 0; i < MR; ++i) load_step(nv, t[i], x + i * STEP(NR));
}
INLINE void store_rows(const int nv, const TILE(t), __global real* x) {
  UNROLL for (int i = 0; i < MR; ++i) UNROLL for (int p = 0; p < PARTS; ++p) EACH_VECTOR(v, nv)
      STORE(t[i][p * NV + v], p * NV + v, x + i * STEP(NR));
}

INLINE void scale_tile(const int nv, TILE(t), const real sr, const real si) {
  if (sr == 1 && si == 0) return;
  UNROLL for (int i = 0; i < MR; ++i) scale_row(nv, t[i], sr, si);
}

/// t += T x for the triangle of a corner, bounded row by row.
INLINE void multiply_corner(const int nv, TILE(t), __global const real* corner, __global const real* x,
                            const int unit) {
  UNROLL for (int k = 0; k < MR; ++k) {
    __global const real* const step = corner + k * STEP(MR);
    vec row[NV * PARTS];
    load_step(nv, row, x + k * STEP(NR));
    // A unit diagonal is not a factor: 1 + 0i would make NaN of an infinity.
    if (unit) {
      UNROLL for (int p = 0; p < PARTS; ++p) EACH_VECTOR(v, nv) t[k][p * NV + v] += row[p * NV + v];
    } else {
      add_row(nv, t[k], 0, step[k], COMPLEX ? step[(PARTS - 1) * MR + k] : 0, row);
    }
    UNROLL for (int r = k + 1; r < MR; ++r)
        add_row(nv, t[r], 0, step[r], COMPLEX ? step[(PARTS - 1) * MR + r] : 0, row);
  }
}
