// What a product does with its sums.

/// One entry: alpha sum + beta old, old not read when beta is 0. Scalars without an imaginary part scale both parts
/// alone, as netlib's real ones do: 0 times an infinity would make a NaN.
INLINE void combine_entry(__global real* c, const real sum_r, const real sum_i, const real ar, const real ai,
                          const real br, const real bi, const bool real_only) {
#if COMPLEX
  real re = ar * sum_r, im = ar * sum_i;
  if (ai != 0) re = fma(-ai, sum_i, re), im = fma(ai, sum_r, im);
  if (br != 0 || bi != 0) {
    const real old_r = c[0], old_i = real_only ? 0 : c[1];
    if (bi == 0) {
      re = fma(br, old_r, re), im = fma(br, old_i, im);
    } else {
      re += fma(-bi, old_i, br * old_r), im += fma(bi, old_r, br * old_i);
    }
  }
  c[0] = re, c[1] = real_only ? 0 : im;
#else
  c[0] = br == 0 ? ar * sum_r : fma(ar, sum_r, br == 1 ? c[0] : br * c[0]);
#endif
}
