// B := alpha T B where columns of B are contiguous: in place, and none of B is packed.
//
// Lanes are rows of the triangle, and of B. A tile is MR columns of B by NR rows; its sums are those of a panel of the
// triangle with columns of B, which are read where they lie. The first panel has what is over and nothing but its
// corner, which is bounded lane by lane. The one with most steps comes first: rows that have been written enter no
// later sum.
//
// A work-item packs a triangle of its own, each panel just before it first uses it, and takes some columns after the
// other through it. Sums are those of multiply.cl, in the same order.

/// Panels are numbered by how many steps they have.
typedef struct {
  __global const real* a;  ///< element (0, 0)
  long n, ls, ss;
  int conj, unit, upper;
  __global real* packed;
} wide_triangle;

INLINE long panels_in(const wide_triangle t) { return (t.n + NR - 1) / NR; }
/// Rows of the first panel.
INLINE long rest_of(const wide_triangle t) { return t.n - (panels_in(t) - 1) * NR; }
INLINE int rows_in(const wide_triangle t, const long q) { return q > 0 ? NR : (int)rest_of(t); }
/// Steps of panel q before its corner; the corner has as many as rows.
INLINE long steps_before(const wide_triangle t, const long q) { return q > 0 ? rest_of(t) + (q - 1) * NR : 0; }
INLINE __global real* panel_of(const wide_triangle t, const long q) {
  return t.packed + (q * rest_of(t) + q * (q - 1) / 2 * NR) * STEP(NR);
}
/// Its first row; the row of B that its first step meets, and which way the others follow: to the diagonal.
INLINE long row_of(const wide_triangle t, const long q) {
  const long before = steps_before(t, q);
  return t.upper ? t.n - before - rows_in(t, q) : before;
}
INLINE long first_row(const wide_triangle t) { return t.upper ? t.n - 1 : 0; }
INLINE int down(const wide_triangle t) { return t.upper ? -1 : 1; }
/// Where its first step is packed from.
INLINE __global const real* source_of(const wide_triangle t, const long q) {
  return t.a + PARTS * (row_of(t, q) * t.ls + first_row(t) * t.ss);
}

/// Packs panel q. Of what is beyond the diagonal of its corner tiles take nothing. Vectors that hold no row are zeros:
/// they are computed, and what has lain there may be subnormal, which takes long.
OUTLINE void pack_wide(const wide_triangle t, const long q) {
  const int rows = rows_in(t, q), filled = (rows + VW - 1) / VW;
  const long before = steps_before(t, q);
  __global real* const to = panel_of(t, q);
  __global real* const corner = to + before * STEP(NR);
  pack_steps(NR, source_of(t, q), t.ls, down(t) * t.ss, t.conj ? -1 : 1, rows, 0, before + rows, to);
  for (int k = 0; k < rows; ++k) {
    __global real* const step = corner + k * STEP(NR);
    for (int v = filled; v < NV; ++v) UNROLL for (int p = 0; p < PARTS; ++p) STORE((vec)(0), p * NV + v, step);
    if (!COMPLEX && t.unit) step[t.upper ? rows - 1 - k : k] = 1;
  }
}

/// t += a x for vectors [first, last) of a row, in the order of add_row with the factors exchanged.
INLINE void add_column(vec* t, const int first, const int last, const real ar, const real ai, const vec* x) {
  UNROLL for (int v = 0; v < NV; ++v) if (v >= first && v < last) {
    t[v] = fma((vec)(ar), x[v], t[v]);
#if COMPLEX
    t[NV + v] = fma((vec)(ai), x[v], t[NV + v]);
    t[v] = fma((vec)(-ai), x[NV + v], t[v]);
    t[NV + v] = fma((vec)(ar), x[NV + v], t[NV + v]);
#endif
  }
}

/// The same of one vector, and of its lanes up to the diagonal's own, or from that on. A unit diagonal is no factor if
/// it is complex.
INLINE void add_lanes(vec* t, const int v, const real ar, const real ai, const vec* x, const real own, const int upper,
                      const int unit) {
  const vec lanes = (vec)(LANES);
  vec sum[NV * PARTS];
  UNROLL for (int p = 0; p < PARTS; ++p) sum[p * NV + v] = t[p * NV + v];
  add_column(sum, v, v + 1, ar, ai, x);
  UNROLL for (int p = 0; p < PARTS; ++p) {
    vec* const to = t + p * NV + v;
    vec s = sum[p * NV + v];
    if (COMPLEX && unit) s = select(s, *to + (vec)(p ? ai : ar), lanes == (vec)(own));
    *to = upper ? select(*to, s, lanes <= (vec)(own)) : select(*to, s, lanes >= (vec)(own));
  }
}

/// t += B T' for `count` steps of columns of B; imaginary parts are `w` after the real ones.
INLINE void add_before(TILE(t), const long count, steps b, const int w, __global const real* panel,
                       __global const real* next, const long each) {
  _Pragma("unroll 1") for (long k = 0; k < count; ++k, b.at += b.step, panel += STEP(NR), next += each) {
    vec x[NV * PARTS];
    load_step(NV, x, panel);
    if (!COMPLEX) UNROLL for (int l = 0; l < NR; l += LINE) WILL_READ(panel + 8 * STEP(NR) + l);
    WILL_READ_LATER(next);
    UNROLL for (int i = 0; i < MR; ++i)
        add_column(t[i], 0, NV, b.at[i * b.line], COMPLEX ? b.at[w + i * b.line] : 0, x);
  }
}

/// The same for the steps of a corner of so many rows.
INLINE void add_corner(TILE(t), steps b, const int w, __global const real* corner, const int rows, const int upper,
                       const int unit) {
  UNROLL for (int f = 0; f < NV; ++f) {
    const int v = upper ? NV - 1 - f : f, count = clamp(rows - v * VW, 0, VW);
    _Pragma("unroll 1") for (int k = 0; k < count; ++k, b.at += b.step, corner += STEP(NR)) {
      vec x[NV * PARTS];
      load_step(NV, x, corner);
      UNROLL for (int i = 0; i < MR; ++i) {
        const real re = b.at[i * b.line], im = COMPLEX ? b.at[w + i * b.line] : 0;
        add_lanes(t[i], v, re, im, x, (real)(upper ? count - 1 - k : k), upper, unit);
        if (upper)
          add_column(t[i], 0, v, re, im, x);
        else
          add_column(t[i], v + 1, NV, re, im, x);
      }
    }
  }
}

/// What of a tile exists, into columns of B.
OUTLINE void store_entries(real (*tile)[NR * PARTS], __global real* to, const long cs, const int cols, const int rows) {
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i)
      UNROLL for (int p = 0; p < PARTS; ++p) to[PARTS * (j * cs + i) + p] = tile[j][p * NR + i];
}

/// What tiles are made of.
typedef struct {
  wide_triangle t;
  __global real* b;
  __global const real* over;  ///< a copy of the last columns, as a panel, if they do not fill a tile
  long cols, cs;
  real ar, ai;
} multiplying;

/// Panel q of MR columns from column j on, while `each` elements per step from `next` on are asked for.
INLINE void multiply_tile(const multiplying w, const long q, const long j, __global const real* next, const long each) {
  const int rows = rows_in(w.t, q), cols = (int)min((long)MR, w.cols - j), down_b = PARTS * down(w.t);
  const steps lying = {w.b + PARTS * (j * w.cs + first_row(w.t)), PARTS * w.cs, down_b};
  const steps copied = {w.over + first_row(w.t) * STEP(MR), 1, down(w.t) * STEP(MR)};
  const bool whole = cols == MR;
  const steps b = whole ? lying : copied;
  const int imag = whole ? 1 : MR;
  const long before = steps_before(w.t, q);
  __global const real* const panel = panel_of(w.t, q);
  __global const real* const corner = panel + before * STEP(NR);
  TILE(t);
  clear(t, 0);
  add_before(t, before, b, imag, panel, next, each);
  if (w.t.upper && COMPLEX && w.t.unit)
    add_corner(t, after(b, before), imag, corner, rows, 1, 1);
  else if (w.t.upper)
    add_corner(t, after(b, before), imag, corner, rows, 1, 0);
  else if (COMPLEX && w.t.unit)
    add_corner(t, after(b, before), imag, corner, rows, 0, 1);
  else
    add_corner(t, after(b, before), imag, corner, rows, 0, 0);
  scale_tile(NV, t, w.ar, w.ai);
  __global real* const to = w.b + PARTS * (j * w.cs + row_of(w.t, q));
  if (!whole || rows < NR) {
    TILE(copy);
    UNROLL for (int i = 0; i < MR; ++i) UNROLL for (int v = 0; v < NV * PARTS; ++v) copy[i][v] = t[i][v];
    store_entries((real(*)[NR * PARTS]) copy, to, w.cs, cols, rows);
    return;
  }
  UNROLL for (int i = 0; i < MR; ++i) UNROLL for (int v = 0; v < NV; ++v) {
    __global real* const at = to + PARTS * (i * w.cs + v * VW);
#if COMPLEX
    store_complex(t[i][v], t[i][NV + v], at);
#else
    STORE(t[i][v], 0, at);
#endif
  }
}

/// Panel q of `count` times MR columns from the `first` on. The next panel is asked for, from where it `packs` it if it
/// does: by turns one of the lines that a step of it has.
OUTLINE void multiply_panel(const multiplying w, const long q, const long first, const int count, const bool packs) {
  const long later = max(q - 1, 0l);
  __global const real* next = panel_of(w.t, later);
  long each = (STEP(NR) + count - 1) / count, turn = steps_before(w.t, q) * each;
  if (packs) next = source_of(w.t, later), each = PARTS * down(w.t) * w.t.ss, turn = w.t.ls == 1 ? LINE : 0;
  const int turns = packs ? (STEP(NR) + LINE - 1) / LINE : count;
  for (int g = 0; g < count; ++g) multiply_tile(w, q, (first + g) * MR, next + g % turns * turn, each);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void multiply_in_place(const int phases, __global int* counters,
                                                                               __global const real* a,
                                                                               __global real* packed, __global real* b,
                                                                               const in_place_numbers p) {
  packed += get_global_id(0) * p.own;
  const wide_triangle t = {a + PARTS * p.t.at, p.t.n, p.t.rs, p.t.cs, p.t.conj, p.t.unit, p.upper, packed + p.to_t};
  const multiplying w = {t, b + PARTS * p.at, packed, p.cols, p.cs, p.ar, p.ai};
  const long all = (p.cols + MR - 1) / MR, over = p.cols % MR;
  bool packs = true;
  int count = 0;
  for (long at; (at = take(counters + TAKEN, all, p.most, &count)) >= 0; packs = false) {
    if (over > 0 && at + count == all)
      pack_steps(MR, w.b + PARTS * (p.cols - over) * p.cs, p.cs, 1, 1, (int)over, 0, p.t.n, packed);
    for (long q = panels_in(t) - 1; q >= 0; --q) {
      if (packs) pack_wide(t, q);
      multiply_panel(w, q, at, count, packs);
    }
  }
  leave(counters, 0);
}
