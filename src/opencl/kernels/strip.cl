// B := alpha T^-1 B and B := alpha T B for GPUs, T lower triangular, both as they are stored. (An upper one is lower,
// read backwards: negative strides.)
//
// A work-group has WIDTH right-hand sides, a work-item one: it keeps STRIP rows of it in registers, and all share a
// square of the triangle in local memory. No diagonal element is inverted. Options: STRIP, WIDTH.

#define SQUARE (STRIP * (STRIP + 1))

/// The square at (row, step), zeros beyond `rows` and `steps`; in the corner what lies above the diagonal, and a unit
/// diagonal, is not read.
INLINE void stage_square(__local real* to, __global const real* a, const long ls, const long ss, const real sign,
                         const int rows, const int corner, const int unit) {
  const bool lines_first = ss != 1 && ss != -1;  // what is contiguous, neighbours read
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int e = get_local_id(0); e < STRIP * STRIP; e += WIDTH) {
    const int i = lines_first ? e % STRIP : e / STRIP, k = lines_first ? e / STRIP : e % STRIP;
    const bool there = i < rows && (!corner || (unit ? k < i : k <= i));
    __global const real* const at = a + PARTS * (i * ls + k * ss);
    to[k * (STRIP + 1) + i] = there ? at[0] : 0;
#if COMPLEX
    to[SQUARE + k * (STRIP + 1) + i] = there ? sign * at[1] : 0;
#endif
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/// Rows of one right-hand side.
typedef struct {
  real re[STRIP];
#if COMPLEX
  real im[STRIP];
#endif
} Rows;

/// t_i += s a_ik x, `s` 1 or -1, for the rows from `first` on.
INLINE void add_column(Rows* t, const int s, __local const real* square, const int k, const int first, const real xr,
                       const real xi) {
  UNROLL for (int i = 0; i < STRIP; ++i) {
    if (i < first) continue;
    const real ar = s * square[k * (STRIP + 1) + i];
    t->re[i] = fma(ar, xr, t->re[i]);
#if COMPLEX
    const real ai = s * square[SQUARE + k * (STRIP + 1) + i];
    t->im[i] = fma(ar, xi, t->im[i]);
    t->re[i] = fma(-ai, xi, t->re[i]);
    t->im[i] = fma(ai, xr, t->im[i]);
#endif
  }
}

INLINE void scale_entry(Rows* t, const int i, const real sr, const real si) {
  if (sr == 1 && si == 0) return;
#if COMPLEX
  const real re = t->re[i], im = t->im[i];
  t->re[i] = fma(-si, im, sr * re), t->im[i] = fma(si, re, sr * im);
#else
  t->re[i] *= sr;
#endif
}

INLINE void divide_entry(Rows* t, const int i, const real p, const real q) {
#if COMPLEX
  const Divisor d = divisor(p, q);
  DIVIDE(t->re[i], t->im[i], d, real);
#else
  t->re[i] /= p;
#endif
}

INLINE void load_rows(Rows* t, __global const real* x, const long rs, const int rows) {
  UNROLL for (int i = 0; i < STRIP; ++i) {
    t->re[i] = i < rows ? x[PARTS * i * rs] : 0;
#if COMPLEX
    t->im[i] = i < rows ? x[PARTS * i * rs + 1] : 0;
#endif
  }
}

INLINE void store_rows(const Rows* t, __global real* x, const long rs, const int rows) {
  UNROLL for (int i = 0; i < STRIP; ++i) {
    if (i >= rows) continue;
    x[PARTS * i * rs] = t->re[i];
#if COMPLEX
    x[PARTS * i * rs + 1] = t->im[i];
#endif
  }
}

/// t += s A x over whole squares of a row of them, x a right-hand side from its first row on.
INLINE void add_squares(Rows* t, const int s, __local real* square, __global const real* a, const long ls,
                        const long ss, const real sign, const int rows, const long steps, __global const real* x,
                        const long rs, const bool mine) {
  for (long k0 = 0; k0 < steps; k0 += STRIP) {
    stage_square(square, a + PARTS * k0 * ss, ls, ss, sign, rows, 0, 0);
    for (int k = 0; mine && k < STRIP; ++k) {
      __global const real* const at = x + PARTS * (k0 + k) * rs;
      add_column(t, s, square, k, 0, at[0], COMPLEX ? at[PARTS - 1] : 0);
    }
  }
}

__kernel __attribute__((reqd_work_group_size(WIDTH, 1, 1))) void strip_solve(__global const real* a, __global real* b,
                                                                             const strip_numbers q) {
  __local real square[PARTS * SQUARE];
  const long j = get_global_id(0), n = q.t.n, ls = q.t.rs, ss = q.t.cs, rs = q.rs;
  const int unit = q.t.unit;
  const bool mine = j < q.cols;
  const real sign = q.t.conj ? -1 : 1;
  __global real* const x = b + PARTS * (q.at + (mine ? j : 0) * q.cs);
  for (long i0 = 0; i0 < n; i0 += STRIP) {
    const int rows = (int)min((long)STRIP, n - i0);
    __global const real* const line = a + PARTS * (q.t.at + i0 * ls);
    Rows t;
    if (mine) {
      load_rows(&t, x + PARTS * i0 * rs, rs, rows);
      UNROLL for (int i = 0; i < STRIP; ++i) scale_entry(&t, i, q.ar, q.ai);
    }
    add_squares(&t, -1, square, line, ls, ss, sign, rows, i0, x, rs, mine);
    stage_square(square, line + PARTS * i0 * ss, ls, ss, sign, rows, 1, unit);
    if (mine) {
      UNROLL for (int k = 0; k < STRIP; ++k) {
        if (k >= rows) continue;
        const int at = k * (STRIP + 1) + k;
        if (!unit) divide_entry(&t, k, square[at], COMPLEX ? square[(PARTS - 1) * SQUARE + at] : 0);
#if COMPLEX
        add_column(&t, -1, square, k, k + 1, t.re[k], t.im[k]);
#else
        add_column(&t, -1, square, k, k + 1, t.re[k], 0);
#endif
      }
      store_rows(&t, x + PARTS * i0 * rs, rs, rows);
    }
  }
}

/// From the last rows on: those before them are still as they were.
__kernel __attribute__((reqd_work_group_size(WIDTH, 1, 1))) void strip_multiply(__global const real* a,
                                                                                __global real* b,
                                                                                const strip_numbers q) {
  __local real square[PARTS * SQUARE];
  const long j = get_global_id(0), n = q.t.n, ls = q.t.rs, ss = q.t.cs, rs = q.rs;
  const int unit = q.t.unit;
  const bool mine = j < q.cols;
  const real sign = q.t.conj ? -1 : 1;
  __global real* const x = b + PARTS * (q.at + (mine ? j : 0) * q.cs);
  for (long i0 = (n - 1) / STRIP * STRIP; i0 >= 0; i0 -= STRIP) {
    const int rows = (int)min((long)STRIP, n - i0);
    __global const real* const line = a + PARTS * (q.t.at + i0 * ls);
    Rows t, own;
    UNROLL for (int i = 0; i < STRIP; ++i) {
      t.re[i] = 0;
#if COMPLEX
      t.im[i] = 0;
#endif
    }
    add_squares(&t, 1, square, line, ls, ss, sign, rows, i0, x, rs, mine);
    stage_square(square, line + PARTS * i0 * ss, ls, ss, sign, rows, 1, unit);
    if (mine) {
      load_rows(&own, x + PARTS * i0 * rs, rs, rows);
      UNROLL for (int k = 0; k < STRIP; ++k) {
        if (k >= rows) continue;
        // A unit diagonal is not a factor: 1 + 0i would make NaN of an infinity.
        if (unit) t.re[k] += own.re[k];
#if COMPLEX
        if (unit) t.im[k] += own.im[k];
        add_column(&t, 1, square, k, k + unit, own.re[k], own.im[k]);
#else
        add_column(&t, 1, square, k, k + unit, own.re[k], 0);
#endif
      }
      UNROLL for (int i = 0; i < STRIP; ++i) scale_entry(&t, i, q.ar, q.ai);
      store_rows(&t, x + PARTS * i0 * rs, rs, rows);
    }
  }
}
