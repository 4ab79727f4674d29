// When a diagonal may be inverted, and how.
#pragma once

#include "core/view.hpp"

#include <cmath>
#include <limits>

namespace trigon::cpu {

/// Between them a number and its reciprocal are normal. A quarter: the larger part of a complex reciprocal may
/// be half of 1 / size.
template <class R>
inline constexpr R reciprocal_least = std::numeric_limits<R>::min();
template <class R>
inline constexpr R reciprocal_most = R(0.25) / std::numeric_limits<R>::min();

template <class R>
bool normal_with_reciprocal(R x) {
  const R size = std::abs(x);
  return size >= reciprocal_least<R> && size <= reciprocal_most<R>;  // NaN fails both comparisons
}

template <class T>
bool reciprocal_is_safe(T d) {
  if constexpr (is_complex<T>)
    return normal_with_reciprocal(std::max(std::abs(d.real()), std::abs(d.imag())));
  else
    return normal_with_reciprocal(d);
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
      if (std::abs(p) >= std::abs(q)) {
        const R ratio = q / p, den = p + q * ratio;
        return {1 / den, -ratio / den};
      }
      const R ratio = p / q, den = q + p * ratio;
      return {ratio / den, R(-1) / den};
    }
  }
};

/// x / d, complex by Smith's method: no intermediate over- or underflows unless the quotient nearly does.
template <class T>
T quotient(T x, T d) {
  if constexpr (!is_complex<T>) {
    return x / d;
  } else {
    const auto p = d.real(), q = d.imag();
    if (std::abs(p) >= std::abs(q)) {
      const auto ratio = q / p, den = p + q * ratio;
      return {std::fma(x.imag(), ratio, x.real()) / den, std::fma(-x.real(), ratio, x.imag()) / den};
    }
    const auto ratio = p / q, den = q + p * ratio;
    return {std::fma(x.real(), ratio, x.imag()) / den, std::fma(x.imag(), ratio, -x.real()) / den};
  }
}

}  // namespace trigon::cpu
