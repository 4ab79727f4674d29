// Substitution inside a tile.

/// x := x / d for the first `nv` vectors of a row.
INLINE void divide_row(const int nv, vec x[NV * PARTS], const real p, const real q) {
#if COMPLEX
  const Divisor d = divisor(p, q);
  EACH_VECTOR(v, nv) DIVIDE(x[v], x[NV + v], d, vec);
#else
  EACH_VECTOR(v, nv) x[v] /= (vec)(p);
#endif
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
