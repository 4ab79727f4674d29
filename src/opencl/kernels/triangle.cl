// B := alpha T^-1 B and B := alpha T B, T lower triangular. (An upper one is lower, read backwards: negative strides.)
//
// The triangle is packed once, tile of MR rows by tile: tile i has (i + 1) * MR steps, the last MR of which are its
// corner. B is packed by panels of NR right-hand sides, which are lanes. The corner is bounded row by row: no padded zero
// and nothing beyond the diagonal enters a sum. No diagonal block is inverted; a diagonal element is, where every one of
// its tile and its reciprocal is normal, and else divided by.

INLINE long tile_at(const long i) { return i * (i + 1) / 2 * MR * STEP(MR); }

#define REAL_LEAST (sizeof(real) == 4 ? (real)FLT_MIN : (real)2.2250738585072014e-308)

/// The larger part of a number decides whether it and its reciprocal are normal.
INLINE bool reciprocal_is_safe(const real re, const real im) {
  const real size = fmax(fabs(re), fabs(im));
  return re == re && im == im && size >= REAL_LEAST && size <= (real)0.25 / REAL_LEAST;
}

/// A diagonal tile: below the diagonal as it is, on it the reciprocals, or the elements where one of them is not safe:
/// then `divide` is set.
INLINE void pack_triangle_corner(__global const real* a, const long ls, const long ss, const real sign, const int count,
                                 const int unit, const int invert, __global real* to, __global real* divide) {
  bool safe = true;
  for (int k = 0; k < MR; ++k)
    for (int i = k; i < MR; ++i) {
      __global real* const at = to + k * STEP(MR) + i;
      at[0] = i == k ? 1 : 0;
#if COMPLEX
      at[MR] = 0;
#endif
      if (i >= count || k >= count || (unit && i == k)) continue;
      copy_entry(a + PARTS * (i * ls + k * ss), at, MR, sign);
      if (i == k) safe = safe && reciprocal_is_safe(at[0], COMPLEX ? at[(PARTS - 1) * MR] : 0);
    }
  *divide = invert && !safe;
  if (!invert || !safe || unit) return;
  for (int k = 0; k < MR; ++k) {
    __global real* const at = to + k * STEP(MR) + k;
#if COMPLEX
    const real p = at[0], q = at[MR];
    if (fabs(p) >= fabs(q)) {
      const real ratio = q / p, den = fma(q, ratio, p);
      at[0] = 1 / den, at[MR] = -ratio / den;
    } else {
      const real ratio = p / q, den = fma(p, ratio, q);
      at[0] = ratio / den, at[MR] = -1 / den;
    }
#else
    at[0] = 1 / at[0];
#endif
  }
}

/// Packs triangle and right-hand sides in one launch: work-items (tile or panel, chunk of steps).
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void pack_triangle(
    const long n, const long chunk, __global const real* a, const long a_at, const long ls, const long ss,
    const int conj, const int unit, const int invert, __global const real* b, const long b_at, const long b_rs,
    const long b_cs, const long cols, __global real* to, const long divide_at, const long x_at) {
  const long tiles = (n + MR - 1) / MR, id = get_global_id(0), begin = get_global_id(1) * chunk;
  if (id < tiles) {
    const long row = id * MR, end = min(begin + chunk, row);
    const int count = (int)min((long)MR, n - row);
    const real sign = conj ? -1 : 1;
    __global const real* const line = a + PARTS * (a_at + row * ls);
    __global real* const tile = to + tile_at(id);
    if (begin < end) pack_steps(MR, line, ls, ss, sign, count, begin, end, tile);
    if (begin == 0)
      pack_triangle_corner(line + PARTS * row * ss, ls, ss, sign, count, unit, invert, tile + row * STEP(MR),
                           to + divide_at + id);
  } else {
    pack_panel(NR, b + PARTS * b_at, b_cs, b_rs, 0, GENERAL, cols, id - tiles, begin, min(begin + chunk, n),
               to + x_at + (id - tiles) * tiles * MR * STEP(NR));
  }
}

INLINE void load_rows(TILE(t), __global const real* x) {
  UNROLL for (int i = 0; i < MR; ++i) load_step(t[i], x + i * STEP(NR));
}

INLINE void store_rows(const TILE(t), __global real* x) {
  UNROLL for (int i = 0; i < MR; ++i) UNROLL for (int v = 0; v < NV * PARTS; ++v) STORE(t[i][v], v, x + i * STEP(NR));
}

INLINE void scale_tile(TILE(t), const real sr, const real si) {
  if (sr == 1 && si == 0) return;
  UNROLL for (int i = 0; i < MR; ++i) scale_row(t[i], sr, si);
}

/// x := x / d, complex by Smith's method.
INLINE void divide_row(vec x[NV * PARTS], const real p, const real q) {
  UNROLL for (int v = 0; v < NV; ++v) {
#if COMPLEX
    const vec re = x[v], im = x[NV + v];
    if (fabs(p) >= fabs(q)) {
      const real ratio = q / p, den = fma(q, ratio, p);
      x[v] = fma(im, (vec)(ratio), re) / (vec)(den), x[NV + v] = fma(-re, (vec)(ratio), im) / (vec)(den);
    } else {
      const real ratio = p / q, den = fma(p, ratio, q);
      x[v] = fma(re, (vec)(ratio), im) / (vec)(den), x[NV + v] = fma(im, (vec)(ratio), -re) / (vec)(den);
    }
#else
    x[v] /= (vec)(p);
#endif
  }
}

/// Substitution inside a tile: the rows of t become the solution.
INLINE void solve_corner(TILE(t), __global const real* a, const int unit, const bool divide) {
  UNROLL for (int k = 0; k < MR; ++k) {
    __global const real* const step = a + k * STEP(MR);
    if (!unit) {
      const real dr = step[k], di = COMPLEX ? step[(PARTS - 1) * MR + k] : 0;
      if (divide)
        divide_row(t[k], dr, di);
      else
        scale_row(t[k], dr, di);
    }
    UNROLL for (int i = k + 1; i < MR; ++i) add_row(t, i, 1, step[i], COMPLEX ? step[(PARTS - 1) * MR + i] : 0, t[k]);
  }
}

/// Solves for `panels` panels of right-hand sides, `block` tiles of the triangle at a time: a panel is solved through the
/// tiles of the block, then the rows beyond it are updated, each of their tiles for all panels.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void solve(
    const long n, const long cols, __global real* packed, const long divide_at, const long x_at, __global real* b,
    const long b_at, const long rs, const long cs, const int unit, const real ar, const real ai, const long panels,
    const long block) {
  const long tiles = (n + MR - 1) / MR, length = tiles * MR * STEP(NR);
  const long j_begin = get_global_id(0) * panels, j_end = min(j_begin + panels, (cols + NR - 1) / NR);
  for (long first = 0; first < tiles; first += block) {
    const long last = min(first + block, tiles);
    const real sr = first == 0 ? ar : 1, si = first == 0 ? ai : 0;
    for (long j = j_begin; j < j_end; ++j) {
      __global real* const x = packed + x_at + j * length;
      for (long i = first; i < last; ++i) {
        __global const real* const tile = packed + tile_at(i);
        TILE(t);
        load_rows(t, x + i * MR * STEP(NR));
        scale_tile(t, sr, si);
        add_product(t, 1, (i - first) * MR, tile + first * MR * STEP(MR), x + first * MR * STEP(NR));
        solve_corner(t, tile + i * MR * STEP(MR), unit, packed[divide_at + i] != 0);
        store_rows(t, x + i * MR * STEP(NR));
        store_tile(t, b + PARTS * (b_at + i * MR * rs + j * NR * cs), rs, cs, (int)min((long)MR, n - i * MR),
                   (int)min((long)NR, cols - j * NR));
      }
    }
    for (long i = last; i < tiles; ++i)
      for (long j = j_begin; j < j_end; ++j) {
        __global real* const x = packed + x_at + j * length;
        TILE(t);
        load_rows(t, x + i * MR * STEP(NR));
        scale_tile(t, sr, si);
        add_product(t, 1, (last - first) * MR, packed + tile_at(i) + first * MR * STEP(MR), x + first * MR * STEP(NR));
        store_rows(t, x + i * MR * STEP(NR));
      }
  }
}

/// Multiplies a block of `block` tiles of rows by `panels` panels.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void multiply(
    const long n, const long cols, __global const real* packed, const long x_at, __global real* b, const long b_at,
    const long rs, const long cs, const real ar, const real ai, const long panels, const long block) {
  const long tiles = (n + MR - 1) / MR, length = tiles * MR * STEP(NR);
  const long i_begin = get_global_id(0) * block, i_end = min(i_begin + block, tiles);
  const long j_begin = get_global_id(1) * panels, j_end = min(j_begin + panels, (cols + NR - 1) / NR);
  for (long i = i_begin; i < i_end; ++i)
    for (long j = j_begin; j < j_end; ++j) {
      __global const real* const x = packed + x_at + j * length;
      __global const real* const tile = packed + tile_at(i);
      TILE(t);
      clear(t);
      add_product(t, 0, i * MR, tile, x);
      UNROLL for (int k = 0; k < MR; ++k) {
        __global const real* const step = tile + (i * MR + k) * STEP(MR);
        vec row[NV * PARTS];
        load_step(row, x + (i * MR + k) * STEP(NR));
        UNROLL for (int r = k; r < MR; ++r) add_row(t, r, 0, step[r], COMPLEX ? step[(PARTS - 1) * MR + r] : 0, row);
      }
      scale_tile(t, ar, ai);
      store_tile(t, b + PARTS * (b_at + i * MR * rs + j * NR * cs), rs, cs, (int)min((long)MR, n - i * MR),
                 (int)min((long)NR, cols - j * NR));
    }
}
