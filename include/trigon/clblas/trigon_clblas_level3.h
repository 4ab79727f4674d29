/*
 * Level 3 of the clBLAS interface, for clBLAS.h alone. The macros are the signatures, once for all precisions.
 * Matrices are ORDER by rows or columns; A, B and C begin at elements offA, offB and offC of their buffers.
 */

/* C := alpha op(A) op(B) + beta C;  op(A) is M by K, op(B) K by N, C M by N. */
#define TRIGON_CLBLAS_GEMM(name, T)                                                                                    \
  clblasStatus name(clblasOrder order, clblasTranspose transA, clblasTranspose transB, size_t M, size_t N, size_t K,   \
                    T alpha, const cl_mem A, size_t offA, size_t lda, const cl_mem B, size_t offB, size_t ldb, T beta, \
                    cl_mem C, size_t offC, size_t ldc, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_GEMM(clblasSgemm, cl_float);
TRIGON_CLBLAS_GEMM(clblasDgemm, cl_double);
TRIGON_CLBLAS_GEMM(clblasCgemm, FloatComplex);
TRIGON_CLBLAS_GEMM(clblasZgemm, DoubleComplex);

/* TRMM: B := alpha op(A) B, or alpha B op(A);  TRSM: op(A) X = alpha B, or X op(A) = alpha B, X overwrites B.
 * A is triangular, B M by N. */
#define TRIGON_CLBLAS_TRIANGULAR(name, T)                                                                         \
  clblasStatus name(clblasOrder order, clblasSide side, clblasUplo uplo, clblasTranspose transA, clblasDiag diag, \
                    size_t M, size_t N, T alpha, const cl_mem A, size_t offA, size_t lda, cl_mem B, size_t offB,  \
                    size_t ldb, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_TRIANGULAR(clblasStrmm, cl_float);
TRIGON_CLBLAS_TRIANGULAR(clblasDtrmm, cl_double);
TRIGON_CLBLAS_TRIANGULAR(clblasCtrmm, FloatComplex);
TRIGON_CLBLAS_TRIANGULAR(clblasZtrmm, DoubleComplex);
TRIGON_CLBLAS_TRIANGULAR(clblasStrsm, cl_float);
TRIGON_CLBLAS_TRIANGULAR(clblasDtrsm, cl_double);
TRIGON_CLBLAS_TRIANGULAR(clblasCtrsm, FloatComplex);
TRIGON_CLBLAS_TRIANGULAR(clblasZtrsm, DoubleComplex);

/* C := alpha A B + beta C, or alpha B A + beta C;  A symmetric (SYMM) or Hermitian (HEMM), C M by N. */
#define TRIGON_CLBLAS_SYMM(name, T)                                                                                   \
  clblasStatus name(clblasOrder order, clblasSide side, clblasUplo uplo, size_t M, size_t N, T alpha, const cl_mem A, \
                    size_t offA, size_t lda, const cl_mem B, size_t offB, size_t ldb, T beta, cl_mem C, size_t offC,  \
                    size_t ldc, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_SYMM(clblasSsymm, cl_float);
TRIGON_CLBLAS_SYMM(clblasDsymm, cl_double);
TRIGON_CLBLAS_SYMM(clblasCsymm, cl_float2);
TRIGON_CLBLAS_SYMM(clblasZsymm, cl_double2);
TRIGON_CLBLAS_SYMM(clblasChemm, cl_float2);
TRIGON_CLBLAS_SYMM(clblasZhemm, cl_double2);

/* SYRK: C := alpha op(A) op(A)^T + beta C;  HERK: C := alpha op(A) op(A)^H + beta C, with real scalars. One triangle of
 * C, of order N; op(A) is N by K. The op is NoTrans or Trans (real also ConjTrans), of HERK NoTrans or ConjTrans. */
#define TRIGON_CLBLAS_SYRK(name, T)                                                                          \
  clblasStatus name(clblasOrder order, clblasUplo uplo, clblasTranspose transA, size_t N, size_t K, T alpha, \
                    const cl_mem A, size_t offA, size_t lda, T beta, cl_mem C, size_t offC, size_t ldc,      \
                    TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_SYRK(clblasSsyrk, cl_float);
TRIGON_CLBLAS_SYRK(clblasDsyrk, cl_double);
TRIGON_CLBLAS_SYRK(clblasCsyrk, FloatComplex);
TRIGON_CLBLAS_SYRK(clblasZsyrk, DoubleComplex);
TRIGON_CLBLAS_SYRK(clblasCherk, cl_float);
TRIGON_CLBLAS_SYRK(clblasZherk, cl_double);

/* SYR2K: C := alpha op(A) op(B)^T + alpha op(B) op(A)^T + beta C;
 * HER2K: C := alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C, beta real. Otherwise as SYRK and HERK. */
#define TRIGON_CLBLAS_SYR2K(name, T, BETA)                                                                       \
  clblasStatus name(clblasOrder order, clblasUplo uplo, clblasTranspose transAB, size_t N, size_t K, T alpha,    \
                    const cl_mem A, size_t offA, size_t lda, const cl_mem B, size_t offB, size_t ldb, BETA beta, \
                    cl_mem C, size_t offC, size_t ldc, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_SYR2K(clblasSsyr2k, cl_float, cl_float);
TRIGON_CLBLAS_SYR2K(clblasDsyr2k, cl_double, cl_double);
TRIGON_CLBLAS_SYR2K(clblasCsyr2k, FloatComplex, FloatComplex);
TRIGON_CLBLAS_SYR2K(clblasZsyr2k, DoubleComplex, DoubleComplex);
TRIGON_CLBLAS_SYR2K(clblasCher2k, FloatComplex, cl_float);
TRIGON_CLBLAS_SYR2K(clblasZher2k, DoubleComplex, cl_double);
