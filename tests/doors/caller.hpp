// Calls any routine of any door by its name, from a trigon::Call: so the tests go over all routines and arguments
// without a prototype, and without the table from which the doors themselves are made.
#pragma once

#include <trigon/call.hpp>

#include <complex>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace trigon::test {

enum class Door { Fortran, Cblas, C };

#ifdef TRIGON_BLAS_ILP64
inline constexpr bool wide = true;
using Int = std::int64_t;
#else
inline constexpr bool wide = false;
using Int = std::int32_t;
#endif

/// "dtrsm_", "cblas_dtrsm_64", "trigon_dtrsm": the symbol of the call's routine in a door.
std::string symbol(Door, const Call&);

/// Calls the routine with the arguments as they stand in `call`; a scalar named `null` that goes by address is
/// passed as a null pointer. Returns what the routine returned (0 for the doors that return nothing).
int invoke(Door, const Call& call, Argument null = Argument::None);

/// Whether a door passes alpha or beta of this routine by address.
bool by_address(Door, const Call&, Argument scalar);

/// Every routine of Trigon, as a small valid call with non-square operands on the caller's memory.
struct Operands {
  std::vector<double> a = std::vector<double>(256, 2.0), b = a, c = a;

  bool same_bits(const Operands&) const;
};
std::vector<Call> every_routine(Layout, Operands&);

/// The call with one argument wrong. Scalars are left alone: see `invoke`.
Call spoiled(Call, Argument);

}  // namespace trigon::test
