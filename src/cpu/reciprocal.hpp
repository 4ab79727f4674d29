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

/// A number with the sign it has here: compilers move signs through quotients, which then may be rounded the other way.
template <class R>
R as_signed(R x) {
#if defined(__x86_64__)
  asm("" : "+x"(x));
#elif defined(__aarch64__)
  asm("" : "+w"(x));
#endif
  return x;
}

/// 1 / x, complex by Smith's method.
struct Reciprocal {
  template <class T>
  T operator()(T x) const {
    if constexpr (!is_complex<T>) {
      return 1 / x;
    } else {
      using R = real_t<T>;
      const R p = x.real(), q = as_signed(x.imag());
      if (std::isgreaterequal(std::abs(p), std::abs(q))) {
        const R ratio = q / p, den = p + q * ratio;
        return {1 / den, as_signed(-ratio) / den};
      }
      const R ratio = p / q, den = q + p * ratio;
      return {ratio / den, R(-1) / den};
    }
  }
};

/// Powers of two for Smith's method, with which its sums neither overflow nor lose a subnormal's bits. A denominator is
/// multiplied by `scale`. Numerators are, by one of their own, where both parts are below `small` or one is beyond
/// `large`: so that a part which has a quotient is not lost beside one that has none. The quotient gets what is left.
template <class R>
struct DivisionScale {
  static constexpr R up = 1 / std::numeric_limits<R>::epsilon(), down = R(0.25);
  static constexpr R small = std::numeric_limits<R>::min() * up;
  R scale, large;

  /// `size`: the larger part of the denominator; `other`: the other one, 0 where no sums are made. Of a NaN nothing is
  /// asked aloud, here and below: other comparisons raise an exception.
  DivisionScale(R size, R other)
      : scale(std::isgreaterequal(size, R(4)) ? down
              : std::isless(size, small)      ? up
                                              : R(1)),
        large(other == 0 ? std::numeric_limits<R>::infinity() : std::numeric_limits<R>::max() * down) {}

  /// Of numerators.
  R of(R re, R im) const {
    if (std::isless(re, small) && std::isless(im, small)) return up;
    return std::isgreater(re, large) || std::isgreater(im, large) ? down : R(1);
  }
};

/// x / d, complex by Smith's method: no intermediate over- or underflows unless the quotient nearly does.
template <class T>
T quotient(T x, T d) {
  if constexpr (!is_complex<T>) {
    return x / d;
  } else {
    using R = real_t<T>;
    const bool real_larger = std::isgreaterequal(std::abs(d.real()), std::abs(d.imag()));
    const R greater = real_larger ? d.real() : d.imag(), lesser = real_larger ? d.imag() : d.real();
    const DivisionScale<R> by(std::abs(greater), lesser);
    const R p = greater * by.scale, q = lesser * by.scale, ratio = q / p, den = p + q * ratio;
    const R scale = by.of(std::abs(x.real()), std::abs(x.imag())), after = by.scale / scale;
    const R re = x.real() * scale, im = x.imag() * scale;
    if (real_larger) return {std::fma(im, ratio, re) / den * after, std::fma(-re, ratio, im) / den * after};
    return {std::fma(re, ratio, im) / den * after, std::fma(im, ratio, -re) / den * after};
  }
}

}  // namespace trigon::cpu
