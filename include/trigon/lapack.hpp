// Factors and inverses that are triangular calls all the way down: LAPACK's potrf, trtri, lauum and potri, in the
// argument order of LAPACK++.
//
// Each is a recursion on halves whose rectangles are TRSM, TRMM and HERK (Elmroth, Gustavson, Jonsson and Kågström,
// "Recursive blocked algorithms and hybrid data structures", 2004; Peise and Bientinesi's ReLAPACK, 2016): almost all
// of the work is in large calls. They run on the host. Nothing but the triangle is read or written, apart from what a
// call returns there is no other state, and there is no workspace.
//
// A is a matrix of order n, column j (RowMajor: row j) beginning at A + j * lda; lda is at least max(1, n). A bad
// argument throws argument_error, and nothing was written.
#pragma once

#include <trigon/export.hpp>
#include <trigon/types.hpp>

#include <complex>

namespace trigon {

/// The Cholesky factor of a symmetric or Hermitian positive definite matrix, in place: A = L L^H (Lower) or U^H U
/// (Upper). The imaginary parts of the diagonal are not read and come out zero.
/// Returns 0, or the order of the first leading minor that is not positive: the factor of what lies before it is done,
/// the rest is not defined. A NaN counts as not positive.
template <class T>
[[nodiscard]] TRIGON_API index potrf(Layout, Uplo, index n, T* A, index lda);

/// The inverse of a triangular matrix, in place.
/// Returns 0, or with NonUnit the place, from 1, of the first diagonal entry that is zero; then nothing was written.
template <class T>
[[nodiscard]] TRIGON_API index trtri(Layout, Uplo, Diag, index n, T* A, index lda);

/// L^H L (Lower) or U U^H (Upper) of a triangular matrix, whose place one triangle of the product takes.
template <class T>
TRIGON_API void lauum(Layout, Uplo, index n, T* A, index lda);

/// The inverse of the matrix of which A is the factor that potrf left: one triangle of it, in place.
/// Returns as trtri does.
template <class T>
[[nodiscard]] TRIGON_API index potri(Layout, Uplo, index n, T* A, index lda);

}  // namespace trigon
