// The triangle of a solve or a product, packed.

// The least normal number; a device without double knows only one of them.
#define LEAST_float FLT_MIN
#define LEAST_double DBL_MIN
#define REAL_LEAST CAT(LEAST_, REAL)

/// The larger part of a number decides whether it and its reciprocal are normal.
INLINE bool reciprocal_is_safe(const real re, const real im) {
  const real size = fmax(fabs(re), fabs(im));
  return re == re && im == im && size >= REAL_LEAST && size <= 1 / REAL_LEAST / 4;
}

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

/// Work-items (tiles that share cache lines, chunk of steps). The first of them also says that no right-hand side has
/// been taken yet.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void pack_triangle(
    const long n, const long chunk, __global const real* a, const long a_at, const long ls, const long ss,
    const int conj, const int unit, const int invert, __global real* to, const long divide_at, const long taken_at) {
  const long first = get_global_id(0) * TOGETHER, last = min(first + TOGETHER, (n + MR - 1) / MR);
  const long begin = get_global_id(1) * chunk, end = begin + chunk, row = first * MR, count = min(n, last * MR) - row;
  const real sign = conj ? -1 : 1;
  a += PARTS * a_at;
  // What they have all of them, then what each has more, then the corners.
  if (begin < row)
    pack_tiles(a + PARTS * row * ls, ls, ss, sign, count, begin, min(end, row), to + tile_at(first),
               tile_at(first + 1) - tile_at(first), MR * STEP(MR));
  for (long i = first; i < last; ++i) {
    __global const real* const line = a + PARTS * i * MR * ls;
    const int lines = (int)min((long)MR, n - i * MR);
    if (max(begin, row) < min(end, i * MR))
      pack_steps(MR, line, ls, ss, sign, lines, max(begin, row), min(end, i * MR), to + tile_at(i));
    if (begin == 0)
      pack_triangle_corner(line + PARTS * i * MR * ss, ls, ss, sign, lines, unit, invert,
                           to + tile_at(i) + i * MR * STEP(MR), to + divide_at + i);
  }
  if (first == 0 && begin == 0) *(__global int*)(to + taken_at) = 0;
}
