// The error handlers of BLAS, as programs know and replace them. Calls to them from this library go through the
// dynamic linker, so that a program's own definitions win.
#pragma once

#include "doors/blas/names.h"

#include <cstddef>
#include <cstdint>

extern "C" {
void TRIGON_FORTRAN(xerbla)(const char* routine, const trigon::doors::Int* position, std::size_t length);
// The position as wide as a register, of which int is a part: MKL's convention has the name there.
void TRIGON_CBLAS(xerbla)(std::int64_t position, const char* routine, const char* form, ...);

// What the reference CBLAS tells xerbla_ about the call in progress, and what programs' own handlers read:
// that it came through C, and that it was row-major.
extern int CBLAS_CallFromC;
extern int RowMajorStrg;
}

namespace trigon::doors {

/// The C handler in force, which a program may define by either spelling of its name.
decltype(&TRIGON_CBLAS(xerbla)) cblas_handler();

}  // namespace trigon::doors
