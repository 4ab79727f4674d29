// Tiles in memory. A full tile is read or written by vectors if its rows are contiguous, or its columns (up or down),
// which are transposed in registers. Everything else goes element by element.

INLINE void copy_out(const TILE(t), real (*buffer)[NR * PARTS]) {
  UNROLL for (int i = 0; i < MR; ++i) UNROLL for (int v = 0; v < NV * PARTS; ++v) STORE(t[i][v], v, buffer[i]);
}

/// Row i, vector v, its lanes interleaved as memory has complex numbers.
INLINE void store_vector(const TILE(t), const int i, const int v, __global real* c) {
#if COMPLEX
  vec low, high;
  low.even = t[i][v].lo, low.odd = t[i][NV + v].lo;
  high.even = t[i][v].hi, high.odd = t[i][NV + v].hi;
  STORE(low, 0, c), STORE(high, 1, c);
#else
  STORE(t[i][v], 0, c);
#endif
}

/// Lanes [q * BLOCK, …) of a vector.
INLINE block_row part_of(const vec x, const int q) {
  real lanes[VW];
  STORE(x, 0, lanes);
  return LOAD_BLOCK(q, lanes);
}

/// Writes a full tile whose columns are contiguous; down = -1 where rows run backwards.
INLINE void store_columns(const TILE(t), __global real* c, const long cs, const int down) {
  UNROLL for (int v = 0; v < NV; ++v) UNROLL for (int q = 0; q < VW / BLOCK; ++q)
      UNROLL for (int p = 0; p < MR / BLOCK; ++p) {
    block_row r[BLOCK];
    const int first = down > 0 ? p * BLOCK : (p + 1) * BLOCK - 1;
    UNROLL for (int i = 0; i < BLOCK; ++i) r[i] = part_of(t[first + down * i][v], q);
    transpose_block(r);
#if COMPLEX
    block_row s[BLOCK];
    UNROLL for (int i = 0; i < BLOCK; ++i) s[i] = part_of(t[first + down * i][NV + v], q);
    transpose_block(s);
#endif
    UNROLL for (int j = 0; j < BLOCK; ++j) {
      __global real* const to = c + PARTS * ((v * VW + q * BLOCK + j) * cs + first * (long)down);
#if COMPLEX
      block_row low, high;
      low.even = r[j].lo, low.odd = s[j].lo;
      high.even = r[j].hi, high.odd = s[j].hi;
      STORE_BLOCK(low, 0, to), STORE_BLOCK(high, 1, to);
#else
      STORE_BLOCK(r[j], 0, to);
#endif
    }
  }
}

/// c := t for the first `rows` rows and `cols` columns of the tile.
INLINE void store_tile(const TILE(t), __global real* c, const long rs, const long cs, const int rows, const int cols) {
  if (rows == MR && cols == NR) {
    if (cs == 1) {
      UNROLL for (int i = 0; i < MR; ++i) UNROLL for (int v = 0; v < NV; ++v)
          store_vector(t, i, v, c + PARTS * (i * rs + v * VW));
      return;
    }
    if (rs == 1) return store_columns(t, c, cs, 1);
    if (rs == -1) return store_columns(t, c, cs, -1);
  }
  real buffer[MR][NR * PARTS];
  copy_out(t, buffer);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) {
      __global real* const to = c + PARTS * (i * rs + j * cs);
      to[0] = buffer[i][j];
#if COMPLEX
      to[1] = buffer[i][NR + j];
#endif
    }
}
