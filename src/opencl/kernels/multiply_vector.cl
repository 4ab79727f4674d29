// x := alpha T x: bands of rows, of equal area. First x is copied, so that bands may be written in any order.

/// The first row of a band.
INLINE long band(const long n, const long number, const long bands) {
  return number == bands ? n : edge(n, (long)(n * sqrt((float)number / bands)));
}

INLINE void multiply_tip(lanes y[PARTS], const lanes tip[VW][PARTS], const lanes x[PARTS], const int count,
                         const int unit) {
  lanes row;
  UNROLL for (int i = 0; i < VW; ++i) row.lane[i] = i;
  UNROLL for (int k = 0; k < VW; ++k) {
    if (k >= count) break;
    vec sum[PARTS], column[PARTS];
    UNROLL for (int p = 0; p < PARTS; ++p) sum[p] = y[p].v, column[p] = tip[k][p].v;
    add_entries(sum, 0, column, (vec)(x[0].lane[k]), (vec)(x[PARTS - 1].lane[k]));
    // A unit diagonal is not a factor, and what lies before the diagonal is not there.
    const real first = unit ? k + 1 : k;
    UNROLL for (int p = 0; p < PARTS; ++p) {
      y[p].v = row.v >= (vec)(first) ? sum[p] : y[p].v;
      if (unit) y[p].lane[k] += x[p].lane[k];
    }
  }
}

/// `x`: x, then the result, n entries each. Copying x is the one piece that is packed.
INLINE void multiply_band(const int by_rows, const int phases, __global int* counters, const matrix t, const int conj,
                          const int unit, __global real* x, __global real* b, const long b_rs, const real ar,
                          const real ai) {
  const long n = t.n, id = get_global_id(0), bands = get_global_size(0);
  const long r0 = band(n, id, bands), r1 = band(n, id + 1, bands);
  __global real* const y = x + PARTS * n;
  int count = 0;
  if (take_packing(counters, phases, 1, &count) >= 0) {
    fetch(t, 0, n, conj, 1, 0, b, b_rs, x);
    has_packed(counters, 1);
  }
  if (!computes(counters, phases, 1)) return;
  for (long i = r0; i < r1; ++i) UNROLL for (int p = 0; p < PARTS; ++p) y[p * n + place(t, i)] = 0;
  if (!by_rows) update(t, by_rows, 0, r0, r1, 0, r0, x, y);
  for (long r = r0; r < r1; r += block_at(n, r)) {
    const int count = (int)block_at(n, r);
    if (by_rows && r > 0) update(t, by_rows, 0, r, r + count, 0, r, x, y);
    lanes tip[VW][PARTS], from[PARTS], to[PARTS];
    load_tip(tip, t, r, count);
    load_block(from, t, x, r, count), load_block(to, t, y, r, count);
    multiply_tip(to, tip, from, count, unit);
    store_block(to, t, y, r, count);
    if (!by_rows) update(t, by_rows, 0, r + count, r1, r, r + count, x, y);
  }
  deliver(t, r0, r1, conj, ar, ai, y, b, b_rs);
}

#define MULTIPLY_VECTOR(name, by_rows)                                                                                \
  __kernel __attribute__((reqd_work_group_size(1, 1, 1))) void name(                                                  \
      const int phases, __global int* counters, const long n, __global const real* a, const long a_at, const long rs, \
      const long cs, const int conj, const int unit, __global real* work, __global real* b, const long b_at,          \
      const long b_rs, const real ar, const real ai) {                                                                \
    const matrix t = {a + PARTS * a_at, rs, cs, n, (by_rows ? cs : rs) < 0};                                          \
    multiply_band(by_rows, phases, counters, t, conj, unit, work, b + PARTS * b_at, b_rs, ar, ai);                    \
    leave(counters);                                                                                                  \
  }

MULTIPLY_VECTOR(multiply_by_columns, 0)
MULTIPLY_VECTOR(multiply_by_rows, 1)
