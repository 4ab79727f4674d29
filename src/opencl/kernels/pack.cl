// The operands of a product, packed.

/// Packs one or two operands in one launch: work-items (panel, chunk of steps), those of A's first, of which each takes
/// the tiles that share cache lines. Each operand may be a pair of views, one after the other along the steps (what a
/// rank-2k update multiplies). The first work-item also says that nothing of the product has been taken yet.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void pack(
    const long items_a, const long chunk, const long steps,  // of each view
    __global const real* a, const long a_at, const long a_ls, const long a_ss, const long a_lines, const int a_conj,
    const int a_form, __global const real* a2, const long a2_at, const long a2_ls, const long a2_ss,
    __global const real* b, const long b_at, const long b_ls, const long b_ss, const long b_lines, const int b_conj,
    const int b_form, __global const real* b2, const long b2_at, const long b2_ls, const long b2_ss, const int views,
    __global real* to, const long to_a, const long to_b, const long taken_at) {
  const long item = get_global_id(0), begin = get_global_id(1) * chunk, end = min(begin + chunk, steps);
  const int second = get_global_id(2);
  if (item == 0 && begin == 0 && second == 0) *(__global int*)(to + taken_at) = 0;
  const long all = steps * views, from = second * steps;
  if (item < items_a) {
    __global const real* const view = second ? a2 + PARTS * a2_at : a + PARTS * a_at;
    const long ls = second ? a2_ls : a_ls, ss = second ? a2_ss : a_ss;
    const long tile = item * TOGETHER, last = min(tile + TOGETHER, (a_lines + MR - 1) / MR), apart = all * STEP(MR);
    __global real* const at = to + to_a + (tile * all + from) * STEP(MR);
    if (a_form == GENERAL)
      pack_tiles(view + PARTS * tile * MR * ls, ls, ss, a_conj ? -1 : 1, min((long)TOGETHER * MR, a_lines - tile * MR),
                 begin, end, at, apart, 0);
    else
      for (long i = tile; i < last; ++i)
        pack_panel(MR, view, ls, ss, a_conj, a_form, a_lines, i, begin, end, at + (i - tile) * apart);
  } else {
    const long q = item - items_a;
    __global const real* const view = second ? b2 + PARTS * b2_at : b + PARTS * b_at;
    pack_panel(NR, view, second ? b2_ls : b_ls, second ? b2_ss : b_ss, b_conj, b_form, b_lines, q, begin, end,
               to + to_b + (q * all + from) * STEP(NR));
  }
}
