// C := alpha A B + beta C for GPUs, on operands as they are stored: nothing is packed, transposition, conjugation,
// symmetry and strides are arguments.
//
// A work-group computes a tile of TM rows by TN columns of C, a work-item IM rows by IN columns of it, spread over the
// tile, so that neighbours touch what lies together in memory. With LOCAL, A and B pass through local memory, TK steps
// at a time; without, work-items read them through the caches. Options: TM, TN, TK, IM, IN, LOCAL.
#define GROUP_M (TM / IM)
#define GROUP_N (TN / IN)
#define GROUP (GROUP_M * GROUP_N)

/// An operand: `lines` (rows of A, columns of B) by steps.
typedef struct {
  __global const real* data;
  long line_stride, step_stride, lines;
  real sign;  // of imaginary parts
  int form;
} View;

INLINE View view_of(__global const real* data, const operand_numbers o, const int second, const long lines) {
  const View v = {data + PARTS * (second ? o.at2 : o.at),
                  second ? o.line_stride2 : o.line_stride,
                  second ? o.step_stride2 : o.step_stride,
                  lines,
                  o.conj ? -1 : 1,
                  o.form};
  return v;
}

/// One entry of it. Of a symmetric one a half is stored; a Hermitian one has a real diagonal.
INLINE void fetch(const View v, const long line, const long step, real* re, real* im) {
  const bool lower = v.form == SYMMETRIC_LOWER || v.form == HERMITIAN_LOWER;
  const bool stored = v.form == GENERAL || (lower ? line >= step : line <= step);
  const long l = stored ? line : step, s = stored ? step : line;
  __global const real* const at = v.data + PARTS * (l * v.line_stride + s * v.step_stride);
  *re = at[0];
#if COMPLEX
  *im = v.form < HERMITIAN_LOWER ? v.sign * at[1] : line == step ? 0 : stored ? v.sign * at[1] : -v.sign * at[1];
#else
  *im = 0;
#endif
}

INLINE bool exists(const int mask, const long i, const long j) {
  return (mask & LOWER) ? i >= j : (mask & UPPER) ? i <= j : true;
}

#if LOCAL
/// Columns of a staged tile are one longer than its lines: transposed writes meet different banks.
#define STAGED(W) ((W) + 1)

/// W lines from `line` on, TK steps from `step` on; zeros beyond the operand, whose products are not stored.
INLINE void stage(__local real* to, const int w, const View v, const long line, const long step, const long steps,
                  const int id) {
  const bool lines_first = v.step_stride != 1 && v.step_stride != -1;  // what is contiguous, neighbours read
  for (int e = id; e < w * TK; e += GROUP) {
    const int l = lines_first ? e % w : e / TK, s = lines_first ? e / w : e % TK;
    real re = 0, im = 0;
    if (line + l < v.lines && step + s < steps) fetch(v, line + l, step + s, &re, &im);
    to[s * STAGED(w) + l] = re;
#if COMPLEX
    to[(TK + s) * STAGED(w) + l] = im;
#endif
  }
}
#endif

/// The sums of a work-item: its rows are GROUP_M apart, its columns GROUP_N.
typedef struct {
  real re[IM][IN];
#if COMPLEX
  real im[IM][IN];
#endif
} Sums;

INLINE void add_step(Sums* sums, const real ar[IM], const real ai[IM], const real br[IN], const real bi[IN]) {
  UNROLL for (int i = 0; i < IM; ++i) UNROLL for (int j = 0; j < IN; ++j) {
    sums->re[i][j] = fma(ar[i], br[j], sums->re[i][j]);
#if COMPLEX
    sums->im[i][j] = fma(ar[i], bi[j], sums->im[i][j]);
    sums->re[i][j] = fma(-ai[i], bi[j], sums->re[i][j]);
    sums->im[i][j] = fma(ai[i], br[j], sums->im[i][j]);
#endif
  }
}

/// Tiles are numbered down columns, and wrap after `wrap` rows of them.
__kernel __attribute__((reqd_work_group_size(GROUP_N, GROUP_M, 1))) void tiles(
    __global const real* a, __global const real* a2, __global const real* b, __global const real* b2, __global real* c,
    const tiles_numbers g) {
  const long m = g.c.m, n = g.c.n, k = g.steps, wrap = g.wrap;
  const int mask = g.c.mask;
  const long down = (m + TM - 1) / TM, across = (n + TN - 1) / TN, number = get_group_id(0);
  const long band = number / (wrap * across), rest = number % (wrap * across), high = min(wrap, down - band * wrap);
  const long i0 = (band * wrap + rest % high) * TM, j0 = rest / high * TN;
  // Where nothing of the tile exists, nothing is summed and nothing stored.
  const bool outside = (mask & LOWER) ? i0 + TM - 1 < j0 : (mask & UPPER) ? i0 > j0 + TN - 1 : false;
  const long steps = outside ? 0 : k;
  const int x = get_local_id(0), y = get_local_id(1);
#if LOCAL
  __local real la[PARTS * TK * STAGED(TM)], lb[PARTS * TK * STAGED(TN)];
#endif
  Sums sums;
  UNROLL for (int i = 0; i < IM; ++i) UNROLL for (int j = 0; j < IN; ++j) {
    sums.re[i][j] = 0;
#if COMPLEX
    sums.im[i][j] = 0;
#endif
  }
  for (int view = 0; view < g.views; ++view) {
    const View va = view_of(view ? a2 : a, g.a, view, m), vb = view_of(view ? b2 : b, g.b, view, n);
#if LOCAL
    for (long step = 0; step < steps; step += TK) {
      barrier(CLK_LOCAL_MEM_FENCE);
      stage(la, TM, va, i0, step, k, y * GROUP_N + x);
      stage(lb, TN, vb, j0, step, k, y * GROUP_N + x);
      barrier(CLK_LOCAL_MEM_FENCE);
      // Not those beyond the last one: 0 added to -0 (a product that underflowed) would change its sign.
      const int count = (int)min((long)TK, steps - step);
      for (int s = 0; s < count; ++s) {
        real pr[IM], pi[IM], qr[IN], qi[IN];
        UNROLL for (int i = 0; i < IM; ++i) {
          pr[i] = la[s * STAGED(TM) + y + i * GROUP_M];
          pi[i] = COMPLEX ? la[((PARTS - 1) * TK + s) * STAGED(TM) + y + i * GROUP_M] : 0;
        }
        UNROLL for (int j = 0; j < IN; ++j) {
          qr[j] = lb[s * STAGED(TN) + x + j * GROUP_N];
          qi[j] = COMPLEX ? lb[((PARTS - 1) * TK + s) * STAGED(TN) + x + j * GROUP_N] : 0;
        }
        add_step(&sums, pr, pi, qr, qi);
      }
    }
#else
    // Beyond the edge the last line is read again; what it gives is not stored.
    for (long step = 0; step < steps; ++step) {
      real pr[IM], pi[IM], qr[IN], qi[IN];
      UNROLL for (int i = 0; i < IM; ++i) fetch(va, min(i0 + y + i * GROUP_M, m - 1), step, &pr[i], &pi[i]);
      UNROLL for (int j = 0; j < IN; ++j) fetch(vb, min(j0 + x + j * GROUP_N, n - 1), step, &qr[j], &qi[j]);
      add_step(&sums, pr, pi, qr, qi);
    }
#endif
  }
  UNROLL for (int i = 0; i < IM; ++i) UNROLL for (int j = 0; j < IN; ++j) {
    const long row = i0 + y + i * GROUP_M, col = j0 + x + j * GROUP_N;
    if (row >= m || col >= n || !exists(mask, row, col)) continue;
#if COMPLEX
    const real im = sums.im[i][j];
#else
    const real im = 0;
#endif
    combine_entry(c + PARTS * (g.c.at + row * g.c.rs + col * g.c.cs), sums.re[i][j], im, g.ar, g.ai, g.br, g.bi,
                  (mask & HERMITIAN) && row == col);
  }
}
