// The part of C that exists, times beta; beta = 0 clears without reading. One work-item per column.
__kernel void scale(__global real* c, const scale_numbers s) {
  const long j = get_global_id(0);
  if (j >= s.c.n) return;
  const int mask = s.c.mask;
  const real br = s.br, bi = s.bi;
  const long first = (mask & LOWER) ? j : 0, last = (mask & UPPER) ? j + 1 : s.c.m;
  for (long i = first; i < last; ++i) {
    __global real* const x = c + PARTS * (s.c.at + i * s.c.rs + j * s.c.cs);
    if (br == 0 && bi == 0) {
      x[0] = 0;
#if COMPLEX
      x[1] = 0;
#endif
      continue;
    }
#if COMPLEX
    const real re = x[0], im = x[1];
    // A real beta scales both parts alone: 0 times an infinity would make a NaN.
    const bool real_only = (mask & HERMITIAN) && i == j;
    x[0] = bi == 0 || real_only ? br * re : fma(-bi, im, br * re);
    x[1] = real_only ? 0 : bi == 0 ? br * im : fma(bi, re, br * im);
#else
    x[0] *= br;
#endif
  }
}
