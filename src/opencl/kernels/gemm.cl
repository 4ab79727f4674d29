// C := alpha A B + beta C from packed panels, the GEMM of all operations.
//
// A work-item computes a block of C: `tiles` tiles of rows by `panels` panels of columns, KC steps at a time so that
// what it reads again stays in the caches. After Goto and van de Geijn, TOMS 34:3, 2008.

/// Whether all of a tile is off the diagonal: its corner farthest from the triangle is.
INLINE bool strictly_inside(const int mask, const long i0, const long j0) {
  return (mask & LOWER) ? i0 > j0 + NR - 1 : i0 + MR - 1 < j0;
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

/// `i0` and `j0` are the place of the tile in C, for the mask. By vectors where C is contiguous along its rows and all
/// of a vector exists.
INLINE void combine_tile(const TILE(t), __global real* c, const long rs, const long cs, const long i0, const long j0,
                         const int rows, const int cols, const int mask, const real ar, const real ai, const real br,
                         const real bi) {
  if (rows == MR && cols == NR && cs == 1 && (!(mask & 3) || strictly_inside(mask, i0, j0))) {
    UNROLL for (int i = 0; i < MR; ++i) UNROLL for (int v = 0; v < NV; ++v)
        combine_vector(c + PARTS * (i * rs + v * VW), t[i][v], t[i][COMPLEX * NV + v], ar, ai, br, bi);
    return;
  }
  real buffer[MR][NR * PARTS];
  UNROLL for (int i = 0; i < MR; ++i) UNROLL for (int v = 0; v < NV * PARTS; ++v) STORE(t[i][v], v, buffer[i]);
  for (int i = 0; i < rows; ++i) {
    // Of the row, [first, last) exists; its diagonal entry, if any, is one of the two ends.
    const long diagonal = i0 + i - j0;
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

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void gemm(
    const long m, const long n, const long k, __global const real* packed, const int shared, const long b_at,
    __global real* c, const long c_at, const long rs, const long cs, const int mask, const long tiles,
    const long panels, const long kc, const real ar, const real ai, const real br, const real bi) {
  const long i_begin = get_global_id(0) * tiles, i_end = min(i_begin + tiles, (m + MR - 1) / MR);
  // Those with the least to do come first, so that they are what is left to share out among threads at the beginning.
  const long column = (mask & LOWER) ? get_global_size(1) - 1 - get_global_id(1) : get_global_id(1);
  const long j_begin = column * panels, j_end = min(j_begin + panels, (n + NR - 1) / NR);
  for (long k0 = 0; k0 < k; k0 += kc) {
    const long steps = min(kc, k - k0);
    const real b_r = k0 == 0 ? br : 1, b_i = k0 == 0 ? bi : 0;
    for (long i = i_begin; i < i_end; ++i) {
      const int rows = (int)min((long)MR, m - i * MR);
      for (long j = j_begin; j < j_end; ++j) {
        const int cols = (int)min((long)NR, n - j * NR);
        if ((mask & LOWER) && i * MR + rows - 1 < j * NR) continue;
        if ((mask & UPPER) && i * MR > j * NR + cols - 1) continue;
        TILE(t);
        clear(t, k0 == 0 ? (real)0 : -(real)0);
        __global real* const tile = c + PARTS * (c_at + i * MR * rs + j * NR * cs);
        prefetch_tile(tile, rs, cs, rows, cols);
        __global const real* const right = packed + b_at + (j * k + k0) * STEP(NR);
        // A product of a matrix with its own transpose reads the panels of one as those of the other.
        const long line = i * MR;
        if (shared)
          add_wide_product(t, 0, steps, NR, packed + b_at + (line / NR * k + k0) * STEP(NR) + line % NR, right);
        else
          add_product(t, 0, steps, packed + (i * k + k0) * STEP(MR), right);
        combine_tile(t, tile, rs, cs, i * MR, j * NR, rows, cols, mask, ar, ai, b_r, b_i);
      }
    }
  }
}
