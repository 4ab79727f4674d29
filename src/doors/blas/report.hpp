// How the drop-in tells a program about a bad argument: through xerbla_ and cblas_xerbla, which the program may
// have replaced (by one that throws, too), with the names and positions that the reference BLAS would have given them.
#pragma once

#include "core/at_once.hpp"
#include "doors/routines.hpp"

#include <trigon/call.hpp>

#include <exception>

namespace trigon::doors {

/// A bad argument of a Fortran routine.
void report_fortran(const Call&, Argument bad);

/// A bad argument of a CBLAS routine; `value` is what a bad flag was.
void report_cblas(const Call&, Argument bad, long long value);

[[noreturn, gnu::cold]] void stop(const std::exception& failure) noexcept;

/// Carries out a call that has been checked. BLAS has no way to return a failure, and to go on would be to
/// compute with an operand that was not written: the program is stopped with the reason.
template <Operation operation, class T>
[[gnu::always_inline]] inline void run(const Call& call) noexcept {
  try {
    if (!core::directly(call, operation, precision_of<T>)) core::execute_as_planned(call);
  } catch (const std::exception& failure) {
    stop(failure);
  }
}

}  // namespace trigon::doors
