// When a diagonal may be inverted, and division by complex numbers.

// A device without double knows only one of them.
#define LEAST_float FLT_MIN
#define LEAST_double DBL_MIN
#define EPSILON_float FLT_EPSILON
#define EPSILON_double DBL_EPSILON
/// The least normal number, the distance from 1 to the next.
#define REAL_LEAST CAT(LEAST_, REAL)
#define REAL_EPSILON CAT(EPSILON_, REAL)

/// The larger part of a number decides whether it and its reciprocal are normal.
INLINE bool reciprocal_is_safe(const real re, const real im) {
  const real size = fmax(fabs(re), fabs(im));
  return re == re && im == im && size >= REAL_LEAST && size <= 1 / REAL_LEAST / 4;
}

#if COMPLEX
/// What Smith's method divides by, p + i q. Numerators are multiplied by `scale`, as p and q have been: a power of two
/// with which sums neither overflow nor lose a subnormal's bits.
typedef struct {
  bool steep;  ///< |p| < |q|
  real scale, ratio, den;
} Divisor;

INLINE Divisor divisor(real p, real q) {
  Divisor d;
  d.steep = fabs(p) < fabs(q);
  const real size = fabs(d.steep ? q : p);
  d.scale = size >= 4 ? (real)1 / 4 : size < REAL_LEAST / REAL_EPSILON ? 1 / REAL_EPSILON : (real)1;
  p *= d.scale, q *= d.scale;
  d.ratio = d.steep ? p / q : q / p, d.den = d.steep ? fma(p, d.ratio, q) : fma(q, d.ratio, p);
  return d;
}

/// (re + i im) / d.
#define DIVIDE(re, im, d, type)                                                   \
  do {                                                                            \
    const type x_ = (re) * (type)((d).scale), y_ = (im) * (type)((d).scale);      \
    const type t_ = (type)((d).ratio), den_ = (type)((d).den);                    \
    (re) = ((d).steep ? fma(x_, t_, y_) : fma(y_, t_, x_)) / den_;                \
    (im) = ((d).steep ? fma(y_, t_, -x_) : fma(-x_, t_, y_)) / den_;              \
  } while (0)
#endif
