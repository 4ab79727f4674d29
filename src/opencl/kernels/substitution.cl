// Substitution inside a tile.

/// x := x / d for the first `nv` vectors of a row, complex by Smith's method.
INLINE void divide_row(const int nv, vec x[NV * PARTS], const real p, const real q) {
  EACH_VECTOR(v, nv) {
#if COMPLEX
    const vec re = x[v], im = x[NV + v];
    if (fabs(p) >= fabs(q)) {
      const real ratio = q / p, den = fma(q, ratio, p);
      x[v] = fma(im, (vec)(ratio), re) / (vec)(den), x[NV + v] = fma(-re, (vec)(ratio), im) / (vec)(den);
    } else {
      const real ratio = p / q, den = fma(p, ratio, q);
      x[v] = fma(re, (vec)(ratio), im) / (vec)(den), x[NV + v] = fma(im, (vec)(ratio), -re) / (vec)(den);
    }
#else
    x[v] /= (vec)(p);
#endif
  }
}

/// Substitution inside a tile: the rows of t become the solution.
INLINE void solve_corner(const int nv, TILE(t), __global const real* a, const int unit, const bool divide) {
  UNROLL for (int k = 0; k < MR; ++k) {
    __global const real* const step = a + k * STEP(MR);
    if (!unit) {
      const real dr = step[k], di = COMPLEX ? step[(PARTS - 1) * MR + k] : 0;
      if (divide)
        divide_row(nv, t[k], dr, di);
      else
        scale_row(nv, t[k], dr, di);
    }
    UNROLL for (int i = k + 1; i < MR; ++i)
        add_row(nv, t[i], 1, step[i], COMPLEX ? step[(PARTS - 1) * MR + i] : 0, t[k]);
  }
}
