/*
 * Packed and banded matrices of the clBLAS interface, for clBLAS.h alone. They are here so that programs link; all of
 * them return clblasNotImplemented.
 */

#define TRIGON_CLBLAS_TPMV(name)                                                                          \
  clblasStatus name(clblasOrder order, clblasUplo uplo, clblasTranspose trans, clblasDiag diag, size_t N, \
                    const cl_mem AP, size_t offa, cl_mem X, size_t offx, int incx, cl_mem scratchBuff,    \
                    TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_TPMV(clblasStpmv);
TRIGON_CLBLAS_TPMV(clblasDtpmv);
TRIGON_CLBLAS_TPMV(clblasCtpmv);
TRIGON_CLBLAS_TPMV(clblasZtpmv);

#define TRIGON_CLBLAS_TPSV(name)                                                                          \
  clblasStatus name(clblasOrder order, clblasUplo uplo, clblasTranspose trans, clblasDiag diag, size_t N, \
                    const cl_mem A, size_t offa, cl_mem X, size_t offx, int incx, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_TPSV(clblasStpsv);
TRIGON_CLBLAS_TPSV(clblasDtpsv);
TRIGON_CLBLAS_TPSV(clblasCtpsv);
TRIGON_CLBLAS_TPSV(clblasZtpsv);

/* SPMV, HPMV */
#define TRIGON_CLBLAS_SPMV(name, T)                                                                      \
  clblasStatus name(clblasOrder order, clblasUplo uplo, size_t N, T alpha, const cl_mem AP, size_t offa, \
                    const cl_mem X, size_t offx, int incx, T beta, cl_mem Y, size_t offy, int incy,      \
                    TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_SPMV(clblasSspmv, cl_float);
TRIGON_CLBLAS_SPMV(clblasDspmv, cl_double);
TRIGON_CLBLAS_SPMV(clblasChpmv, cl_float2);
TRIGON_CLBLAS_SPMV(clblasZhpmv, cl_double2);

/* SPR, HPR */
#define TRIGON_CLBLAS_SPR(name, R)                                                                                \
  clblasStatus name(clblasOrder order, clblasUplo uplo, size_t N, R alpha, const cl_mem X, size_t offx, int incx, \
                    cl_mem AP, size_t offa, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_SPR(clblasSspr, cl_float);
TRIGON_CLBLAS_SPR(clblasDspr, cl_double);
TRIGON_CLBLAS_SPR(clblasChpr, cl_float);
TRIGON_CLBLAS_SPR(clblasZhpr, cl_double);

/* SPR2, HPR2 */
#define TRIGON_CLBLAS_SPR2(name, T)                                                                               \
  clblasStatus name(clblasOrder order, clblasUplo uplo, size_t N, T alpha, const cl_mem X, size_t offx, int incx, \
                    const cl_mem Y, size_t offy, int incy, cl_mem AP, size_t offa, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_SPR2(clblasSspr2, cl_float);
TRIGON_CLBLAS_SPR2(clblasDspr2, cl_double);
TRIGON_CLBLAS_SPR2(clblasChpr2, cl_float2);
TRIGON_CLBLAS_SPR2(clblasZhpr2, cl_double2);

#define TRIGON_CLBLAS_GBMV(name, T)                                                                                   \
  clblasStatus name(clblasOrder order, clblasTranspose trans, size_t M, size_t N, size_t KL, size_t KU, T alpha,      \
                    const cl_mem A, size_t offa, size_t lda, const cl_mem X, size_t offx, int incx, T beta, cl_mem Y, \
                    size_t offy, int incy, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_GBMV(clblasSgbmv, cl_float);
TRIGON_CLBLAS_GBMV(clblasDgbmv, cl_double);
TRIGON_CLBLAS_GBMV(clblasCgbmv, cl_float2);
TRIGON_CLBLAS_GBMV(clblasZgbmv, cl_double2);

/* SBMV, HBMV */
#define TRIGON_CLBLAS_SBMV(name, T)                                                                               \
  clblasStatus name(clblasOrder order, clblasUplo uplo, size_t N, size_t K, T alpha, const cl_mem A, size_t offa, \
                    size_t lda, const cl_mem X, size_t offx, int incx, T beta, cl_mem Y, size_t offy, int incy,   \
                    TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_SBMV(clblasSsbmv, cl_float);
TRIGON_CLBLAS_SBMV(clblasDsbmv, cl_double);
TRIGON_CLBLAS_SBMV(clblasChbmv, cl_float2);
TRIGON_CLBLAS_SBMV(clblasZhbmv, cl_double2);

#define TRIGON_CLBLAS_TBMV(name)                                                                                    \
  clblasStatus name(clblasOrder order, clblasUplo uplo, clblasTranspose trans, clblasDiag diag, size_t N, size_t K, \
                    const cl_mem A, size_t offa, size_t lda, cl_mem X, size_t offx, int incx, cl_mem scratchBuff,   \
                    TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_TBMV(clblasStbmv);
TRIGON_CLBLAS_TBMV(clblasDtbmv);
TRIGON_CLBLAS_TBMV(clblasCtbmv);
TRIGON_CLBLAS_TBMV(clblasZtbmv);

#define TRIGON_CLBLAS_TBSV(name)                                                                                    \
  clblasStatus name(clblasOrder order, clblasUplo uplo, clblasTranspose trans, clblasDiag diag, size_t N, size_t K, \
                    const cl_mem A, size_t offa, size_t lda, cl_mem X, size_t offx, int incx, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_TBSV(clblasStbsv);
TRIGON_CLBLAS_TBSV(clblasDtbsv);
TRIGON_CLBLAS_TBSV(clblasCtbsv);
TRIGON_CLBLAS_TBSV(clblasZtbsv);
