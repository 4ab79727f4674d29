// Row tiles of right-hand sides that are read and written where they lie: whole ones, whose rows or columns are
// contiguous. Rows are vectors.
//
// Columns are transposed in registers, as many as vectors have lanes: where a tile's rows of one are eight reals, in
// vectors of 16 two times eight side by side.

#if defined(SHUFFLE) && MR * (1 + COMPLEX) == 8 && (VW == 8 || VW == 16)
#define COLUMNS_OF_EIGHT 1
typedef CAT(REAL, 8) eight;
typedef eight loose_eight __attribute__((aligned(sizeof(real))));
#if VW == 8
#define MIX_HALVES SHUFFLE
#else
#define OF_16(i) ((i) < 8 ? (i) : (i) + 8)
#define MIX_HALVES(x, y, a, b, c, d, e, f, g, h)                                                              \
  SHUFFLE(x, y, OF_16(a), OF_16(b), OF_16(c), OF_16(d), OF_16(e), OF_16(f), OF_16(g), OF_16(h), 8 + OF_16(a), \
          8 + OF_16(b), 8 + OF_16(c), 8 + OF_16(d), 8 + OF_16(e), 8 + OF_16(f), 8 + OF_16(g), 8 + OF_16(h))
#endif
TRANSPOSE_EIGHT(transpose_columns, vec, MIX_HALVES)
/// Rows the other way round.
#if COMPLEX
#define BACKWARDS(x) MIX_HALVES(x, x, 6, 7, 4, 5, 2, 3, 0, 1)
#else
#define BACKWARDS(x) MIX_HALVES(x, x, 7, 6, 5, 4, 3, 2, 1, 0)
#endif
#else
#define COLUMNS_OF_EIGHT 0
#endif

/// Whether those with these strides are.
INLINE bool may_be_direct(const long rs, const long cs) {
  return cs == 1 || (COLUMNS_OF_EIGHT && (rs == 1 || rs == -1));
}

/// A tile, read where it lies.
INLINE void load_direct(TILE(t), __global const real* from, const long rs, const long cs) {
#if COLUMNS_OF_EIGHT
  if (cs != 1) {
    UNROLL for (int v = 0; v < NV; ++v) {
      vec x[8];
      UNROLL for (int c = 0; c < 8; ++c) {
        __global const loose_eight* const column =
            (__global const loose_eight*)(from + PARTS * ((v * VW + c) * cs - (rs < 0 ? MR - 1 : 0)));
#if VW == 8
        const vec rows = *column;
#else
        const eight low = *column;
        const eight high = *(__global const loose_eight*)((__global const real*)column + PARTS * 8 * cs);
        const vec rows = SHUFFLE(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
        x[c] = rs < 0 ? BACKWARDS(rows) : rows;
      }
      transpose_columns(x);
      UNROLL for (int p = 0; p < 8; ++p) t[p / PARTS][p % PARTS * NV + v] = x[p];
    }
    return;
  }
#endif
  UNROLL for (int r = 0; r < MR; ++r) UNROLL for (int v = 0; v < NV; ++v) {
    __global const real* const at = from + PARTS * (r * rs + v * VW);
#if COMPLEX
    load_complex(&t[r][v], &t[r][NV + v], at);
#else
    t[r][v] = LOAD(0, at);
#endif
  }
}
/// The same, written.
INLINE void store_direct(const TILE(t), __global real* to, const long rs, const long cs) {
#if COLUMNS_OF_EIGHT
  if (cs != 1) {
    UNROLL for (int v = 0; v < NV; ++v) {
      vec x[8];
      UNROLL for (int p = 0; p < 8; ++p) x[p] = t[p / PARTS][p % PARTS * NV + v];
      transpose_columns(x);
      UNROLL for (int c = 0; c < 8; ++c) {
        __global loose_eight* const column =
            (__global loose_eight*)(to + PARTS * ((v * VW + c) * cs - (rs < 0 ? MR - 1 : 0)));
        const vec rows = x[c], z = rs < 0 ? BACKWARDS(rows) : rows;
#if VW == 8
        *column = z;
#else
        *column = SHUFFLE(z, z, 0, 1, 2, 3, 4, 5, 6, 7);
        *(__global loose_eight*)((__global real*)column + PARTS * 8 * cs) = SHUFFLE(z, z, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
      }
    }
    return;
  }
#endif
  UNROLL for (int r = 0; r < MR; ++r) UNROLL for (int v = 0; v < NV; ++v) {
    __global real* const at = to + PARTS * (r * rs + v * VW);
#if COMPLEX
    store_complex(t[r][v], t[r][NV + v], at);
#else
    STORE(t[r][v], 0, at);
#endif
  }
}
