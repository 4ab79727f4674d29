// When a diagonal may be inverted, and division by complex numbers.

// A device without double knows only one of them.
#define LEAST_float FLT_MIN
#define LEAST_double DBL_MIN
#define EPSILON_float FLT_EPSILON
#define EPSILON_double DBL_EPSILON
#define MOST_float FLT_MAX
#define MOST_double DBL_MAX
/// The least normal number, the distance from 1 to the next, the greatest number.
#define REAL_LEAST CAT(LEAST_, REAL)
#define REAL_EPSILON CAT(EPSILON_, REAL)
#define REAL_MOST CAT(MOST_, REAL)

/// The larger part of a number decides whether it and its reciprocal are normal.
INLINE bool reciprocal_is_safe(const real re, const real im) {
  const real size = fmax(fabs(re), fabs(im));
  return re == re && im == im && size >= REAL_LEAST && size <= 1 / REAL_LEAST / 4;
}

#if COMPLEX
/// What Smith's method divides by, p + i q, which have been multiplied by `scale`: a power of two, with which its sums
/// neither overflow nor lose a subnormal's bits. Numerators are, by one of their own, where both parts are small or one
/// is beyond `large`: so that a part which has a quotient is not lost beside one that has none. The quotient gets what
/// is left.
typedef struct {
  bool steep;  ///< |p| < |q|
  real scale, large, ratio, den;
} Divisor;

#define DIVISION_SMALL (REAL_LEAST / REAL_EPSILON)

INLINE Divisor divisor(real p, real q) {
  Divisor d;
  d.steep = fabs(p) < fabs(q);
  const real size = fabs(d.steep ? q : p), other = d.steep ? p : q;
  d.scale = size >= 4 ? (real)1 / 4 : size < DIVISION_SMALL ? 1 / REAL_EPSILON : (real)1;
  d.large = other == 0 ? (real)INFINITY : REAL_MOST / 4;
  p *= d.scale, q *= d.scale;
  d.ratio = d.steep ? p / q : q / p, d.den = d.steep ? fma(p, d.ratio, q) : fma(q, d.ratio, p);
  return d;
}

/// (re + i im) / d.
#define DIVIDE(re, im, d, type)                                                                               \
  do {                                                                                                        \
    const type most_ = fmax(fabs(re), fabs(im)), small_ = (type)(DIVISION_SMALL), large_ = (type)((d).large); \
    const type lowered_ = most_ > large_ ? (type)((real)1 / 4) : (type)(1);                                   \
    const type s_ = most_ < small_ ? (type)(1 / REAL_EPSILON) : lowered_;                                     \
    const type after_ = (type)((d).scale) / s_;                                                               \
    const type x_ = (re) * s_, y_ = (im) * s_, t_ = (type)((d).ratio), den_ = (type)((d).den);                \
    (re) = ((d).steep ? fma(x_, t_, y_) : fma(y_, t_, x_)) / den_ * after_;                                   \
    (im) = ((d).steep ? fma(y_, t_, -x_) : fma(-x_, t_, y_)) / den_ * after_;                                 \
  } while (0)
#endif
