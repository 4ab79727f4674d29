// Factors, inverses and solutions that are triangular calls all the way down: what LAPACK has under these names, in the
// argument order of LAPACK++.
//
// Each is a recursion on halves whose rectangles are TRSM, TRMM, HERK and GEMM (Elmroth, Gustavson, Jonsson and
// Kågström, "Recursive blocked algorithms and hybrid data structures", 2004; Peise and Bientinesi's ReLAPACK, 2016):
// almost all of the work is in large calls. Operands are host memory; small triangles are done on the host, rectangles
// by the backend in force, like any call. None but getri has a workspace. Of a triangle nothing else is read or
// written.
//
// A is n × n (getrf: m × n), column j (RowMajor: row j) beginning at A + j * lda; B is n × nrhs. Leading dimensions are
// at least 1 and the length of a column (RowMajor: of a row). A bad argument throws argument_error, and nothing was
// written; a backend_error on the way leaves a matrix half done.
#pragma once

#include <trigon/error.hpp>
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

/// Solves A X = B with the factor of A that potrf left; X overwrites B.
template <class T>
TRIGON_API void potrs(Layout, Uplo, index n, index nrhs, const T* A, index lda, T* B, index ldb);

/// Solves A X = B, A symmetric or Hermitian positive definite: potrf, and if every minor was positive, potrs. Returns
/// as potrf does; then B was not written.
template <class T>
[[nodiscard]] TRIGON_API index posv(Layout, Uplo, index n, index nrhs, T* A, index lda, T* B, index ldb);

/// A = P L U with partial pivoting, in place: L is unit lower, U upper triangular. Row i was exchanged with row
/// ipiv[i] - 1, one after the other, for i from 0 to min(m, n). Int is std::int32_t or std::int64_t.
/// Returns 0, or the place, from 1, of the first diagonal entry of U that is zero: the factors are done, but to solve
/// with them would divide by it.
template <class T, class Int>
[[nodiscard]] TRIGON_API index getrf(Layout, index m, index n, T* A, index lda, Int* ipiv);

/// Solves op(A) X = B with the factors and exchanges that getrf left; X overwrites B.
template <class T, class Int>
TRIGON_API void getrs(Layout, Op, index n, index nrhs, const T* A, index lda, const Int* ipiv, T* B, index ldb);

/// Solves A X = B: getrf, and if no pivot was zero, getrs. Returns as getrf does; then B was not written.
template <class T, class Int>
[[nodiscard]] TRIGON_API index gesv(Layout, index n, index nrhs, T* A, index lda, Int* ipiv, T* B, index ldb);

/// The inverse of the matrix of which A is the factors that getrf left, in place. There is a workspace of up to 64
/// columns: without memory for one out_of_memory is thrown. Returns 0, or the place, from 1, of the first diagonal
/// entry of U that is zero. In both cases nothing was written.
template <class T, class Int>
[[nodiscard]] TRIGON_API index getri(Layout, index n, T* A, index lda, const Int* ipiv);

/// Solves op(A) X = B, A triangular; X overwrites B. Returns as trtri does.
template <class T>
[[nodiscard]] TRIGON_API index trtrs(Layout, Uplo, Op, Diag, index n, index nrhs, const T* A, index lda, T* B,
                                     index ldb);

}  // namespace trigon
