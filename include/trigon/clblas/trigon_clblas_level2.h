/*
 * Level 2 of the clBLAS interface, for clBLAS.h alone; packed and banded matrices are in trigon_clblas_packed.h.
 * A vector begins at element offx of its buffer; with a negative increment that is its last entry, as in BLAS.
 */

/* y := alpha op(A) x + beta y;  A is M by N. */
#define TRIGON_CLBLAS_GEMV(name, T)                                                                                \
  clblasStatus name(clblasOrder order, clblasTranspose transA, size_t M, size_t N, T alpha, const cl_mem A,        \
                    size_t offA, size_t lda, const cl_mem x, size_t offx, int incx, T beta, cl_mem y, size_t offy, \
                    int incy, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_GEMV(clblasSgemv, cl_float);
TRIGON_CLBLAS_GEMV(clblasDgemv, cl_double);
TRIGON_CLBLAS_GEMV(clblasCgemv, FloatComplex);
TRIGON_CLBLAS_GEMV(clblasZgemv, DoubleComplex);

/* y := alpha A x + beta y;  A symmetric (SYMV) or Hermitian (HEMV), of order N. */
#define TRIGON_CLBLAS_SYMV(name, T)                                                                                 \
  clblasStatus name(clblasOrder order, clblasUplo uplo, size_t N, T alpha, const cl_mem A, size_t offA, size_t lda, \
                    const cl_mem x, size_t offx, int incx, T beta, cl_mem y, size_t offy, int incy,                 \
                    TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_SYMV(clblasSsymv, cl_float);
TRIGON_CLBLAS_SYMV(clblasDsymv, cl_double);
TRIGON_CLBLAS_SYMV(clblasChemv, FloatComplex);
TRIGON_CLBLAS_SYMV(clblasZhemv, DoubleComplex);

/* x := op(A) x;  A triangular, of order N. scratchBuff is clBLAS's; it is not used here and may be null. */
#define TRIGON_CLBLAS_TRMV(name)                                                                                  \
  clblasStatus name(clblasOrder order, clblasUplo uplo, clblasTranspose trans, clblasDiag diag, size_t N,         \
                    const cl_mem A, size_t offa, size_t lda, cl_mem X, size_t offx, int incx, cl_mem scratchBuff, \
                    TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_TRMV(clblasStrmv);
TRIGON_CLBLAS_TRMV(clblasDtrmv);
TRIGON_CLBLAS_TRMV(clblasCtrmv);
TRIGON_CLBLAS_TRMV(clblasZtrmv);

/* op(A) x = b, x overwrites b;  A triangular, of order N. */
#define TRIGON_CLBLAS_TRSV(name)                                                                          \
  clblasStatus name(clblasOrder order, clblasUplo uplo, clblasTranspose trans, clblasDiag diag, size_t N, \
                    const cl_mem A, size_t offa, size_t lda, cl_mem X, size_t offx, int incx, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_TRSV(clblasStrsv);
TRIGON_CLBLAS_TRSV(clblasDtrsv);
TRIGON_CLBLAS_TRSV(clblasCtrsv);
TRIGON_CLBLAS_TRSV(clblasZtrsv);

/* A := alpha x y^T + A (GER, GERU) or alpha x y^H + A (GERC);  A is M by N. */
#define TRIGON_CLBLAS_GER(name, T)                                                                         \
  clblasStatus name(clblasOrder order, size_t M, size_t N, T alpha, const cl_mem X, size_t offx, int incx, \
                    const cl_mem Y, size_t offy, int incy, cl_mem A, size_t offa, size_t lda, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_GER(clblasSger, cl_float);
TRIGON_CLBLAS_GER(clblasDger, cl_double);
TRIGON_CLBLAS_GER(clblasCgeru, cl_float2);
TRIGON_CLBLAS_GER(clblasZgeru, cl_double2);
TRIGON_CLBLAS_GER(clblasCgerc, cl_float2);
TRIGON_CLBLAS_GER(clblasZgerc, cl_double2);

/* A := alpha x x^T + A (SYR) or alpha x x^H + A (HER, alpha real);  one triangle of A, of order N. */
#define TRIGON_CLBLAS_SYR(name, T)                                                                                \
  clblasStatus name(clblasOrder order, clblasUplo uplo, size_t N, T alpha, const cl_mem X, size_t offx, int incx, \
                    cl_mem A, size_t offa, size_t lda, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_SYR(clblasSsyr, cl_float);
TRIGON_CLBLAS_SYR(clblasDsyr, cl_double);
TRIGON_CLBLAS_SYR(clblasCher, cl_float);
TRIGON_CLBLAS_SYR(clblasZher, cl_double);

/* A := alpha x y^T + alpha y x^T + A (SYR2) or alpha x y^H + conj(alpha) y x^H + A (HER2). */
#define TRIGON_CLBLAS_SYR2(name, T)                                                                               \
  clblasStatus name(clblasOrder order, clblasUplo uplo, size_t N, T alpha, const cl_mem X, size_t offx, int incx, \
                    const cl_mem Y, size_t offy, int incy, cl_mem A, size_t offa, size_t lda, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_SYR2(clblasSsyr2, cl_float);
TRIGON_CLBLAS_SYR2(clblasDsyr2, cl_double);
TRIGON_CLBLAS_SYR2(clblasCher2, cl_float2);
TRIGON_CLBLAS_SYR2(clblasZher2, cl_double2);
