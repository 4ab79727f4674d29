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

#if VW == 2
#define BACKWARDS(x) (x).s10
#elif VW == 4
#define BACKWARDS(x) (x).s3210
#elif VW == 8
#define BACKWARDS(x) (x).s76543210
#else
#define BACKWARDS(x) (x).sfedcba9876543210
#endif

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
INLINE void store_entries(const vec x[PARTS], __global real* p) {
#if COMPLEX
  store_complex(x[0], x[1], p);
#else
  STORE(x[0], 0, p);
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

/// The numbers of a block's rows or columns, in the order of its vectors.
INLINE vec numbers_of_block(const matrix t) {
  lanes number;
  UNROLL for (int i = 0; i < VW; ++i) number.lane[i] = t.back ? VW - 1 - i : i;
  return number.v;
}

/// The part of T that an update by rows comes to at last: none, or the tip of the triangle with its diagonal, which may
/// be a unit one.
#define NO_TIP 0
#define TIP 1
#define UNIT_TIP 2

/// Rows lie in memory: the same, sums in lanes. With a tip they are rows of a block whose columns follow c1: what lies
/// beyond the diagonal is left out once it is here.
INLINE void update_by_rows(const matrix t, const int minus, const long r0, const long r1, const long c0, const long c1,
                           const int tip, __global const real* x, __global real* y) {
  const vec number = numbers_of_block(t);
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
    if (tip != NO_TIP) {
      __global const real* const from = rows + PARTS * (c1 * t.cs - (t.back ? VW - 1 : 0));
      const vec xr = LOAD(0, x + place_of_block(t, c1));
      const vec xi = COMPLEX ? LOAD(0, x + (PARTS - 1) * t.n + place_of_block(t, c1)) : (vec)(0);
      UNROLL for (int i = 0; i < GROUP; ++i) {
        vec a[PARTS], more[PARTS];
        const vec end = (vec)((real)(r - c1 + i + (tip == TIP)));
        load_entries(a, from + PARTS * i * t.rs);
        UNROLL for (int p = 0; p < PARTS; ++p) a[p] = number < end ? a[p] : (vec)(0), more[p] = sum[i][p];
        add_entries(more, 0, a, xr, xi);
        UNROLL for (int p = 0; p < PARTS; ++p) sum[i][p] = number < end ? more[p] : sum[i][p];
      }
    }
    UNROLL for (int i = 0; i < GROUP; ++i) {
      real s[PARTS];
      UNROLL for (int p = 0; p < PARTS; ++p) {
        s[p] = total(sum[i][p]);
        if (tip == UNIT_TIP) s[p] += x[p * t.n + place(t, r + i)];
      }
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
    update_by_rows(t, minus, r0, r1, c0, c1, NO_TIP, x, y);
  else
    update_by_columns(t, minus, r0, r1, c0, c1, x, y);
}

/// The triangle of a block, its columns as vectors. Lanes that are not used have to be 0 still: subnormal numbers, which
/// memory may have there, make arithmetic a hundred times slower on some processors.
/// Of whole blocks columns that lie in memory are read with what is beyond the diagonal, which is left out then.
INLINE void load_tip(lanes tip[VW][PARTS], const matrix t, const int by_rows, const long r, const int count) {
  if (!by_rows && count == VW) {
    const vec number = numbers_of_block(t);
    __global const real* const first = t.a + PARTS * (r * (t.rs + t.cs) - (t.back ? VW - 1 : 0));
    UNROLL for (int k = 0; k < VW; ++k) {
      vec a[PARTS];
      load_entries(a, first + PARTS * k * t.cs);
      UNROLL for (int p = 0; p < PARTS; ++p) {
        const vec below = number >= (vec)(k) ? a[p] : (vec)(0);
        tip[k][p].v = t.back ? BACKWARDS(below) : below;
      }
    }
    return;
  }
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

/// z := s z, the conjugate of z if `conj`, one entry or some. A real s scales both parts alone.
#define SCALE(type)                                                                                          \
  INLINE void CAT(scale_, type)(type z[PARTS], const real sr, const real si, const int conj) {               \
    const type re = z[0], im = conj ? -z[PARTS - 1] : z[PARTS - 1];                                          \
    z[0] = sr * re;                                                                                          \
    if (COMPLEX) z[PARTS - 1] = sr * im;                                                                     \
    if (COMPLEX && si != 0) z[0] = fma(-(type)(si), im, z[0]), z[PARTS - 1] = fma((type)(si), re, z[PARTS - 1]); \
  }
SCALE(real)
SCALE(vec)

/// Whether a vector of the stride rs lies as those in workspace do. Then block r of it begins there:
INLINE bool in_order(const matrix t, const long rs) { return rs == (t.back ? -1 : 1); }
INLINE long start_of_block(const matrix t, const long r) { return PARTS * (t.back ? 1 - VW - r : r); }

/// The rows [r0, r1) of a vector with any stride into workspace.
INLINE void fetch(const matrix t, const long r0, const long r1, const int conj, const real ar, const real ai,
                  __global const real* b, const long rs, __global real* to) {
  long r = r0;
  for (; in_order(t, rs) && r + VW <= r1; r += VW) {
    vec z[PARTS];
    load_entries(z, b + start_of_block(t, r));
    scale_vec(z, ar, ai, 0);
    STORE(z[0], 0, to + place_of_block(t, r));
    if (COMPLEX) STORE(conj ? -z[PARTS - 1] : z[PARTS - 1], 0, to + t.n + place_of_block(t, r));
  }
  for (; r < r1; ++r) {
    real z[PARTS];
    UNROLL for (int p = 0; p < PARTS; ++p) z[p] = b[PARTS * r * rs + p];
    scale_real(z, ar, ai, 0);
    to[place(t, r)] = z[0];
    if (COMPLEX) to[t.n + place(t, r)] = conj ? -z[PARTS - 1] : z[PARTS - 1];
  }
}
INLINE void deliver(const matrix t, const long r0, const long r1, const int conj, const real ar, const real ai,
                    __global const real* from, __global real* b, const long rs) {
  long r = r0;
  for (; in_order(t, rs) && r + VW <= r1; r += VW) {
    vec z[PARTS];
    UNROLL for (int p = 0; p < PARTS; ++p) z[p] = LOAD(0, from + p * t.n + place_of_block(t, r));
    scale_vec(z, ar, ai, conj);
    store_entries(z, b + start_of_block(t, r));
  }
  for (; r < r1; ++r) {
    real z[PARTS];
    UNROLL for (int p = 0; p < PARTS; ++p) z[p] = from[p * t.n + place(t, r)];
    scale_real(z, ar, ai, conj);
    UNROLL for (int p = 0; p < PARTS; ++p) b[PARTS * r * rs + p] = z[p];
  }
}
