// The operands of a product, packed.

/// Packs one or two operands in one launch: work-items (panel, chunk of steps), those of A's panels first. Each operand
/// may be a pair of views, one after the other along the steps (what a rank-2k update multiplies).
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void pack(
    const long panels_a, const long chunk, const long steps,  // of each view
    __global const real* a, const long a_at, const long a_ls, const long a_ss, const long a_lines, const int a_conj,
    const int a_form, __global const real* a2, const long a2_at, const long a2_ls, const long a2_ss,
    __global const real* b, const long b_at, const long b_ls, const long b_ss, const long b_lines, const int b_conj,
    const int b_form, __global const real* b2, const long b2_at, const long b2_ls, const long b2_ss, const int views,
    __global real* to, const long to_a, const long to_b) {
  const long panel = get_global_id(0), begin = get_global_id(1) * chunk, end = min(begin + chunk, steps);
  const int second = get_global_id(2);
  const long all = steps * views, from = second * steps;
  if (panel < panels_a) {
    __global const real* const view = second ? a2 + PARTS * a2_at : a + PARTS * a_at;
    pack_panel(MR, view, second ? a2_ls : a_ls, second ? a2_ss : a_ss, a_conj, a_form, a_lines, panel, begin, end,
               to + to_a + (panel * all + from) * STEP(MR));
  } else {
    const long q = panel - panels_a;
    __global const real* const view = second ? b2 + PARTS * b2_at : b + PARTS * b_at;
    pack_panel(NR, view, second ? b2_ls : b_ls, second ? b2_ss : b_ss, b_conj, b_form, b_lines, q, begin, end,
               to + to_b + (q * all + from) * STEP(NR));
  }
}
