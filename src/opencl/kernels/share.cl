// Right-hand sides shared out among the work-items of a launch: each takes as many as it can keep in its caches, packs
// them where it packed those before, does all that there is to do with them, and takes the next. None waits for
// another.
//
// A share is counted in vectors. Whoever computes a right-hand side, and beside which others, its bits are the same.

/// A share: its packed panels, which are `length` apart, and where they come from and go to.
typedef struct {
  __global real* x;
  __global real* b;
  long n, length, rs, cs, cols;
  int vectors;
} share;

/// Of `left` vectors, the next share: at most `most` panels, half of an equal part each, and single ones at the end, so
/// that all work-items end together.
INLINE int share_of(const long left, const int most) {
  const long items = get_global_size(0);
  if (items == 1) return (int)min(left, (long)most * NV);
  return (int)clamp(left / (2 * items) / NV, 1l, (long)most) * NV;
}

/// Takes a share and packs it; false when none is left. `taken` counts vectors.
INLINE bool take_share(share* s, __global int* taken, __global real* x, const int most, const long n, const long cols,
                       __global real* b, const long rs, const long cs) {
  const long all = (cols + VW - 1) / VW;
  int at;
  do {
    at = atomic_add(taken, 0);
    if (at >= all) return false;
    s->vectors = share_of(all - at, most);
  } while (atomic_cmpxchg(taken, at, at + s->vectors) != at);
  s->n = n, s->rs = rs, s->cs = cs, s->length = (n + MR - 1) / MR * MR * STEP(NR);
  s->cols = min(cols - (long)at * VW, (long)s->vectors * VW);
  s->b = b + PARTS * (long)at * VW * cs;
  s->x = x + get_global_id(0) * most * s->length;
  for (int j = 0; j * NV < s->vectors; ++j)
    pack_panel(NR, s->b, cs, rs, 0, GENERAL, s->cols, j, 0, n, s->x + j * s->length);
  return true;
}

/// Row tile i of a share, from its vector v on.
INLINE __global real* packed_rows(const share s, const long i, const int v) {
  return s.x + v / NV * s.length + i * MR * STEP(NR) + v % NV * VW;
}
/// The same in memory, to be written.
INLINE __global real* rows_in_memory(const int nv, const share s, const long i, const int v, int* rows, int* width) {
  *rows = (int)min((long)MR, s.n - i * MR), *width = (int)min((long)nv * VW, s.cols - v * VW);
  __global real* const out = s.b + PARTS * (i * MR * s.rs + v * VW * s.cs);
  return out;
}

/// f(nv, v, s, work, i) for the panels of a share.
#define EACH_PANEL(f, s, work, i) \
  for (int v = 0; v < (s).vectors; v += NV) f(NV, v, s, work, i);
