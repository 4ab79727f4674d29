// The operands of a product, packed.

/// An operand, which may be a pair of views, one after the other along the steps (what a rank-2k update multiplies).
typedef struct {
  __global const real *view, *view2;
  long ls, ss, ls2, ss2, lines;
  int conj, form;
} operand;

INLINE operand operand_of(__global const real* view, __global const real* view2, const operand_numbers o,
                          const long lines) {
  const operand all = {view + PARTS * o.at,
                       view2 + PARTS * o.at2,
                       o.line_stride,
                       o.step_stride,
                       o.line_stride2,
                       o.step_stride2,
                       lines,
                       o.conj,
                       o.form};
  return all;
}

/// Both of them: pieces are (panel, chunk of steps, view), panels of A first, of which each piece takes the tiles that
/// share cache lines. Where there are no items of A, its rows are packed by those who use them. The first `lying` tiles
/// or panels are not packed.
typedef struct {
  operand a, b;
  long items_a, lying_a, lying_b, chunk, steps;  // of each view
  int views;
  __global real *to_a, *to_b;
} operands;

INLINE long panels_of(const operands o) { return o.items_a + (o.b.lines + NR - 1) / NR - o.lying_b; }
INLINE long pieces_of(const operands o) { return panels_of(o) * ((o.steps + o.chunk - 1) / o.chunk) * o.views; }

/// Row tiles [tile, last) of A, steps [begin, end) of one of its views. Step 0 of the first one is or would be at `to`,
/// tiles are `apart`.
OUTLINE void pack_rows(const operand a, const bool second, const long tile, const long last, const long begin,
                       const long end, __global real* to, const long apart) {
  __global const real* const view = second ? a.view2 : a.view;
  const long ls = second ? a.ls2 : a.ls, ss = second ? a.ss2 : a.ss;
  for (long i = tile; i < last; i += TOGETHER, to += TOGETHER * apart) {
    if (a.form == GENERAL) {
      pack_tiles(view + PARTS * i * MR * ls, ls, ss, a.conj ? -1 : 1,
                 min(min(i + TOGETHER, last) * MR, a.lines) - i * MR, begin, end, to, apart, 0);
      continue;
    }
    for (long t = i; t < min(i + TOGETHER, last); ++t)
      pack_panel(MR, view, ls, ss, a.conj, a.form, a.lines, t, begin, end, to + (t - i) * apart);
  }
}

OUTLINE void pack_piece(const operands o, const long piece) {
  const long item = piece % panels_of(o), rest = piece / panels_of(o), begin = rest / o.views * o.chunk;
  const long end = min(begin + o.chunk, o.steps), all = o.steps * o.views;
  const bool second = rest % o.views != 0;
  const long from = second ? o.steps : 0;
  if (item < o.items_a) {
    const long tile = item * TOGETHER;
    pack_rows(o.a, second, tile, min(tile + TOGETHER, (o.a.lines + MR - 1) / MR), begin, end,
              o.to_a + (tile * all + from) * STEP(MR), all * STEP(MR));
  } else {
    const long q = item - o.items_a + o.lying_b;
    pack_panel(NR, second ? o.b.view2 : o.b.view, second ? o.b.ls2 : o.b.ls, second ? o.b.ss2 : o.b.ss, o.b.conj,
               o.b.form, o.b.lines, q, begin, end, o.to_b + (q * all + from) * STEP(NR));
  }
}

/// Row tiles [tile, last) of A by steps [begin, end) of both views, those that lie left out: from step `begin` of tile
/// 0 on, if it were there, to `to`.
INLINE void pack_rows_at(const operands o, const long tile, const long last, const long begin, const long end,
                         __global real* to) {
  const long from = max(tile, o.lying_a), apart = o.steps * o.views * STEP(MR);
  for (int v = 0; v < o.views; ++v) {
    const long before = v * o.steps, first = max(begin - before, 0l), beyond = min(end - before, o.steps);
    if (first < beyond)
      pack_rows(o.a, v, from, last, first, beyond, to + from * apart + (before - begin) * STEP(MR), apart);
  }
}
