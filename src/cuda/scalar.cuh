// Arithmetic of one element on the device, where std::complex has no operators. Where a multiply-add is fused is
// written down; device code is compiled without contraction.
#pragma once

#include "cuda/portable.hpp"

#include <cfloat>
#include <cmath>
#include <complex>

namespace trigon::cuda {

/// std::complex<R> as the device sees it.
template <class R>
struct Complex {
  R re, im;
};

template <class T>
struct device_scalar {
  using type = T;
};
template <class R>
struct device_scalar<std::complex<R>> {
  using type = Complex<R>;
};
/// The element type of kernels for T of the host.
template <class T>
using device_t = typename device_scalar<T>::type;

template <class T>
struct real_part {
  using type = T;
};
template <class R>
struct real_part<Complex<R>> {
  using type = R;
};
template <class T>
using device_real_t = typename real_part<T>::type;
template <class T>
inline constexpr bool device_complex = !std::is_same_v<T, device_real_t<T>>;

template <class T>
TRIGON_DEVICE T number(device_real_t<T> x) {
  if constexpr (device_complex<T>)
    return {x, 0};
  else
    return x;
}

template <class T>
TRIGON_DEVICE bool is(T x, device_real_t<T> value) {
  if constexpr (device_complex<T>)
    return x.re == value && x.im == 0;
  else
    return x == value;
}

template <class T>
TRIGON_DEVICE T conjugate_if(bool conj, T x) {
  if constexpr (device_complex<T>)
    if (conj) x.im = -x.im;
  return x;
}

/// x without its imaginary part.
template <class T>
TRIGON_DEVICE T made_real(T x) {
  if constexpr (device_complex<T>) x.im = 0;
  return x;
}

template <class T>
TRIGON_DEVICE T sum(T x, T y) {
  if constexpr (device_complex<T>)
    return {x.re + y.re, x.im + y.im};
  else
    return x + y;
}

template <class T>
TRIGON_DEVICE T difference(T x, T y) {
  if constexpr (device_complex<T>)
    return {x.re - y.re, x.im - y.im};
  else
    return x - y;
}

template <class T>
TRIGON_DEVICE T product(T x, T y) {
  using std::fma;
  if constexpr (device_complex<T>)
    return {fma(-x.im, y.im, x.re * y.re), fma(x.im, y.re, x.re * y.im)};
  else
    return x * y;
}

/// acc + x y.
template <class T>
TRIGON_DEVICE T add_product(T acc, T x, T y) {
  using std::fma;
  if constexpr (device_complex<T>)
    return {fma(-x.im, y.im, fma(x.re, y.re, acc.re)), fma(x.im, y.re, fma(x.re, y.im, acc.im))};
  else
    return fma(x, y, acc);
}

/// acc - x y.
template <class T>
TRIGON_DEVICE T subtract_product(T acc, T x, T y) {
  using std::fma;
  if constexpr (device_complex<T>)
    return {fma(x.im, y.im, fma(-x.re, y.re, acc.re)), fma(-x.im, y.re, fma(-x.re, y.im, acc.im))};
  else
    return fma(-x, y, acc);
}

template <class T>
TRIGON_DEVICE T scaled(T factor, T x) {
  return is(factor, 1) ? x : product(factor, x);
}

/// Between them a number and its reciprocal are normal. A quarter: the larger part of a complex reciprocal may be half
/// of 1 / size.
template <class R>
TRIGON_DEVICE bool normal_with_reciprocal(R x) {
  using std::fabs;
  constexpr R least = sizeof(R) == 4 ? R(FLT_MIN) : R(DBL_MIN);
  return fabs(x) >= least && fabs(x) <= R(0.25) / least;  // NaN fails both comparisons
}

template <class T>
TRIGON_DEVICE bool reciprocal_is_safe(T d) {
  using std::fabs;
  if constexpr (device_complex<T>)
    return normal_with_reciprocal(fabs(d.re) >= fabs(d.im) ? d.re : d.im);
  else
    return normal_with_reciprocal(d);
}

/// Powers of two for Smith's method, with which its sums neither overflow nor lose a subnormal's bits. A denominator is
/// multiplied by `scale`. Numerators are, by one of their own, where both parts are small or one is beyond `large`: so
/// that a part which has a quotient is not lost beside one that has none. The quotient gets what is left.
template <class R>
struct DivisionScale {
  R scale, large;

  static TRIGON_DEVICE R up() { return 1 / (sizeof(R) == 4 ? R(FLT_EPSILON) : R(DBL_EPSILON)); }
  static TRIGON_DEVICE R small() { return (sizeof(R) == 4 ? R(FLT_MIN) : R(DBL_MIN)) * up(); }

  /// `size`: the larger part of the denominator; `other`: the other one, 0 where no sums are made.
  TRIGON_DEVICE DivisionScale(R size, R other)
      : scale(size >= 4        ? R(0.25)
              : size < small() ? up()
                               : R(1)),
        large(other == 0 ? R(INFINITY) : (sizeof(R) == 4 ? R(FLT_MAX) : R(DBL_MAX)) / 4) {}

  /// Of numerators.
  TRIGON_DEVICE R of(R re, R im) const {
    if (re < small() && im < small()) return up();
    return re > large || im > large ? R(0.25) : R(1);
  }
};

/// x / d, complex by Smith's method: no intermediate over- or underflows unless the quotient nearly does.
template <class T>
TRIGON_DEVICE T quotient(T x, T d) {
  using std::fabs;
  using std::fma;
  if constexpr (device_complex<T>) {
    using R = device_real_t<T>;
    const bool real_larger = fabs(d.re) >= fabs(d.im);
    const R greater = real_larger ? d.re : d.im, lesser = real_larger ? d.im : d.re;
    const DivisionScale<R> by(fabs(greater), lesser);
    const R p = greater * by.scale, q = lesser * by.scale, ratio = q / p, den = fma(q, ratio, p);
    const R scale = by.of(fabs(x.re), fabs(x.im)), after = by.scale / scale;
    x = {x.re * scale, x.im * scale};
    if (real_larger) return {fma(x.im, ratio, x.re) / den * after, fma(-x.re, ratio, x.im) / den * after};
    return {fma(x.re, ratio, x.im) / den * after, fma(x.im, ratio, -x.re) / den * after};
  } else {
    return x / d;
  }
}

#if defined(TRIGON_ON_DEVICE)
template <class R>
TRIGON_DEVICE Complex<R> shuffle(Complex<R> x, int lane) {
  return {shuffle(x.re, lane), shuffle(x.im, lane)};
}
#endif

}  // namespace trigon::cuda
