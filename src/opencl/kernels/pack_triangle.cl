// The triangle of a solve or a product, packed.

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

/// How a triangle is packed: pieces are (tiles that share cache lines, chunk of steps).
typedef struct {
  __global const real* a;
  long n, chunk, ls, ss;
  int conj, unit, invert;
  __global real *to, *divide;
} triangle;

INLINE long columns_of(const triangle t) { return ((t.n + MR - 1) / MR + TOGETHER - 1) / TOGETHER; }
INLINE long pieces_of(const triangle t) { return columns_of(t) * ((t.n + t.chunk - 1) / t.chunk); }

OUTLINE void pack_piece(const triangle t, const long piece) {
  const long first = piece % columns_of(t) * TOGETHER, last = min(first + TOGETHER, (t.n + MR - 1) / MR);
  const long begin = piece / columns_of(t) * t.chunk, end = begin + t.chunk, row = first * MR;
  const real sign = t.conj ? -1 : 1;
  // What they have all of them, then what each has more, then the corners.
  if (begin < row)
    pack_tiles(t.a + PARTS * row * t.ls, t.ls, t.ss, sign, min(t.n, last * MR) - row, begin, min(end, row),
               t.to + tile_at(first), tile_at(first + 1) - tile_at(first), MR * STEP(MR));
  for (long i = first; i < last; ++i) {
    __global const real* const line = t.a + PARTS * i * MR * t.ls;
    const int lines = (int)min((long)MR, t.n - i * MR);
    if (max(begin, row) < min(end, i * MR))
      pack_steps(MR, line, t.ls, t.ss, sign, lines, max(begin, row), min(end, i * MR), t.to + tile_at(i));
    if (begin == 0)
      pack_triangle_corner(line + PARTS * i * MR * t.ss, t.ls, t.ss, sign, lines, t.unit, t.invert,
                           t.to + tile_at(i) + i * MR * STEP(MR), t.divide + i);
  }
}

/// Packs as much of it as others leave, if this launch does; whether it then computes.
INLINE bool pack_triangle(const triangle t, __global int* counters, const int phases) {
  int count = 0;
  for (long at; (at = take_packing(counters, phases, pieces_of(t), &count)) >= 0; has_packed(counters, count))
    for (int i = 0; i < count; ++i) pack_piece(t, at + i);
  return computes(counters, phases, pieces_of(t));
}

/// Packs all of row tile i, and of those that share cache lines with it, if it is the first one of them.
INLINE void pack_own(const triangle t, const long i) {
  if (i % TOGETHER) return;
  for (long piece = i / TOGETHER; piece < pieces_of(t); piece += columns_of(t)) pack_piece(t, piece);
}

/// Where a triangle lies whose tiles are being packed; nowhere, if they are not, or are scattered.
INLINE steps lies_of(const triangle t, const bool packs) {
  const bool contiguous = t.ls == 1 || t.ls == -1 || t.ss == 1 || t.ss == -1;
  const steps s = {packs && contiguous ? t.a : 0, t.ls, t.ss};
  return s;
}

/// What panel j of `panels` asks for, in `count` steps, of the tile after tile i: a part of it, packed from `packed`
/// on; of one that is still to be packed, the first panel all of it where it lies, and the second the other ends of its
/// steps, which may be lines of their own.
INLINE lines next_tile(const steps lies, __global const real* packed, const long i, const int j, const long count,
                       const int panels) {
  const int each = (STEP(MR) + panels - 1) / panels;
  const bool by_steps = lies.line == 1 || lies.line == -1;
  lines next = {packed + tile_at(i + 1) + j * count * each, each, 0, count, 1};
  if (!lies.at || j > (by_steps ? 1 : 0)) return next;
  next.at = lies.at + PARTS * (i + 1) * MR * lies.line;
  if (by_steps)
    next.at += j * PARTS * (MR - 1) * lies.line, next.apart = PARTS * lies.step;
  else
    next.apart = PARTS * lies.line, next.beside = lies.step * LINE, next.count = MR, next.runs = count;
  return next;
}

/// What every kernel of a triangle is given before its numbers.
#define TRIANGLE_ARGUMENTS \
  const int phases, __global int *counters, __global const real *a, __global real *packed, __global real *b

INLINE triangle triangle_of(__global const real* a, __global real* packed, const panels_numbers p) {
  packed += get_global_id(0) * p.own;
  const triangle t = {a + PARTS * p.t.at, p.t.n,    p.chunk,  p.t.rs, p.t.cs,
                      p.t.conj,           p.t.unit, p.solves, packed, packed + p.divide_at};
  return t;
}
