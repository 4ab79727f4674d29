// Panels from views. `lines` and `steps` say which way a view is read: A's panels take rows as lines, B's columns.

/// One entry, with the sign of its imaginary part.
INLINE void copy_entry(__global const real* from, __global real* to, const int w, const real sign) {
  to[0] = from[0];
#if COMPLEX
  to[w] = sign * from[1];
#endif
}

/// The lanes of a block's row the other way round.
#if BLOCK_WIDTH == 2
#define REVERSED(x) ((x).s10)
#elif BLOCK_WIDTH == 4
#define REVERSED(x) ((x).s3210)
#elif BLOCK_WIDTH == 8
#define REVERSED(x) ((x).s76543210)
#else
#define REVERSED(x) ((x).sfedcba9876543210)
#endif

/// BLOCK lines and steps, transposed in registers; `down` is -1 where steps run backwards.
INLINE void pack_block(const int w, __global const real* from, const long ls, const int down, const real sign,
                       __global real* to) {
  block_row re[BLOCK];
#if COMPLEX
  block_row im[BLOCK];
#endif
  UNROLL for (int i = 0; i < BLOCK; ++i) {
    __global const real* const line = from + PARTS * i * ls;
#if COMPLEX
    const block_row x = LOAD_BLOCK(0, line), y = LOAD_BLOCK(1, line);
    re[i].lo = x.even, re[i].hi = y.even, im[i].lo = x.odd, im[i].hi = y.odd;
#else
    re[i] = LOAD_BLOCK(0, line);
#endif
  }
  transpose_block(re);
#if COMPLEX
  transpose_block(im);
#endif
  UNROLL for (int k = 0; k < BLOCK; ++k) {
    __global real* const at = to + (down > 0 ? k : BLOCK - 1 - k) * STEP(w);
    STORE_BLOCK(re[k], 0, at);
#if COMPLEX
    STORE_BLOCK(im[k] * (block_row)(sign), 0, at + w);
#endif
  }
}

/// Lines [first, w) of which there are `count`, steps [begin, end), one by one. Missing lines become zeros as far as
/// there are others in their vector or tile: the rest of a panel is not read.
INLINE void pack_entries(const int w, __global const real* a, const long ls, const long ss, const real sign,
                         const int count, const int first, const long begin, const long end, __global real* to) {
  for (int i = first; i < count; ++i)
    for (long k = begin; k < end; ++k) copy_entry(a + PARTS * (i * ls + k * ss), to + k * STEP(w) + i, w, sign);
  const int whole = VW > MR ? VW : MR, read = min((count + whole - 1) / whole * whole, w);
  for (int i = max(first, count); i < read; ++i)
    for (long k = begin; k < end; ++k) UNROLL for (int p = 0; p < PARTS; ++p) to[k * STEP(w) + p * w + i] = 0;
}

/// So many steps ahead operands are asked for, and the lines of panels that are written: another processor's cache may
/// have either.
enum { COPIES_AHEAD = 16 };

/// Lines that are contiguous, copied by vectors: blocks of BLOCK lines, the places of which are `apart`, and each time
/// `more` so.
OUTLINE void copy_lines(const int w, __global const real* a, const long ss, const real sign, const int blocks,
                        const long begin, const long end, __global real* to, const long apart, const long more) {
  for (long k = begin; k < end; ++k) {
    __global const real* const from = a + PARTS * k * ss;
    // Panels make short runs, which processors do not foresee.
    if (k + COPIES_AHEAD < end)
      for (int i = 0; i < PARTS * blocks * BLOCK; i += LINE) WILL_READ_LATER(from + PARTS * COPIES_AHEAD * ss + i);
    __global real* at = to + k * STEP(w);
    long next = apart;
    for (int q = 0; q < blocks; ++q, at += next, next += more) {
      WILL_WRITE(at + COPIES_AHEAD * STEP(w));
#if COMPLEX
      const block_row x = LOAD_BLOCK(2 * q, from), y = LOAD_BLOCK(2 * q + 1, from);
      block_row re, im;
      re.lo = x.even, re.hi = y.even, im.lo = x.odd, im.hi = y.odd;
      STORE_BLOCK(re, 0, at), STORE_BLOCK(im * (block_row)(sign), 0, at + w);
#else
      STORE_BLOCK(LOAD_BLOCK(q, from), 0, at);
#endif
    }
  }
}

/// The same of lines that lie the other way round.
OUTLINE void copy_backwards(const int w, __global const real* a, const long ss, const real sign, const int blocks,
                            const long begin, const long end, __global real* to, const long apart, const long more) {
  for (long k = begin; k < end; ++k) {
    __global const real* from = a + PARTS * (k * ss - (BLOCK - 1));
    if (k + COPIES_AHEAD < end)
      for (int i = 0; i < PARTS * blocks * BLOCK; i += LINE) WILL_READ_LATER(from + PARTS * COPIES_AHEAD * ss - i);
    __global real* at = to + k * STEP(w);
    long next = apart;
    for (int q = 0; q < blocks; ++q, from -= PARTS * BLOCK, at += next, next += more) {
      WILL_WRITE(at + COPIES_AHEAD * STEP(w));
#if COMPLEX
      const block_row x = LOAD_BLOCK(0, from), y = LOAD_BLOCK(1, from);
      block_row re, im;
      re.lo = x.even, re.hi = y.even, im.lo = x.odd, im.hi = y.odd;
      STORE_BLOCK(REVERSED(re), 0, at), STORE_BLOCK(REVERSED(im) * (block_row)(sign), 0, at + w);
#else
      STORE_BLOCK(REVERSED(LOAD_BLOCK(0, from)), 0, at);
#endif
    }
  }
}

/// The same of whole vectors, forwards, to the beginning of a panel of NR lines.
OUTLINE void copy_vectors(__global const real* a, const long ss, const real sign, const int vectors, const long begin,
                          const long end, __global real* to) {
  for (long k = begin; k < end; ++k) {
    __global const real* const from = a + PARTS * k * ss;
    if (k + COPIES_AHEAD < end)
      for (int i = 0; i < PARTS * vectors * VW; i += LINE) WILL_READ_LATER(from + PARTS * COPIES_AHEAD * ss + i);
    __global real* const at = to + k * STEP(NR);
    for (int i = 0; i < STEP(NR); i += LINE) WILL_WRITE(at + COPIES_AHEAD * STEP(NR) + i);
    EACH_VECTOR(v, vectors) {
#if COMPLEX
      vec re, im;
      load_complex(&re, &im, from + PARTS * v * VW);
      STORE(re, v, at), STORE(im * (vec)(sign), NV + v, at);
#else
      COPY(from + v * VW, at + v * VW);
#endif
    }
  }
}

/// BLOCK lines, `length` elements of each, forwards or backwards: more of them than processors foresee.
INLINE void will_read_lines(__global const real* a, const long ls, const int length) {
  for (int i = 0; i < BLOCK; ++i)
    for (int l = 0; l < abs(length); l += LINE) WILL_READ_LATER(a + PARTS * i * ls + (length < 0 ? -l : l));
}

/// `count` lines, steps [begin, end), into a panel of w lines; missing lines become zeros.
OUTLINE void pack_steps(const int w, __global const real* a, const long ls, const long ss, const real sign,
                        const int count, const long begin, const long end, __global real* to) {
  const int blocks = count / BLOCK;
  long k = begin;
  if (ls == 1) {
    const int vectors = w == NR ? count / VW : 0, lines = vectors * VW;
    if (vectors > 0) copy_vectors(a, ss, sign, vectors, begin, end, to);
    if (lines < blocks * BLOCK)
      copy_lines(w, a + PARTS * lines, ss, sign, blocks - lines / BLOCK, begin, end, to + lines, BLOCK, 0);
    k = end;
  } else if (ls == -1) {
    // Of an upper triangle stored by columns, which is read backwards.
    copy_backwards(w, a, ss, sign, blocks, begin, end, to, BLOCK, 0);
    k = end;
  } else if (ss == 1 || ss == -1) {
    // Steps are contiguous: transposed block by block, all of a cache line while it is there.
    for (; k + BLOCK <= end;) {
      const long line = k + LINE <= end ? LINE : BLOCK;
      for (int q = 0; q < blocks; ++q) {
        if (k + line < end) will_read_lines(a + PARTS * (q * BLOCK * ls + (k + line) * ss), ls, PARTS * line * (int)ss);
        for (long l = k; l < k + line; l += BLOCK)
          pack_block(w, a + PARTS * (q * BLOCK * ls + (ss > 0 ? l : -(l + BLOCK - 1))), ls, (int)ss, sign,
                     to + l * STEP(w) + q * BLOCK);
      }
      k += line;
    }
  }
  pack_entries(w, a, ls, ss, sign, count, blocks * BLOCK, begin, k, to);
  pack_entries(w, a, ls, ss, sign, count, 0, k, end, to);
}

/// Row tiles that share cache lines where their lines are contiguous, in one go: up to TOGETHER of them, `count` lines.
/// Their places are `apart`, and each time `more` so.
INLINE void pack_tiles(__global const real* a, const long ls, const long ss, const real sign, const long count,
                       const long begin, const long end, __global real* to, const long apart, const long more) {
  if ((ls == 1 || ls == -1) && BLOCK == MR && count == TOGETHER * MR) {
    if (ls == 1)
      copy_lines(MR, a, ss, sign, TOGETHER, begin, end, to, apart, more);
    else
      copy_backwards(MR, a, ss, sign, TOGETHER, begin, end, to, apart, more);
    return;
  }
  long next = apart;
  for (long i = 0; i < count; i += MR, to += next, next += more)
    pack_steps(MR, a + PARTS * i * ls, ls, ss, sign, (int)min((long)MR, count - i), begin, end, to);
}

/// The steps where the stored and the mirrored half of a symmetric matrix meet: element by element.
INLINE void pack_corner(const int w, __global const real* a, const long ls, const long ss, const real sign,
                        const int form, const long line, const int count, const long begin, const long end,
                        __global real* to) {
  const bool lower = form == SYMMETRIC_LOWER || form == HERMITIAN_LOWER, hermitian = form >= HERMITIAN_LOWER;
  for (long k = begin; k < end; ++k)
    for (int i = 0; i < w; ++i) {
      __global real* const at = to + k * STEP(w) + i;
      if (i >= count) {
        at[0] = 0;
#if COMPLEX
        at[w] = 0;
#endif
        continue;
      }
      const long l = line + i;
      const bool stored = lower ? l >= k : l <= k;
      const real s = hermitian && !stored ? -sign : sign;
      copy_entry(a + PARTS * (stored ? l * ls + k * ss : k * ls + l * ss), at, w, s);
#if COMPLEX
      if (hermitian && l == k) at[w] = 0;
#endif
    }
}

/// Panel `panel` of `lines` lines by `steps` steps, its steps [begin, end).
INLINE void pack_panel(const int w, __global const real* a, const long ls, const long ss, const int conj,
                       const int form, const long lines, const long panel, const long begin, const long end,
                       __global real* to) {
  const real sign = conj ? -1 : 1;
  const long line = panel * w;
  const int count = (int)min((long)w, lines - line);
  // Left of the corner, in it, right of it. One side is stored, the other is read from its mirror.
  const bool general = form == GENERAL, lower = form == SYMMETRIC_LOWER || form == HERMITIAN_LOWER;
  const real mirror = form >= HERMITIAN_LOWER ? -sign : sign;
  const long left = general ? end : clamp(line, begin, end), right = general ? end : clamp(line + w, begin, end);
  for (int side = 0; side < 2; ++side) {
    const long first = side ? right : begin, last = side ? end : left;
    const bool stored = general || lower == (side == 0);
    pack_steps(w, a + PARTS * line * (stored ? ls : ss), stored ? ls : ss, stored ? ss : ls, stored ? sign : mirror,
               count, first, last, to);
  }
  if (left < right) pack_corner(w, a, ls, ss, sign, form, line, count, left, right, to);
}
