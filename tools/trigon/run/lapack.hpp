// Which BLAS and LAPACK a program gets, and whether its LAPACK goes through the BLAS symbols.
#pragma once

#include <string>

namespace trigon::cli {

/// The file that a program gets which asks for `soname` without saying where; empty when there is none.
std::string default_library(const std::string& soname);

/// The file behind all symbolic links, or `path` itself.
std::string real_path(const std::string& path);

/// Why a LAPACK does its triangular work past the BLAS symbols ("it is OpenBLAS's own"); empty when it does not.
std::string bypasses_blas(const std::string& lapack_path);

/// True for a LAPACK such as the reference one, whatever BLAS is behind it.
bool calls_blas_by_its_symbols(const std::string& lapack_path);

/// True for a BLAS with 64-bit integers under the plain names, such as Debian's libblas64.so.3 and MKL's ILP64 library.
/// Nothing in it says so but its name.
bool has_wide_integers(const std::string& path);

/// What the library at `path` calls dtrsm_, if that is a name which neither the drop-in nor libtrigon_run.so
/// has; otherwise empty.
std::string unknown_blas_name(const std::string& path);

}  // namespace trigon::cli
