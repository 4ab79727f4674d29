// When a diagonal may be inverted, and how.
#pragma once

#include "core/view.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace trigon::cpu {

/// Between them a number and its reciprocal are normal. A quarter: the larger part of a complex reciprocal may
/// be half of 1 / size.
template <class R>
inline constexpr R reciprocal_least = std::numeric_limits<R>::min();
template <class R>
inline constexpr R reciprocal_most = R(0.25) / std::numeric_limits<R>::min();

/// |x| as a whole number in the same order, NaN last: compared without a branch.
template <class R>
constexpr auto size_in_order(R x) {
  using Bits = std::conditional_t<sizeof(R) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(x) << 1;
}

template <class T>
bool reciprocal_is_safe(T d) {
  using R = real_t<T>;
  constexpr auto least = size_in_order(reciprocal_least<R>), most = size_in_order(reciprocal_most<R>);
  if constexpr (is_complex<T>)
    return std::max(size_in_order(d.real()), size_in_order(d.imag())) - least <= most - least;
  else
    return size_in_order(d) - least <= most - least;
}

template <class T>
bool reciprocals_are_safe(core::Matrix<T*> a) {
  for (index i = 0; i < a.rows; ++i)
    if (!reciprocal_is_safe(a.data[i * (a.row_stride + a.col_stride)])) return false;
  return true;
}

struct Itself {
  template <class T>
  T operator()(T x) const {
    return x;
  }
};

/// 1 / x, complex by Smith's method.
struct Reciprocal {
  template <class T>
  T operator()(T x) const {
    if constexpr (!is_complex<T>) {
      return 1 / x;
    } else {
      using R = real_t<T>;
      const R p = x.real(), q = x.imag();
      if (std::isgreaterequal(std::abs(p), std::abs(q))) {
        const R ratio = q / p, den = p + q * ratio;
        return {1 / den, -ratio / den};
      }
      const R ratio = p / q, den = q + p * ratio;
      return {ratio / den, R(-1) / den};
    }
  }
};

/// A power of two by which Smith's method scales numerator and denominator, so that its intermediate sums neither
/// overflow nor lose a subnormal's bits. `size` is the larger part of the denominator. What the scale pushes out of the
/// range of normal numbers has a quotient that is out of it as well. Of a NaN nothing is asked aloud, here and below:
/// other comparisons raise an exception.
template <class R>
constexpr R division_scale(R size) {
  constexpr R epsilon = std::numeric_limits<R>::epsilon(), least = std::numeric_limits<R>::min();
  return __builtin_isgreaterequal(size, R(4)) ? R(0.25) : __builtin_isless(size, least / epsilon) ? 1 / epsilon : R(1);
}

/// x / d, complex by Smith's method: no intermediate over- or underflows unless the quotient nearly does.
template <class T>
T quotient(T x, T d) {
  if constexpr (!is_complex<T>) {
    return x / d;
  } else {
    using R = real_t<T>;
    const bool real_larger = std::isgreaterequal(std::abs(d.real()), std::abs(d.imag()));
    const R scale = division_scale(std::abs(real_larger ? d.real() : d.imag()));
    const R p = d.real() * scale, q = d.imag() * scale, re = x.real() * scale, im = x.imag() * scale;
    if (real_larger) {
      const R ratio = q / p, den = p + q * ratio;
      return {std::fma(im, ratio, re) / den, std::fma(-re, ratio, im) / den};
    }
    const R ratio = p / q, den = q + p * ratio;
    return {std::fma(re, ratio, im) / den, std::fma(im, ratio, -re) / den};
  }
}

}  // namespace trigon::cpu
