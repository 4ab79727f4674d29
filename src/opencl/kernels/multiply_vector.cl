// x := alpha T x: pieces of equal area. First x is copied, so that pieces may be done in any order.
//
// Rows that lie in memory are shared out in bands. Of columns that do, a piece has some from the diagonal down, and a
// result of its own, all of which are added up at the end: short ones would meet in few sets of a cache where the
// leading dimension is a power of two. Where launches cannot wait for each other's results, bands are of rows as well.

/// The first row of a band, or the first column of a piece.
INLINE long first_of(const int columns, const long n, const int piece, const int pieces) {
  if (piece == pieces) return n;
  const float part = (float)piece / pieces;
  return edge(n, (long)(n * (columns ? 1 - sqrt(1 - part) : sqrt(part))));
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

/// The same for a whole block of columns that lie in memory: the vectors as they are there.
INLINE void multiply_whole_tip(const matrix t, const int unit, const long r, __global const real* x, __global real* y) {
  const vec number = numbers_of_block(t);
  __global const real* const first = t.a + PARTS * (r * (t.rs + t.cs) - (t.back ? VW - 1 : 0));
  __global real* const to = y + place_of_block(t, r);
  vec sum[PARTS];
  UNROLL for (int p = 0; p < PARTS; ++p) sum[p] = LOAD(0, to + p * t.n);
  UNROLL for (int k = 0; k < VW; ++k) {
    vec a[PARTS], more[PARTS];
    real xk[PARTS];
    const vec begin = (vec)(unit ? k + 1 : k);
    load_entries(a, first + PARTS * k * t.cs);
    UNROLL for (int p = 0; p < PARTS; ++p) {
      a[p] = number >= begin ? a[p] : (vec)(0), more[p] = sum[p];
      xk[p] = x[p * t.n + place(t, r + k)];
    }
    add_entries(more, 0, a, (vec)(xk[0]), (vec)(xk[PARTS - 1]));
    UNROLL for (int p = 0; p < PARTS; ++p) {
      sum[p] = number >= begin ? more[p] : sum[p];
      if (unit) sum[p] = number == (vec)(k) ? sum[p] + (vec)(xk[p]) : sum[p];
    }
  }
  UNROLL for (int p = 0; p < PARTS; ++p) STORE(sum[p], 0, to + p * t.n);
}

/// y := T x in the rows or columns [from, to).
INLINE void multiply_piece(const int by_rows, const int columns, const matrix t, const int unit, const long from,
                           const long to, __global const real* x, __global real* y) {
  const long end = columns ? t.n : to;
  for (long i = from; i < end; ++i) UNROLL for (int p = 0; p < PARTS; ++p) y[p * t.n + place(t, i)] = 0;
  if (!by_rows && !columns) update(t, by_rows, 0, from, to, 0, from, x, y);
  for (long r = from; r < to; r += block_at(t.n, r)) {
    const int count = (int)block_at(t.n, r);
    if (count < VW) {  // the first one
      lanes tip[VW][PARTS], in[PARTS], out[PARTS];
      load_tip(tip, t, by_rows, r, count);
      load_block(in, t, x, r, count), load_block(out, t, y, r, count);
      multiply_tip(out, tip, in, count, unit);
      store_block(out, t, y, r, count);
    } else if (by_rows) {
      update_by_rows(t, 0, r, r + VW, 0, r, unit ? UNIT_TIP : TIP, x, y);
    } else {
      multiply_whole_tip(t, unit, r, x, y);
    }
    if (!by_rows) update(t, by_rows, 0, r + count, end, r, r + count, x, y);
  }
}

/// Adds the result of a piece of columns to those of others, always in one order, as far as they are there; true if
/// that was all of them, and the result of piece 0 is that of the call.
INLINE bool add_up(__global int* counters, const matrix t, int piece, const int pieces, __global real* y) {
  for (int step = 1; step < pieces; step *= 2) {
    piece = piece / (2 * step) * (2 * step);
    const int high = piece + step;
    if (high >= pieces) continue;
    if (!comes_second(counters, high)) return false;
    __global real* const to = y + (long)piece * PARTS * t.n;
    __global const real* const from = to + (long)step * PARTS * t.n;
    const long rows = t.n - first_of(1, t.n, high, pieces), at = t.back ? 0 : t.n - rows;
    for (long i = at; i < at + rows; ++i) UNROLL for (int p = 0; p < PARTS; ++p) to[p * t.n + i] += from[p * t.n + i];
  }
  return true;
}

/// `x`: x, then the results, n entries each. Copying x is the one piece that is packed.
INLINE void multiply_pieces(const int by_rows, const int phases, __global int* counters, __local int* here,
                            const matrix t, const vector_numbers q, __global real* x, __global real* b,
                            const int pieces) {
  __global real* const y = x + PARTS * t.n;
  const int columns = !by_rows && ONE_LAUNCH;
  int count = 0;
  if (take_packing(counters, phases, 1, &count) >= 0) {
    fetch(t, 0, t.n, q.t.conj, 1, 0, b, q.rs, x);
    has_packed(counters, 1);
  }
  if (!computes(counters, phases, 1)) return;
  for (int piece; (piece = take_at_home(counters, pieces, here)) >= 0;) {
    const long from = first_of(columns, t.n, piece, pieces), to = first_of(columns, t.n, piece + 1, pieces);
    multiply_piece(by_rows, columns, t, q.t.unit, from, to, x, columns ? y + (long)piece * PARTS * t.n : y);
    if (!columns || add_up(counters, t, piece, pieces, y))
      deliver(t, columns ? 0 : from, columns ? t.n : to, q.t.conj, q.ar, q.ai, y, b, q.rs);
  }
}

#define MULTIPLY_VECTOR(name, by_rows)                                                                                \
  __kernel __attribute__((reqd_work_group_size(1, 1, 1))) void name(                                                  \
      const int phases, __global int* counters, __global const real* a, __global real* work, __global real* b,        \
      const vector_numbers q, const int pieces) {                                                                     \
    __local int here;                                                                                                 \
    multiply_pieces(by_rows, phases, counters, &here, matrix_of(by_rows, a, q.t), q, work, b + PARTS * q.at, pieces); \
    leave(counters, (phases & COMPUTES) != 0);                                                                        \
  }

MULTIPLY_VECTOR(multiply_by_columns, 0)
MULTIPLY_VECTOR(multiply_by_rows, 1)
