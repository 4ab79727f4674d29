// Dot products of complex vectors: gfortran returns them in registers; f2c, and MKL in its default interface, through
// an argument before the others. A program knows one way, and the BLAS behind the drop-in may have the other.
#pragma once

#include <string_view>

namespace trigon::doors {

/// Whether a routine is one of those four.
bool has_complex_result(std::string_view name);

/// `routine`, called `name`, as it is to be called where `own` is what the program would call without the drop-in.
void* with_results_as(void* own, void* routine, std::string_view name);

}  // namespace trigon::doors
