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

/// An installed LAPACK that calls BLAS by its symbols (Debian's package liblapack3); empty when there is none.
std::string reference_lapack();

/// `dtrsm_` as the library at `path` calls it, where it is bundled under another name ("scipy_dtrsm_64_");
/// empty when it has the plain name or none.
std::string renamed_blas(const std::string& path);

}  // namespace trigon::cli
