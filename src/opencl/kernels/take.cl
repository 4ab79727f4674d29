// Pieces of work shared out among the work-items of a launch while it runs: some are slower than others, and all are to
// end together. First operands are packed, then the result is computed from them: two phases.
//
// One launch does both where it may (ONE_LAUNCH): a work-item that finds nothing left to pack waits for those that are
// still packing. They have been started, so they end, however many of the launch's work-items have not been. Elsewhere
// a launch does one phase.

enum { PACKS = 1, COMPUTES = 2 };

/// The counters of a launch, a cache line each, all of them 0 before and after it: pieces taken of either phase, pieces
/// that have been packed, work-items that have ended, and whether one of two results that are added up has been
/// computed. (Beside pieces taken, how many of them from the first one on, and how many from the last one back.) What
/// is kept: where pieces were done last, and whether the next launch takes them from the last one on.
enum { PACKING = 0, PACKED = 16, TAKEN = 32, ENDED = 48, ADDED = 64, HOMES = 192, MOST_HOMES = 128, BACK = 320 };
enum { TAKEN_FORTH = TAKEN + 8, TAKEN_BACK = TAKEN + 9 };

#if ONE_LAUNCH
#define FENCE(order) atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, order, memory_scope_device)
#else
#define FENCE(order) mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

/// Of `left` pieces, the next share: at most `most`, half of an equal part each, and single ones at the end.
INLINE int share_of(const long left, const int most) {
  const long items = get_global_size(0);
  return (int)(items == 1 ? min(left, (long)most) : clamp(left / (2 * items), 1l, (long)most));
}

/// The same of rows of `each` pieces that are best done by one work-item: a row, as long as there are as many of them
/// as work-items, and then pieces of one.
INLINE int share_of_row(const long left, const long each, const int most) {
  const int rest = (int)((left - 1) % each) + 1;
  return left > ((long)get_global_size(0) - 1) * each ? rest : min(share_of(left, most), rest);
}

/// Takes the next share of `all` pieces, which are rows of `each` unless that is 0: the first of `count`, or -1 where
/// none is left. `taken` counts them.
INLINE int take_of_rows(__global int* taken, const long all, const long each, const int most, int* count) {
  int at;
  do {
    at = atomic_add(taken, 0);
    if (at >= all) return -1;
    *count = each ? share_of_row(all - at, each, most) : share_of(all - at, most);
  } while (atomic_cmpxchg(taken, at, at + *count) != at);
  return at;
}
INLINE int take(__global int* taken, const long all, const int most, int* count) {
  return take_of_rows(taken, all, 0, most, count);
}

/// Takes one of at most MOST_HOMES pieces, -1 where none is left: if it can, one that was last done `here`. Drivers of
/// processors give each of their threads local memory of its own, so such a piece is likely still in this one's caches.
/// Where there is one local memory for all, that says nothing and does no harm. Every other launch that takes them does
/// so in reverse: of more than the caches hold, those that are still there come first.
INLINE int take_at_home(__global int* counters, const int pieces, __local int* here) {
  const int me = (int)(ulong)here, back = atomic_add(counters + BACK, 0);
  for (int anywhere = 0; anywhere < 2; ++anywhere)
    for (int i = 0; i < pieces; ++i) {
      // Others have not come to their last ones yet.
      const int piece = back != anywhere ? pieces - 1 - i : i, bit = (int)(1u << piece % 32);
      __global int* const home = counters + HOMES + piece;
      if (!anywhere && atomic_add(home, 0) != me) continue;
      if (atomic_or(counters + TAKEN + piece / 32, bit) & bit) continue;
      atomic_xchg(home, me);
      return piece;
    }
  return -1;
}

/// Takes a share of what is to be packed.
INLINE int take_packing(__global int* counters, const int phases, const long all, int* count) {
  return (phases & PACKS) ? take(counters + PACKING, all, 16, count) : -1;
}

/// `count` pieces have been packed.
INLINE void has_packed(__global int* counters, const int count) {
#if ONE_LAUNCH
  FENCE(memory_order_release);
  atomic_add(counters + PACKED, count);
#endif
}

/// Whether this launch computes; then all of the `all` pieces have been packed.
INLINE bool computes(__global int* counters, const int phases, const long all) {
#if ONE_LAUNCH
  if (phases == (PACKS | COMPUTES)) {
    while (atomic_add(counters + PACKED, 0) < all) continue;
    FENCE(memory_order_acquire);
  }
#endif
  return (phases & COMPUTES) != 0;
}

/// A result has been computed that is to be added to another's, `high` the later piece: whether the other has been as
/// well. Who comes second adds them up, so no one waits.
INLINE bool comes_second(__global int* counters, const int high) {
  FENCE(memory_order_release);
  if (atomic_xor(counters + ADDED + high, 1) == 0) return false;
  FENCE(memory_order_acquire);
  return true;
}

/// A work-item ends; the last one leaves the counters as they were. If this launch takes pieces at home, the next one
/// that does takes them the other way round.
INLINE void leave(__global int* counters, const int at_home) {
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  if (atomic_inc(counters + ENDED) + 1 < (int)get_global_size(0)) return;
  atomic_xchg(counters + PACKING, 0), atomic_xchg(counters + PACKED, 0);
  for (int i = 0; i < MOST_HOMES / 32; ++i) atomic_xchg(counters + TAKEN + i, 0);
  atomic_xchg(counters + TAKEN_FORTH, 0), atomic_xchg(counters + TAKEN_BACK, 0);
  atomic_xchg(counters + ENDED, 0);
  if (at_home) atomic_xor(counters + BACK, 1);
}
