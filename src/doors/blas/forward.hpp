// The BLAS behind the drop-in: found by file path, opened at the first call that needs it.
#pragma once

namespace trigon::doors {

/// The address of a routine of the forward library, named as in the 32-bit convention ("ddot_", "cblas_ddot"), or
/// null when neither it nor a library behind Trigon in the program has one.
void* forward_symbol(const char* name) noexcept;

}  // namespace trigon::doors
