// C := alpha A B + beta C from packed panels, the GEMM of all operations.
//
// A work-item computes a block of C: `tiles` tiles of rows by `panels` panels of columns, KC steps at a time so that
// what it reads again stays in the caches. After Goto and van de Geijn, TOMS 34:3, 2008.

/// Whether all of a tile is off the diagonal: its corner farthest from the triangle is.
INLINE bool strictly_inside(const int nv, const int mask, const long i0, const long j0) {
  return (mask & LOWER) ? i0 > j0 + nv * VW - 1 : i0 + MR - 1 < j0;
}

/// combine_entry for VW entries beside each other, none of them on a diagonal that must be made real.
INLINE void combine_vector(__global real* c, const vec sum_r, const vec sum_i, const real ar, const real ai,
                           const real br, const real bi) {
#if COMPLEX
  vec re = (vec)(ar)*sum_r, im = (vec)(ar)*sum_i;
  if (ai != 0) re = fma((vec)(-ai), sum_i, re), im = fma((vec)(ai), sum_r, im);
  if (br != 0 || bi != 0) {
    vec old_r, old_i;
    load_complex(&old_r, &old_i, c);
    if (bi == 0) {
      re = fma((vec)(br), old_r, re), im = fma((vec)(br), old_i, im);
    } else {
      re += fma((vec)(-bi), old_i, (vec)(br)*old_r), im += fma((vec)(bi), old_r, (vec)(br)*old_i);
    }
  }
  store_complex(re, im, c);
#else
  const vec old = br == 0 ? (vec)(0) : LOAD(0, c);
  STORE(br == 0 ? (vec)(ar)*sum_r : fma((vec)(ar), sum_r, br == 1 ? old : (vec)(br)*old), 0, c);
#endif
}

/// The entries that exist; `ahead` is how far the first row is beyond the first column.
OUTLINE void combine_rows(real (*buffer)[NR * PARTS], __global real* c, const long rs, const long cs, const long ahead,
                          const int rows, const int cols, const int mask, const real ar, const real ai, const real br,
                          const real bi) {
  for (int i = 0; i < rows; ++i) {
    // Of the row, [first, last) exists; its diagonal entry, if any, is one of the two ends.
    const long diagonal = ahead + i;
    const int first = (mask & UPPER) ? (int)clamp(diagonal, 0l, (long)cols) : 0;
    const int last = (mask & LOWER) ? (int)clamp(diagonal + 1, 0l, (long)cols) : cols;
    for (int j = first; j < last;) {
      const bool on_diagonal = (mask & HERMITIAN) && diagonal >= j && diagonal < j + VW;
      if (cs == 1 && j + VW <= last && !on_diagonal) {
        combine_vector(c + PARTS * (i * rs + j), LOAD(0, buffer[i] + j), LOAD(0, buffer[i] + COMPLEX * NR + j), ar, ai,
                       br, bi);
        j += VW;
      } else {
        combine_entry(c + PARTS * (i * rs + j * cs), buffer[i][j], buffer[i][COMPLEX * NR + j], ar, ai, br, bi,
                      (mask & HERMITIAN) && j == diagonal);
        ++j;
      }
    }
  }
}

/// `i0` and `j0` are the place of the tile in C, for the mask. By vectors where C is contiguous along its rows and all
/// of a vector exists.
INLINE void combine_tile(const int nv, const TILE(t), __global real* c, const long rs, const long cs, const long i0,
                         const long j0, const int rows, const int cols, const int mask, const real ar, const real ai,
                         const real br, const real bi) {
  if (nv == NV && rows == MR && cols == NR && cs == 1 && (!(mask & 3) || strictly_inside(nv, mask, i0, j0))) {
    UNROLL for (int i = 0; i < MR; ++i) UNROLL for (int v = 0; v < nv; ++v)
        combine_vector(c + PARTS * (i * rs + v * VW), t[i][v], t[i][COMPLEX * NV + v], ar, ai, br, bi);
    return;
  }
  real buffer[MR][NR * PARTS];
  UNROLL for (int i = 0; i < MR; ++i) UNROLL for (int p = 0; p < PARTS; ++p) UNROLL for (int v = 0; v < nv; ++v)
      STORE(t[i][p * NV + v], p * NV + v, buffer[i]);
  combine_rows(buffer, c, rs, cs, i0 - j0, rows, cols, mask, ar, ai, br, bi);
}

/// What tiles are made of: the steps from k0 on, and the scalars that they take.
typedef struct {
  __global const real* packed;
  __global real* c;
  long m, n, k, b_at, rs, cs, k0, steps;
  int shared, mask;
  real ar, ai, br, bi;
} product;

/// A tile, from its vector v on.
INLINE void product_tile(const int nv, const int v, const product p, const long i, const long j) {
  const long row = i * MR, column = j * NR + v * VW;
  const int rows = (int)min((long)MR, p.m - row), cols = (int)min((long)nv * VW, p.n - column);
  __global real* const tile = p.c + PARTS * (row * p.rs + column * p.cs);
  prefetch_tile(tile, p.rs, p.cs, rows, cols);
  TILE(t);
  clear(t, p.k0 == 0 ? (real)0 : -(real)0);
  __global const real* const right = p.packed + p.b_at + (j * p.k + p.k0) * STEP(NR) + v * VW;
  // A product of a matrix with its own transpose reads the panels of one as those of the other.
  __global const real* const left = p.shared ? p.packed + p.b_at + (row / NR * p.k + p.k0) * STEP(NR) + row % NR
                                             : p.packed + (i * p.k + p.k0) * STEP(MR);
  if (nv < NV)
    add_wide_product(nv, t, 0, p.steps, p.shared ? NR : MR, left, right);
  else if (p.shared)
    add_wide_product(nv, t, 0, p.steps, NR, left, right);
  else
    add_product(nv, t, 0, p.steps, left, right);
  combine_tile(nv, t, tile, p.rs, p.cs, row, column, rows, cols, p.mask, p.ar, p.ai, p.br, p.bi);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void gemm(
    const long m, const long n, const long k, __global const real* packed, const int shared, const long b_at,
    __global real* c, const long c_at, const long rs, const long cs, const int mask, const long tiles,
    const long panels, const long kc, const real ar, const real ai, const real br, const real bi) {
  const long i_begin = get_global_id(0) * tiles, i_end = min(i_begin + tiles, (m + MR - 1) / MR);
  // Those with the least to do come first, so that they are what is left to share out among threads at the beginning.
  const long column = (mask & UPPER) ? get_global_id(1) : get_global_size(1) - 1 - get_global_id(1);
  const long j_begin = column * panels, j_end = min(j_begin + panels, (n + NR - 1) / NR);
  product p = {packed, c + PARTS * c_at, m, n, k, b_at, rs, cs, 0, 0, shared, mask, ar, ai, br, bi};
  for (; p.k0 < k; p.k0 += kc, p.br = 1, p.bi = 0) {
    p.steps = min(kc, k - p.k0);
    for (long i = i_begin; i < i_end; ++i)
      for (long j = j_begin; j < j_end; ++j) {
        // The vectors of the panel that exist and are not all beyond the diagonal.
        const long end = (mask & LOWER) ? min(n, i * MR + MR) : n, last = min((long)NR, end - j * NR);
        int v = (mask & UPPER) ? (int)clamp(i * MR - j * NR, 0l, (long)NR) / VW : 0;
        while (v * VW < last)
          if (NV == 1 || last - v * VW > (NV - 1) * VW)
            product_tile(NV, v, p, i, j), v += NV;
          else
            product_tile(1, v, p, i, j), ++v;
      }
  }
}
