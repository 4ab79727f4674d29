// Pieces of work shared out among the work-items of a launch while it runs: some are slower than others, and all are to
// end together.

/// Of `left` pieces, the next share: at most `most`, half of an equal part each, and single ones at the end.
INLINE int share_of(const long left, const int most) {
  const long items = get_global_size(0);
  return (int)(items == 1 ? min(left, (long)most) : clamp(left / (2 * items), 1l, (long)most));
}

/// Takes the next share of `all` pieces: the first of `count`, or -1 where none is left. `taken` counts them.
INLINE int take(__global int* taken, const long all, const int most, int* count) {
  int at;
  do {
    at = atomic_add(taken, 0);
    if (at >= all) return -1;
    *count = share_of(all - at, most);
  } while (atomic_cmpxchg(taken, at, at + *count) != at);
  return at;
}
