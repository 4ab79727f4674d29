// Pieces of work shared out among the work-items of a launch while it runs: some are slower than others, and all are to
// end together. First operands are packed, then the result is computed from them: two phases.
//
// One launch does both where it may (ONE_LAUNCH): a work-item that finds nothing left to pack waits for those that are
// still packing. They have been started, so they end, however many of the launch's work-items have not been. Elsewhere
// a launch does one phase.

enum { PACKS = 1, COMPUTES = 2 };

/// The counters of a launch, a cache line each, all of them 0 before and after it: pieces taken of either phase, pieces
/// that have been packed, work-items that have ended.
enum { PACKING = 0, PACKED = 16, TAKEN = 32, ENDED = 48 };

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

/// The same of what is to be packed.
INLINE int take_packing(__global int* counters, const int phases, const long all, int* count) {
  return (phases & PACKS) ? take(counters + PACKING, all, 16, count) : -1;
}

/// `count` pieces have been packed.
INLINE void has_packed(__global int* counters, const int count) {
#if ONE_LAUNCH
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
  atomic_add(counters + PACKED, count);
#endif
}

/// Whether this launch computes; then all of the `all` pieces have been packed.
INLINE bool computes(__global int* counters, const int phases, const long all) {
#if ONE_LAUNCH
  if (phases == (PACKS | COMPUTES)) {
    while (atomic_add(counters + PACKED, 0) < all) continue;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
  }
#endif
  return (phases & COMPUTES) != 0;
}

/// A work-item ends; the last one leaves the counters as they were.
INLINE void leave(__global int* counters) {
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  if (atomic_inc(counters + ENDED) + 1 < (int)get_global_size(0)) return;
  atomic_xchg(counters + PACKING, 0), atomic_xchg(counters + PACKED, 0), atomic_xchg(counters + TAKEN, 0);
  atomic_xchg(counters + ENDED, 0);
}
