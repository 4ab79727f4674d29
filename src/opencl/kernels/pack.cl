// The operands of a product, packed.

/// An operand, which may be a pair of views, one after the other along the steps (what a rank-2k update multiplies).
typedef struct {
  __global const real *view, *view2;
  long ls, ss, ls2, ss2, lines;
  int conj, form;
} operand;

/// Both of them: pieces are (panel, chunk of steps, view), panels of A first, of which each piece takes the tiles that
/// share cache lines.
typedef struct {
  operand a, b;
  long items_a, chunk, steps;  // of each view
  int views;
  __global real *to_a, *to_b;
} operands;

INLINE long panels_of(const operands o) { return o.items_a + (o.b.lines + NR - 1) / NR; }
INLINE long pieces_of(const operands o) { return panels_of(o) * ((o.steps + o.chunk - 1) / o.chunk) * o.views; }

OUTLINE void pack_piece(const operands o, const long piece) {
  const long item = piece % panels_of(o), rest = piece / panels_of(o), begin = rest / o.views * o.chunk;
  const long end = min(begin + o.chunk, o.steps), all = o.steps * o.views;
  const bool second = rest % o.views != 0;
  const long from = second ? o.steps : 0;
  if (item < o.items_a) {
    __global const real* const view = second ? o.a.view2 : o.a.view;
    const long ls = second ? o.a.ls2 : o.a.ls, ss = second ? o.a.ss2 : o.a.ss;
    const long tile = item * TOGETHER, last = min(tile + TOGETHER, (o.a.lines + MR - 1) / MR), apart = all * STEP(MR);
    __global real* const at = o.to_a + (tile * all + from) * STEP(MR);
    if (o.a.form == GENERAL)
      pack_tiles(view + PARTS * tile * MR * ls, ls, ss, o.a.conj ? -1 : 1,
                 min((long)TOGETHER * MR, o.a.lines - tile * MR), begin, end, at, apart, 0);
    else
      for (long i = tile; i < last; ++i)
        pack_panel(MR, view, ls, ss, o.a.conj, o.a.form, o.a.lines, i, begin, end, at + (i - tile) * apart);
  } else {
    const long q = item - o.items_a;
    pack_panel(NR, second ? o.b.view2 : o.b.view, second ? o.b.ls2 : o.b.ls, second ? o.b.ss2 : o.b.ss, o.b.conj,
               o.b.form, o.b.lines, q, begin, end, o.to_b + (q * all + from) * STEP(NR));
  }
}
