// Dot products of complex vectors: gfortran returns them in registers; f2c, and MKL in its default interface, through
// an argument before the others. A program knows one way, and the BLAS behind the drop-in may have the other.
#pragma once

#include <cstddef>

namespace trigon::doors {

inline constexpr const char* complex_dots[] = {"cdotc_", "cdotu_", "zdotc_", "zdotu_"};

/// `routine`, one of those, as it is to be called where `own` is what the program would call without the drop-in; as
/// gfortran would where that is null, because the extensions of an interpreter see theirs alone.
void* with_results_as(void* own, void* routine, std::size_t which);

}  // namespace trigon::doors
