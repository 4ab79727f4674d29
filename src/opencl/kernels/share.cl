// Right-hand sides shared out among the work-items of a launch: each takes as many panels as it can keep in its caches,
// packs them where it packed those before, does all that there is to do with them, and takes the next. None waits for
// another.
//
// Whoever computes a right-hand side, and beside which others, its bits are the same.

/// A share: its packed panels, which are `length` apart, and where they come from and go to.
typedef struct {
  __global real* x;
  __global real* b;
  long n, length, rs, cs, cols;
  long direct;  ///< so many row tiles of whole panels are neither packed nor delivered: kernels read and write b
  int panels;
  int full, rest;  ///< panels all vectors of which hold right-hand sides, vectors of one more that do
} share;

/// Of `all` vectors of right-hand sides of length n, the share from `at` on: whole panels as long as there is one for
/// each work-item, at most `most`, and then as many vectors for all. One vector by itself would keep the units that add
/// waiting for what it loads: where that was left, two shares each. What takes so little time that work-items begin one
/// after the other is not cut up.
INLINE int vectors_of_share(const int at, const long all, const int most, const long n) {
  const long items = get_global_size(0), turn = items * NV;
  long whole = n < 384 || items == 1 ? all : all / turn * turn;
  if (NV > 1 && NV % 2 == 1 && whole > 0 && whole < all && all - whole <= items) whole -= turn;
  if (at >= whole) {
    const long each = (all - whole + items - 1) / items;
    return (int)min(each > NV ? (each + 1) / 2 : each, all - at);
  }
  return (int)min((long)share_of((whole - at + NV - 1) / NV, most) * NV, whole - at);
}

/// Takes a share of the right-hand sides in b, each panel with `spare` tiles after it; false when none is left. One
/// half of the work-items takes them from the end: where rows are contiguous, those of neighbours share pairs of cache
/// lines.
INLINE bool take_share(share* s, __global int* counters, __global real* packed, __global real* b,
                       const panels_numbers p, const int spare) {
  const long n = p.t.n, all = (p.cols + VW - 1) / VW;
  int at, vectors;
  do {
    at = atomic_add(counters + TAKEN, 0);
    if (at >= all) return false;
    vectors = vectors_of_share(at, all, p.most, n);
  } while (atomic_cmpxchg(counters + TAKEN, at, at + vectors) != at);
  const int back = get_global_id(0) % 2;
  at = atomic_add(counters + (back ? TAKEN_BACK : TAKEN_FORTH), vectors);
  if (back) at = (int)all - at - vectors;
  s->direct = 0;
  s->n = n, s->rs = p.rs, s->cs = p.cs, s->length = ((n + MR - 1) / MR + spare) * MR * STEP(NR);
  s->cols = min(p.cols - (long)at * VW, (long)vectors * VW);
  s->full = vectors / NV, s->rest = vectors % NV, s->panels = s->full + (s->rest > 0);
  s->b = b + PARTS * (p.at + (long)at * VW * p.cs);
  s->x = packed + p.x_at + get_global_id(0) * p.most * s->length;
  return true;
}

/// Row tile i of panel j.
INLINE __global real* packed_rows(const share s, const int j, const long i) {
  return s.x + j * s.length + i * MR * STEP(NR);
}

/// The first spare tile of a panel.
INLINE long spare_tile(const share s) { return (s.n + MR - 1) / MR; }

/// Row tiles of panel j that kernels read and write where they lie.
INLINE long direct_tiles(const share s, const int j) { return (j + 1) * (long)NR <= s.cols ? s.direct : 0; }

/// Packs the row tiles [first, last) of all panels, or as many of them as there are.
OUTLINE void pack_rows_of(const share s, const long first, const long last) {
  for (int j = 0; j < s.panels; ++j)
    pack_panel(NR, s.b, s.cs, s.rs, 0, GENERAL, s.cols, j, max(first, direct_tiles(s, j)) * MR, min(s.n, last * MR),
               s.x + j * s.length);
}

/// Where row tile i of panel j is in B.
INLINE __global real* place_of(const share s, const int j, const long i) {
  return s.b + PARTS * (i * MR * s.rs + (long)j * NR * s.cs);
}
/// The cache lines of it, where columns or rows are contiguous.
INLINE lines lines_of(const share s, const int j, const long i) {
  const long rows = clamp(s.n - i * MR, 0l, (long)MR), cols = min((long)NR, s.cols - (long)j * NR);
  const bool columns = s.rs == 1 || s.rs == -1, contiguous = columns || s.cs == 1;
  const long runs = columns ? 1 : (PARTS * cols + LINE - 1) / LINE;
  const lines l = {place_of(s, j, i), PARTS * (columns ? s.cs : s.rs), LINE, columns ? cols : rows,
                   contiguous && rows > 0 ? runs : 0};
  return l;
}

/// The row tiles [first, last) of all panels are final, and written back from where they begin in the panels: as soon
/// as they are cache lines of columns.
INLINE void deliver(const share s, const long from, const long first, const long last) {
  for (int j = 0; j < s.panels; ++j) {
    const long begin = max(first, direct_tiles(s, j)), rows = min(s.n, last * MR) - begin * MR;
    if (rows > 0)
      unpack_steps(packed_rows(s, j, from + begin - first), place_of(s, j, begin), s.cs, s.rs,
                   (int)min((long)NR, s.cols - j * NR), (int)rows);
  }
}

/// name_panels(s, w, i): `name` for row tile i of all panels, with the number of vectors that it is to do.
#define ON_PANELS(name, type)                                             \
  OUTLINE void name##_panels(const share s, const type w, const long i) { \
    for (int j = 0; j < s.full; ++j) name(NV, s, j, w, i);                \
    if (NV > 1 && s.rest == 1) name(NV > 1 ? 1 : NV, s, s.full, w, i);    \
    if (NV > 2 && s.rest == 2) name(NV > 2 ? 2 : NV, s, s.full, w, i);    \
    if (NV > 3 && s.rest == 3) name(NV > 3 ? 3 : NV, s, s.full, w, i);    \
  }
