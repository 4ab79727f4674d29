// y := y +- A x and the triangles of T x and T^-1 x, over the matrix as it is stored: nothing of it is packed.
//
// T is lower triangular; an upper one is lower, read backwards. One of its strides is 1 or -1, the other is anything.
// Rows are cut into blocks of VW, the first of which has what is over, so that only the tip of the triangle is ragged.
// The vectors lie in workspace, real parts before imaginary ones, in the order in which memory has the matrix: `back`
// where that is backwards. Every sum has one order, whoever computes it. What conj(T) does to x, T does to conj(x),
// conjugated: both ends of a call see to that.

/// Columns whose products are added to a vector of y at a time, or rows that share a vector of x.
#define GROUP (VW < 8 ? VW : 8)

typedef union {
  vec v;
  real lane[VW];
} lanes;

/// T, and the length of the vectors in workspace.
typedef struct {
  __global const real* a;
  long rs, cs, n;
  bool back;
} matrix;

INLINE matrix matrix_of(const int by_rows, __global const real* a, const triangle_numbers t) {
  const matrix m = {a + PARTS * t.at, t.rs, t.cs, t.n, (by_rows ? t.cs : t.rs) < 0};
  return m;
}

/// The block of rows or columns at r: the first one has what is over.
INLINE long block_at(const long n, const long r) { return r < n % VW ? n % VW : VW; }
/// The least edge of a block that is not below r.
INLINE long edge(const long n, const long r) {
  const long h = n % VW;
  return r <= 0 ? 0 : min(n, h + (r - h + VW - 1) / VW * VW);
}

INLINE long place(const matrix t, const long i) { return t.back ? t.n - 1 - i : i; }
/// Of a vector of VW places.
INLINE long place_of_block(const matrix t, const long i) { return t.back ? t.n - i - VW : i; }

/// The VW entries that begin at a place, parts apart.
INLINE void load_entries(vec x[PARTS], __global const real* p) {
#if COMPLEX
  load_complex(&x[0], &x[1], p);
#else
  x[0] = LOAD(0, p);
#endif
}

/// y += a x, or y -= a x.
INLINE void add_entries(vec y[PARTS], const int minus, const vec a[PARTS], const vec xr, const vec xi) {
  const vec r = minus ? -xr : xr;
  y[0] = fma(a[0], r, y[0]);
#if COMPLEX
  const vec i = minus ? -xi : xi;
  y[1] = fma(a[1], r, y[1]);
  y[0] = fma(-a[1], i, y[0]);
  y[1] = fma(a[0], i, y[1]);
#endif
}

/// Columns lie in memory: y[r0, r1) +-= T[r0, r1; c, c + count) x.
INLINE void update_group(const matrix t, const int minus, const int count, const long r0, const long r1, const long c,
                         __global const real* x, __global real* y) {
  vec xr[GROUP], xi[GROUP];
  UNROLL for (int k = 0; k < count; ++k) {
    xr[k] = (vec)(x[place(t, c + k)]);
    xi[k] = (vec)(COMPLEX ? x[(PARTS - 1) * t.n + place(t, c + k)] : 0);
  }
  __global const real* const first = t.a + PARTS * (c * t.cs - (t.back ? VW - 1 : 0));
  for (long r = r0; r < r1; r += VW) {
    __global real* const to = y + place_of_block(t, r);
    vec sum[PARTS];
    UNROLL for (int p = 0; p < PARTS; ++p) sum[p] = LOAD(0, to + p * t.n);
    UNROLL for (int k = 0; k < count; ++k) {
      vec a[PARTS];
      load_entries(a, first + PARTS * (k * t.cs + r * t.rs));
      add_entries(sum, minus, a, xr[k], xi[k]);
    }
    UNROLL for (int p = 0; p < PARTS; ++p) STORE(sum[p], 0, to + p * t.n);
  }
}

INLINE void update_by_columns(const matrix t, const int minus, const long r0, const long r1, long c, const long c1,
                              __global const real* x, __global real* y) {
  if (r0 >= r1) return;
  for (; (c1 - c) % GROUP != 0; ++c) update_group(t, minus, 1, r0, r1, c, x, y);
  for (; c < c1; c += GROUP) update_group(t, minus, GROUP, r0, r1, c, x, y);
}

/// The sum of the lanes.
INLINE real total(const vec x) {
  lanes s;
  s.v = x;
  UNROLL for (int w = VW / 2; w > 0; w /= 2) { UNROLL for (int i = 0; i < w; ++i) s.lane[i] += s.lane[i + w]; }
  return s.lane[0];
}

/// Rows lie in memory: the same, sums in lanes.
INLINE void update_by_rows(const matrix t, const int minus, const long r0, const long r1, const long c0, const long c1,
                           __global const real* x, __global real* y) {
  const long start = c0 + (c1 - c0) % VW;
  for (long r = r0; r < r1; r += GROUP) {
    __global const real* const rows = t.a + PARTS * r * t.rs;
    vec sum[GROUP][PARTS];
    UNROLL for (int i = 0; i < GROUP; ++i) UNROLL for (int p = 0; p < PARTS; ++p) sum[i][p] = (vec)(0);
    for (long c = start; c < c1; c += VW) {
      __global const real* const from = rows + PARTS * (c * t.cs - (t.back ? VW - 1 : 0));
      const vec xr = LOAD(0, x + place_of_block(t, c));
      const vec xi = COMPLEX ? LOAD(0, x + (PARTS - 1) * t.n + place_of_block(t, c)) : (vec)(0);
      UNROLL for (int i = 0; i < GROUP; ++i) {
        vec a[PARTS];
        load_entries(a, from + PARTS * i * t.rs);
        add_entries(sum[i], 0, a, xr, xi);
      }
    }
    UNROLL for (int i = 0; i < GROUP; ++i) {
      real s[PARTS];
      UNROLL for (int p = 0; p < PARTS; ++p) s[p] = total(sum[i][p]);
      for (long c = c0; c < start; ++c) {
        __global const real* const a = rows + PARTS * (i * t.rs + c * t.cs);
        const real xr = x[place(t, c)];
        s[0] = fma(a[0], xr, s[0]);
#if COMPLEX
        const real xi = x[t.n + place(t, c)], im = a[1];
        s[0] = fma(-im, xi, s[0]), s[1] = fma(a[0], xi, fma(im, xr, s[1]));
#endif
      }
      UNROLL for (int p = 0; p < PARTS; ++p) {
        __global real* const to = y + p * t.n + place(t, r + i);
        *to = minus ? *to - s[p] : *to + s[p];
      }
    }
  }
}

/// y[r0, r1) +-= T[r0, r1; c0, c1) x. r0 and r1 are edges of blocks, r0 is not 0.
INLINE void update(const matrix t, const int by_rows, const int minus, const long r0, const long r1, const long c0,
                   const long c1, __global const real* x, __global real* y) {
  if (by_rows)
    update_by_rows(t, minus, r0, r1, c0, c1, x, y);
  else
    update_by_columns(t, minus, r0, r1, c0, c1, x, y);
}

/// The triangle of a block, its columns as vectors: nothing beyond it is read. Lanes that are not used have to be 0
/// still: subnormal numbers, which memory may have there, make arithmetic a hundred times slower on some processors.
INLINE void load_tip(lanes tip[VW][PARTS], const matrix t, const long r, const int count) {
  UNROLL for (int k = 0; k < VW; ++k) UNROLL for (int p = 0; p < PARTS; ++p) tip[k][p].v = (vec)(0);
  for (int k = 0; k < count; ++k)
    for (int i = k; i < count; ++i) {
      __global const real* const a = t.a + PARTS * ((r + i) * t.rs + (r + k) * t.cs);
      tip[k][0].lane[i] = a[0];
#if COMPLEX
      tip[k][1].lane[i] = a[1];
#endif
    }
}

/// A block of a vector in the order of its rows; what it lacks is 0.
INLINE void load_block(lanes x[PARTS], const matrix t, __global const real* from, const long r, const int count) {
  UNROLL for (int p = 0; p < PARTS; ++p) UNROLL for (int i = 0; i < VW; ++i) x[p].lane[i] =
      i < count ? from[p * t.n + place(t, r + i)] : 0;
}
INLINE void store_block(const lanes x[PARTS], const matrix t, __global real* to, const long r, const int count) {
  UNROLL for (int p = 0; p < PARTS; ++p) UNROLL for (int i = 0; i < VW; ++i) if (i < count)
      to[p * t.n + place(t, r + i)] = x[p].lane[i];
}

/// z := s z, the conjugate of z if `conj`. A real s scales both parts alone.
INLINE void scale_entry(real z[PARTS], const real sr, const real si, const int conj) {
#if COMPLEX
  const real re = z[0], im = conj ? -z[1] : z[1];
  z[0] = sr * re, z[1] = sr * im;
  if (si != 0) z[0] = fma(-si, im, z[0]), z[1] = fma(si, re, z[1]);
#else
  z[0] *= sr;
#endif
}

/// The rows [r0, r1) of a vector with any stride into workspace.
INLINE void fetch(const matrix t, const long r0, const long r1, const int conj, const real ar, const real ai,
                  __global const real* b, const long rs, __global real* to) {
  for (long i = r0; i < r1; ++i) {
    real z[PARTS];
    UNROLL for (int p = 0; p < PARTS; ++p) z[p] = b[PARTS * i * rs + p];
    scale_entry(z, ar, ai, 0);
    to[place(t, i)] = z[0];
#if COMPLEX
    to[t.n + place(t, i)] = conj ? -z[1] : z[1];
#endif
  }
}
INLINE void deliver(const matrix t, const long r0, const long r1, const int conj, const real ar, const real ai,
                    __global const real* from, __global real* b, const long rs) {
  for (long i = r0; i < r1; ++i) {
    real z[PARTS];
    UNROLL for (int p = 0; p < PARTS; ++p) z[p] = from[p * t.n + place(t, i)];
    scale_entry(z, ar, ai, conj);
    UNROLL for (int p = 0; p < PARTS; ++p) b[PARTS * i * rs + p] = z[p];
  }
}
