// Panels of right-hand sides back into memory: what pack_steps does, the other way round.

/// BLOCK lines and steps, transposed in registers; `down` is -1 where steps run backwards.
INLINE void unpack_block(__global const real* from, __global real* to, const long ls, const int down) {
  block_row re[BLOCK];
#if COMPLEX
  block_row im[BLOCK];
#endif
  UNROLL for (int k = 0; k < BLOCK; ++k) {
    __global const real* const step = from + (down > 0 ? k : BLOCK - 1 - k) * STEP(NR);
    re[k] = LOAD_BLOCK(0, step);
#if COMPLEX
    im[k] = LOAD_BLOCK(0, step + NR);
#endif
  }
  transpose_block(re);
#if COMPLEX
  transpose_block(im);
#endif
  UNROLL for (int i = 0; i < BLOCK; ++i) {
    __global real* const line = to + PARTS * i * ls;
#if COMPLEX
    block_row low, high;
    low.even = re[i].lo, low.odd = im[i].lo, high.even = re[i].hi, high.odd = im[i].hi;
    STORE_BLOCK(low, 0, line), STORE_BLOCK(high, 1, line);
#else
    STORE_BLOCK(re[i], 0, line);
#endif
  }
}

/// Lines [first, count) of the steps [begin, end), one by one.
INLINE void unpack_entries(__global const real* from, __global real* b, const long ls, const long ss, const int first,
                           const int count, const int begin, const int end) {
  for (int i = first; i < count; ++i)
    for (int k = begin; k < end; ++k)
      UNROLL for (int p = 0; p < PARTS; ++p) b[PARTS * (i * ls + k * ss) + p] = from[k * STEP(NR) + p * NR + i];
}

/// The first `count` lines of `steps` steps.
OUTLINE void unpack_steps(__global const real* from, __global real* b, const long ls, const long ss, const int count,
                          const int steps) {
  int k = 0, done = 0;
  if (ls == 1) {
    done = count / VW * VW;
    for (; k < steps; ++k)
      for (int i = 0; i < done; i += VW) {
        __global real* const to = b + PARTS * (i + k * ss);
        __global const real* const at = from + k * STEP(NR) + i;
#if COMPLEX
        store_complex(LOAD(0, at), LOAD(0, at + NR), to);
#else
        STORE(LOAD(0, at), 0, to);
#endif
      }
  } else if (ss == 1 || ss == -1) {
    done = count / BLOCK * BLOCK;
    k = steps / BLOCK * BLOCK;
    // All of a cache line of a line before the next.
    for (int i = 0; i < done; i += BLOCK)
      for (int l = 0; l < k; l += BLOCK)
        unpack_block(from + l * STEP(NR) + i, b + PARTS * (i * ls + (ss > 0 ? l : -(l + BLOCK - 1))), ls, (int)ss);
  }
  unpack_entries(from, b, ls, ss, done, count, 0, k);
  unpack_entries(from, b, ls, ss, 0, count, k, steps);
}
