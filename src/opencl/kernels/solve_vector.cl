// x := alpha T^-1 x by substitution, a triangle per launch: its work-item brings it up to date with the columns solved
// by the launch before and solves it, the others do the rows beyond. No work-item waits for another.

/// x / (p + i q).
INLINE void divide(real x[PARTS], const real p, const real q) {
#if COMPLEX
  const Divisor d = divisor(p, q);
  DIVIDE(x[0], x[1], d, real);
#else
  x[0] /= p;
#endif
}

INLINE void solve_tip(lanes x[PARTS], const lanes tip[VW][PARTS], const int count, const int unit) {
  lanes row;
  UNROLL for (int i = 0; i < VW; ++i) row.lane[i] = i;
  UNROLL for (int k = 0; k < VW; ++k) {
    if (k >= count) break;
    real s[PARTS];
    UNROLL for (int p = 0; p < PARTS; ++p) s[p] = x[p].lane[k];
    if (!unit) {
      divide(s, tip[k][0].lane[k], tip[k][PARTS - 1].lane[k]);
      UNROLL for (int p = 0; p < PARTS; ++p) x[p].lane[k] = s[p];
    }
    vec rest[PARTS], column[PARTS];
    UNROLL for (int p = 0; p < PARTS; ++p) rest[p] = x[p].v, column[p] = tip[k][p].v;
    add_entries(rest, 1, column, (vec)(s[0]), (vec)(s[PARTS - 1]));
    UNROLL for (int p = 0; p < PARTS; ++p) x[p].v = row.v > (vec)(k) ? rest[p] : x[p].v;
  }
}

/// The first work-item solves the rows [c1, c2) and has those up to `own` beside them; each of the others has `rows`.
/// The launch with c1 = 0 fetches x first.
INLINE void solve_step(const int by_rows, const matrix t, const vector_numbers q, const step_numbers s,
                       __global real* x, __global real* b) {
  const long n = t.n, id = get_global_id(0);
  const long r0 = id == 0 ? s.c1 : min(n, s.own + (id - 1) * s.rows),
             r1 = id == 0 ? s.own : min(n, s.own + id * s.rows);
  if (s.c1 == 0)
    fetch(t, r0, r1, q.t.conj, q.ar, q.ai, b, q.rs, x);
  else
    update(t, by_rows, 1, r0, r1, s.c0, s.c1, x, x);
  if (id != 0) return;
  for (long r = s.c1; r < s.c2; r += block_at(n, r)) {
    const int count = (int)block_at(n, r);
    if (by_rows && r > s.c1) update(t, by_rows, 1, r, r + count, s.c1, r, x, x);
    lanes tip[VW][PARTS], block[PARTS];
    load_tip(tip, t, by_rows, r, count);
    load_block(block, t, x, r, count);
    solve_tip(block, tip, count, q.t.unit);
    store_block(block, t, x, r, count);
    if (!by_rows) update(t, by_rows, 1, r + count, s.c2, r, r + count, x, x);
  }
  deliver(t, s.c1, s.c2, q.t.conj, 1, 0, x, b, q.rs);
}

#define SOLVE_VECTOR(name, by_rows)                                                                                  \
  __kernel __attribute__((reqd_work_group_size(1, 1, 1))) void name(                                                 \
      __global const real* a, __global real* work, __global real* b, const vector_numbers q, const step_numbers s) { \
    solve_step(by_rows, matrix_of(by_rows, a, q.t), q, s, work, b + PARTS * q.at);                                   \
  }

SOLVE_VECTOR(solve_by_columns, 0)
SOLVE_VECTOR(solve_by_rows, 1)
