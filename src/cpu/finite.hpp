// Scalars that are numbers: with others the kernels for small products, whose vectors have lanes that hold zeros, would
// raise exceptions of their own. The packed ones do not.
#pragma once

#include "core/view.hpp"

#include <cmath>

namespace trigon::cpu {

template <class T>
[[gnu::always_inline]] inline bool is_finite(const T& x) {
  if constexpr (is_complex<T>)
    return std::isfinite(x.real()) && std::isfinite(x.imag());
  else
    return std::isfinite(x);
}

}  // namespace trigon::cpu
