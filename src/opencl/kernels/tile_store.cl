// Tiles in memory. A full tile is written by vectors if its rows are contiguous, and one of all rows if its columns are
// (up or down), which are transposed in registers. Everything else goes element by element.

INLINE void copy_out(const int nv, const TILE(t), real (*buffer)[NR * PARTS]) {
  UNROLL for (int i = 0; i < MR; ++i) UNROLL for (int p = 0; p < PARTS; ++p) UNROLL for (int v = 0; v < nv; ++v)
      STORE(t[i][p * NV + v], p * NV + v, buffer[i]);
}

/// Row i, vector v, its lanes interleaved as memory has complex numbers.
INLINE void store_vector(const TILE(t), const int i, const int v, __global real* c) {
#if COMPLEX
  store_complex(t[i][v], t[i][NV + v], c);
#else
  STORE(t[i][v], 0, c);
#endif
}

/// Writes the first `cols` columns of a tile, which are contiguous; down = -1 where rows run backwards.
OUTLINE void store_columns(real (*buffer)[NR * PARTS], __global real* c, const long cs, const int down,
                           const int cols) {
  for (int p = 0; p < MR; p += BLOCK)
    for (int q = 0; q + BLOCK <= cols; q += BLOCK) {
      block_row r[BLOCK];
      const int first = down > 0 ? p : p + BLOCK - 1;
      UNROLL for (int i = 0; i < BLOCK; ++i) r[i] = LOAD_BLOCK(0, buffer[first + down * i] + q);
      transpose_block(r);
#if COMPLEX
      block_row s[BLOCK];
      UNROLL for (int i = 0; i < BLOCK; ++i) s[i] = LOAD_BLOCK(0, buffer[first + down * i] + NR + q);
      transpose_block(s);
#endif
      UNROLL for (int j = 0; j < BLOCK; ++j) {
        __global real* const to = c + PARTS * ((q + j) * cs + first * (long)down);
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

OUTLINE void store_entries(real (*buffer)[NR * PARTS], __global real* c, const long rs, const long cs, const int rows,
                           const int from, const int cols) {
  for (int i = 0; i < rows; ++i)
    for (int j = from; j < cols; ++j) {
      __global real* const to = c + PARTS * (i * rs + j * cs);
      to[0] = buffer[i][j];
#if COMPLEX
      to[1] = buffer[i][NR + j];
#endif
    }
}

/// c := t for the first `rows` rows and `cols` columns of the tile.
INLINE void store_tile(const int nv, const TILE(t), __global real* c, const long rs, const long cs, const int rows,
                       const int cols) {
  if (nv == NV && rows == MR && cols == NR && cs == 1) {
    UNROLL for (int i = 0; i < MR; ++i) UNROLL for (int v = 0; v < nv; ++v)
        store_vector(t, i, v, c + PARTS * (i * rs + v * VW));
    return;
  }
  real buffer[MR][NR * PARTS];
  copy_out(nv, t, buffer);
  int done = 0;
  if (rows == MR && (rs == 1 || rs == -1)) {
    store_columns(buffer, c, cs, (int)rs, cols);
    done = cols / BLOCK * BLOCK;
  }
  store_entries(buffer, c, rs, cs, rows, done, cols);
}
