// C := alpha A B + beta C from packed panels, the GEMM of all operations.
//
// A work-item takes one block of C after the other: row tiles, as many in each, by some panels of columns. It sums kc
// steps at a time: its rows of A stay in the second cache while panels of B pass. After Goto and van de Geijn, TOMS
// 34:3, 2008.

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

/// What tiles are made of: the steps from k0 on, and the scalars that they take.
typedef struct {
  __global real* packed;
  __global real* c;
  long m, n, k, a_at, b_at, rs, cs, k0, count;  // a_at: of step k0 of row tile 0, if it were there
  int shared, mask;
  real ar, ai, br, bi, zero;
  steps a, b;             // where they lie,
  long lying_a, lying_b;  // and so many row tiles and panels that are read there
} product;

INLINE __global real* entry(const product p, const long i, const long j) { return p.c + PARTS * (i * p.rs + j * p.cs); }
/// Panel j of B.
INLINE steps right(const product p, const long j) {
  const steps lying = {p.b.at + j * NR, 1, p.b.step};
  return j < p.lying_b ? after(lying, p.k0) : panel_at(NR, p.packed + p.b_at + (j * p.k + p.k0) * STEP(NR));
}
/// Row tile i of A. A product of a matrix with its own transpose reads the panels of one as those of the other.
INLINE steps left(const product p, const long i) {
  const long row = i * MR;
  const steps lying = {p.a.at + row * p.a.line, p.a.line, p.a.step};
  steps rows = i < p.lying_a ? after(lying, p.k0) : panel_at(MR, p.packed + p.a_at + i * p.k * STEP(MR));
  if (p.shared) rows = right(p, row / NR), rows.at += row % NR;
  return rows;
}

/// `nv` vectors of row tile i, which lie in registers from `from` on: vectors v on of panel j.
INLINE void combine_vectors(const int nv, const TILE(t), const int from, const product p, const long i, const long j,
                            const int v) {
  const long row = i * MR, column = j * NR + v * VW;
  TILE(copy);
  UNROLL for (int r = 0; r < MR; ++r) UNROLL for (int q = 0; q < PARTS; ++q) EACH_VECTOR(u, nv) copy[r][q * NV + u] =
      t[r][q * NV + from + u];
  combine_rows((real(*)[NR * PARTS]) copy, entry(p, row, column), p.rs, p.cs, row - column,
               (int)min((long)MR, p.m - row), (int)min((long)nv * VW, p.n - column), p.mask, p.ar, p.ai, p.br, p.bi);
}

/// Whether all of a tile exists and none of it is on the diagonal of a triangle.
INLINE bool whole(const product p, const long i, const long j) {
  const long row = i * MR, column = j * NR;
  return row + MR <= p.m && column + NR <= p.n && (!(p.mask & LOWER) || row > column + NR - 1) &&
         (!(p.mask & UPPER) || row + MR - 1 < column);
}

/// Part `part` of `parts` of the lines of a tile of C whose rows or columns are contiguous, so that they come while it
/// is computed: all of them at once would keep the panels waiting.
INLINE void prefetch_tile(__global real* c, const long rs, const long cs, const int rows, const int cols,
                          const int part, const int parts) {
  if (cs == 1) {
    for (int i = rows * part / parts; i < rows * (part + 1) / parts; ++i)
      for (int j = 0; j < PARTS * cols; j += LINE) WILL_WRITE(c + PARTS * i * rs + j);
  } else {
    const long last = rs == 1 ? 0 : (rows - 1) * rs;
    for (int j = cols * part / parts; j < cols * (part + 1) / parts; ++j) WILL_WRITE(c + PARTS * (j * cs + last));
  }
}

/// A tile, while `each` elements per step from `next` on are asked for; written by vectors where all of it exists and
/// its rows are contiguous.
INLINE void product_tile(const product p, const long i, const long j, __global const real* next, const int each) {
  const long row = i * MR, column = j * NR;
  __global real* const c = entry(p, row, column);
  const int w = p.shared ? NR : MR, rows = (int)min((long)MR, p.m - row), cols = (int)min((long)NR, p.n - column);
  const steps a = left(p, i), b = right(p, j), near = {a.at, 1, a.step};
  TILE(t);
  clear(t, p.zero);
  _Pragma("unroll 1") for (long part = 0, k = 0, end; part < MR; ++part, k = end) {
    prefetch_tile(c, p.rs, p.cs, rows, cols, (int)part, MR);
    end = part + 1 < MR ? p.count * (part + 1) / (2 * MR) : p.count;
    // Twice, so that addresses are formed by instructions where entries lie beside each other.
    if (COMPLEX || a.line == 1)
      add_steps(NV, t, 0, end - k, w, after(near, k), after(b, k), 2, next + k * each, each);
    else
      add_steps(NV, t, 0, end - k, w, after(a, k), after(b, k), 1, next + k * each, each);
  }
  if (p.cs != 1 || !whole(p, i, j)) {
    combine_vectors(NV, t, 0, p, i, j, 0);
    return;
  }
  UNROLL for (int r = 0; r < MR; ++r) UNROLL for (int v = 0; v < NV; ++v)
      combine_vector(c + PARTS * (r * p.rs + v * VW), t[r][v], t[r][COMPLEX * NV + v], p.ar, p.ai, p.br, p.bi);
}

#if NV > 1
/// t += A B for one vector of each of two row tiles, or of the first of them.
INLINE void add_pair(TILE(t), const int two, const long count, const int w, steps a, steps below, steps b) {
  enum { AHEAD = 16 };
  _Pragma("unroll 1") for (long k = 0; k < count; ++k, a.at += a.step, below.at += below.step, b.at += b.step) {
    vec x[NV * PARTS];
    UNROLL for (int q = 0; q < PARTS; ++q) {
      x[q * NV] = LOAD(q * NV, b.at);
      WILL_READ(a.at + AHEAD * a.step + q * w), WILL_READ(b.at + AHEAD * b.step + q * NR);
    }
    UNROLL for (int r = 0; r < MR; ++r) {
      add_row(1, t[r], 0, a.at[r * a.line], COMPLEX ? a.at[w + r] : 0, x);
      if (two) add_row(1, t[r] + 1, 0, below.at[r * below.line], COMPLEX ? below.at[w + r] : 0, x);
    }
  }
}

/// Vector v of two row tiles, i and i + `next`, in the registers of one; of one of them where `next` is 0.
INLINE void product_pair(const product p, const long i, const int next, const long j, const int v) {
  const int w = p.shared ? NR : MR;
  const long row = i * MR, column = j * NR + v * VW;
  steps a = left(p, i), below = left(p, i + next), b = right(p, j);
  b.at += v * VW;
  prefetch_tile(entry(p, row, column), p.rs, p.cs, (int)min((long)(next + 1) * MR, p.m - row),
                (int)min((long)VW, p.n - column), 0, 1);
  TILE(t);
  clear(t, p.zero);
  if (COMPLEX || a.line == 1) {
    a.line = below.line = 1;
    if (next)
      add_pair(t, 1, p.count, w, a, below, b);
    else
      add_pair(t, 0, p.count, w, a, below, b);
  } else {
    add_pair(t, 1, p.count, w, a, below, b);
  }
  combine_vectors(1, t, 0, p, i, j, v);
  if (next) combine_vectors(1, t, 1, p, i + 1, j, v);
}
#endif

/// Of tile (i, j), the first vector and the one after the last that exist and are not all beyond a diagonal.
INLINE int first_vector(const product p, const long i, const long j) {
  return (p.mask & UPPER) ? (int)clamp(i * MR - j * NR, 0l, (long)NR) / VW : 0;
}
INLINE int end_vector(const product p, const long i, const long j) {
  const long end = (p.mask & LOWER) ? min(p.n, i * MR + MR) : p.n;
  return (int)(clamp(end - j * NR, 0l, (long)NR) + VW - 1) / VW;
}
/// Whether vector v of a tile is computed, and not with all of the tile.
INLINE bool alone(const product p, const long i, const long j, const int v) {
  const int first = first_vector(p, i, j), end = end_vector(p, i, j);
  return end - first < NV && v >= first && v < end;
}

/// Row tiles [i_begin, i_end) by panels [j_begin, j_end). If `packs`, the rows are packed, each block of steps just
/// before it is used.
OUTLINE void product_block(product p, const operands o, const bool packs, const long kc, const long i_begin,
                           const long i_end, const long j_begin, const long j_end) {
  // Of panels: lines of B where it lies are asked for as they are read.
  const int each = p.lying_b ? 0 : (STEP(NR) + (int)(i_end - i_begin) - 1) / (int)(i_end - i_begin);
  for (; p.k0 < p.k; p.k0 += kc, p.a_at += kc * STEP(MR), p.br = 1, p.bi = 0, p.zero = -(real)0) {
    p.count = min(kc, p.k - p.k0);
    if (packs) pack_rows_at(o, i_begin, i_end, p.k0, p.k0 + p.count, p.packed + p.a_at);
    for (long j = j_begin; j < j_end; ++j) {
      __global const real* next = right(p, min(j + 1, j_end - 1)).at;
      for (long i = i_begin; i < i_end; ++i, next += p.count * each) {
        const int first = first_vector(p, i, j), end = end_vector(p, i, j);
        if (end - first == NV) product_tile(p, i, j, next, each);
#if NV > 1
        // A few vectors of a tile: each together with that of the next tile, if it has one of these too.
        const bool second = (i - i_begin) % 2;
        const long other = second ? i - 1 : i + 1;
        for (int v = first; v < end && end - first < NV; ++v) {
          const bool paired = other < i_end && alone(p, other, j, v);
          if (!second || !paired) product_pair(p, i, paired, j, v);
        }
#endif
      }
    }
  }
}

/// A share is up to `most` panels of a block of rows, or, where work-items pack these rows, all of them if it can be.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void gemm(const int phases, __global int* counters,
                                                                  __global const real* a, __global const real* a2,
                                                                  __global const real* b, __global const real* b2,
                                                                  __global real* packed, __global real* c,
                                                                  const gemm_numbers g) {
  const long m = g.c.m, n = g.c.n;
  const operands o = {operand_of(a, a2, g.a, m),
                      operand_of(b, b2, g.b, n),
                      g.items_a,
                      g.lying_a,
                      g.lying_b,
                      g.chunk,
                      g.steps,
                      g.views,
                      packed,
                      packed + g.to_b};
  int count = 0;
  for (long at; (at = take_packing(counters, phases, pieces_of(o), &count)) >= 0; has_packed(counters, count))
    for (int i = 0; i < count; ++i) pack_piece(o, at + i);
  if (computes(counters, phases, pieces_of(o))) {
    const long all = (m + MR - 1) / MR, panels = (n + NR - 1) / NR;
    // Rows of A that nobody has packed are packed where this work-item packed others before, so that they stay in its
    // second cache. Of rows that lie no more than a tile is left.
    const bool lie = g.lying_a > 0, packs = g.items_a == 0 && !g.shared && all > g.lying_a;
    const long blocks = g.blocks, depth = g.steps * g.views;
    const long own = get_global_id(0) * (lie ? 1 : (all + blocks - 1) / blocks);
    const steps a_lies = {o.a.view, o.a.ls, o.a.ss}, b_lies = {o.b.view, o.b.ls, o.b.ss};
    product p = {packed,   c + PARTS * g.c.at, m,    n,    depth, 0,    g.to_b, g.c.rs, g.c.cs, 0,         0,
                 g.shared, g.c.mask,           g.ar, g.ai, g.br,  g.bi, g.zero, a_lies, b_lies, g.lying_a, g.lying_b};
    long held = -1;
    for (long at;
         (at = take_of_rows(counters + TAKEN, blocks * panels, packs && !lie ? panels : 0, g.most, &count)) >= 0;)
      while (count > 0) {
        const long number = at / panels, first = at % panels, last = min(first + min(count, g.most), panels);
        // Of a triangle, blocks with the least to do come first, so that full ones are left to be shared out at the
        // end.
        const long block = (p.mask & UPPER) ? blocks - 1 - number : number, i = block * all / blocks;
        if (packs) p.a_at = (own - (lie ? g.lying_a : i)) * depth * STEP(MR);
        product_block(p, o, packs && number != held, g.kc, i, (block + 1) * all / blocks, first, last);
        held = number, at += last - first, count -= (int)(last - first);
      }
  }
  leave(counters, 0);
}
