// What counts of a call's alpha and beta.
#pragma once

#include "core/rules.hpp"

#include <complex>

namespace trigon::core {

/// A number without an imaginary part: all of the real precisions, and those that keep a matrix Hermitian.
inline bool takes_real(const Call& c, Argument scalar) {
  return rules::real(c) || c.operation == Operation::Herk ||
         (c.operation == Operation::Her2k && scalar == Argument::Beta);
}

/// A scalar as the routine takes it: in its precision, without the part that it has no use for.
inline std::complex<double> as_taken(const Call& c, Argument scalar, std::complex<double> x) {
  if (takes_real(c, scalar)) x = x.real();
  const bool single = c.precision == Precision::Single || c.precision == Precision::ComplexSingle;
  return single ? std::complex<double>(std::complex<float>(x)) : x;
}

/// Whether the call has them so, and the call that has. The typed doors, which ask for them in their type, make no
/// other.
inline bool is_taken(const Call& c) {
  return as_taken(c, Argument::Alpha, c.alpha) == c.alpha && as_taken(c, Argument::Beta, c.beta) == c.beta;
}
inline Call as_taken(Call c) {
  c.alpha = as_taken(c, Argument::Alpha, c.alpha), c.beta = as_taken(c, Argument::Beta, c.beta);
  return c;
}

}  // namespace trigon::core
