// The part of C that exists, times beta; beta = 0 clears without reading. One work-item per column.
enum { ALL, LOWER, UPPER, HERMITIAN = 4 };

__kernel void scale(const long m, const long n, __global real* c, const long c_at, const long rs, const long cs,
                    const int mask, const real br, const real bi) {
  const long j = get_global_id(0);
  if (j >= n) return;
  const long first = (mask & LOWER) ? j : 0, last = (mask & UPPER) ? j + 1 : m;
  for (long i = first; i < last; ++i) {
    __global real* const x = c + PARTS * (c_at + i * rs + j * cs);
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
