/*
 * The clBLAS interface under its older names, clAmdBlas*: the same enumerations and routines. GEMM, TRMM, TRSM, SYRK,
 * SYR2K, GEMV and SYMV have no offsets of matrices here; their forms with them end in Ex.
 */
#ifndef CLAMDBLAS_H_
#define CLAMDBLAS_H_

#include <clAmdBlas.version.h>
#include <clBLAS.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum clblasOrder_ clAmdBlasOrder;
#define clAmdBlasRowMajor clblasRowMajor
#define clAmdBlasColumnMajor clblasColumnMajor

typedef enum clblasTranspose_ clAmdBlasTranspose;
#define clAmdBlasNoTrans clblasNoTrans
#define clAmdBlasTrans clblasTrans
#define clAmdBlasConjTrans clblasConjTrans

typedef enum clblasUplo_ clAmdBlasUplo;
#define clAmdBlasUpper clblasUpper
#define clAmdBlasLower clblasLower

typedef enum clblasDiag_ clAmdBlasDiag;
#define clAmdBlasUnit clblasUnit
#define clAmdBlasNonUnit clblasNonUnit

typedef enum clblasSide_ clAmdBlasSide;
#define clAmdBlasLeft clblasLeft
#define clAmdBlasRight clblasRight

typedef enum clblasStatus_ clAmdBlasStatus;
#define clAmdBlasSuccess clblasSuccess
#define clAmdBlasInvalidValue clblasInvalidValue
#define clAmdBlasInvalidCommandQueue clblasInvalidCommandQueue
#define clAmdBlasInvalidContext clblasInvalidContext
#define clAmdBlasInvalidMemObject clblasInvalidMemObject
#define clAmdBlasInvalidDevice clblasInvalidDevice
#define clAmdBlasInvalidEventWaitList clblasInvalidEventWaitList
#define clAmdBlasOutOfResources clblasOutOfResources
#define clAmdBlasOutOfHostMemory clblasOutOfHostMemory
#define clAmdBlasInvalidOperation clblasInvalidOperation
#define clAmdBlasCompilerNotAvailable clblasCompilerNotAvailable
#define clAmdBlasBuildProgramFailure clblasBuildProgramFailure
#define clAmdBlasNotImplemented clblasNotImplemented
#define clAmdBlasNotInitialized clblasNotInitialized
#define clAmdBlasInvalidMatA clblasInvalidMatA
#define clAmdBlasInvalidMatB clblasInvalidMatB
#define clAmdBlasInvalidMatC clblasInvalidMatC
#define clAmdBlasInvalidVecX clblasInvalidVecX
#define clAmdBlasInvalidVecY clblasInvalidVecY
#define clAmdBlasInvalidDim clblasInvalidDim
#define clAmdBlasInvalidLeadDimA clblasInvalidLeadDimA
#define clAmdBlasInvalidLeadDimB clblasInvalidLeadDimB
#define clAmdBlasInvalidLeadDimC clblasInvalidLeadDimC
#define clAmdBlasInvalidIncX clblasInvalidIncX
#define clAmdBlasInvalidIncY clblasInvalidIncY
#define clAmdBlasInsufficientMemMatA clblasInsufficientMemMatA
#define clAmdBlasInsufficientMemMatB clblasInsufficientMemMatB
#define clAmdBlasInsufficientMemMatC clblasInsufficientMemMatC
#define clAmdBlasInsufficientMemVecX clblasInsufficientMemVecX
#define clAmdBlasInsufficientMemVecY clblasInsufficientMemVecY

clAmdBlasStatus clAmdBlasGetVersion(cl_uint* major, cl_uint* minor, cl_uint* patch);
clAmdBlasStatus clAmdBlasSetup(void);
void clAmdBlasTeardown(void);
cl_ulong clAmdBlasAddScratchImage(cl_context context, size_t width, size_t height, clAmdBlasStatus* status);
clAmdBlasStatus clAmdBlasRemoveScratchImage(cl_ulong imageID);

/* Without offsets of matrices, and with. */
#define TRIGON_CLAMDBLAS_GEMM(name, T)                                                                              \
  clAmdBlasStatus name(clblasOrder order, clblasTranspose transA, clblasTranspose transB, size_t M, size_t N,       \
                       size_t K, T alpha, const cl_mem A, size_t lda, const cl_mem B, size_t ldb, T beta, cl_mem C, \
                       size_t ldc, TRIGON_CLBLAS_QUEUES)
TRIGON_CLAMDBLAS_GEMM(clAmdBlasSgemm, cl_float);
TRIGON_CLBLAS_GEMM(clAmdBlasSgemmEx, cl_float);
TRIGON_CLAMDBLAS_GEMM(clAmdBlasDgemm, cl_double);
TRIGON_CLBLAS_GEMM(clAmdBlasDgemmEx, cl_double);
TRIGON_CLAMDBLAS_GEMM(clAmdBlasCgemm, FloatComplex);
TRIGON_CLBLAS_GEMM(clAmdBlasCgemmEx, FloatComplex);
TRIGON_CLAMDBLAS_GEMM(clAmdBlasZgemm, DoubleComplex);
TRIGON_CLBLAS_GEMM(clAmdBlasZgemmEx, DoubleComplex);

#define TRIGON_CLAMDBLAS_TRIANGULAR(name, T)                                                                         \
  clAmdBlasStatus name(clblasOrder order, clblasSide side, clblasUplo uplo, clblasTranspose transA, clblasDiag diag, \
                       size_t M, size_t N, T alpha, const cl_mem A, size_t lda, cl_mem B, size_t ldb,                \
                       TRIGON_CLBLAS_QUEUES)
TRIGON_CLAMDBLAS_TRIANGULAR(clAmdBlasStrmm, cl_float);
TRIGON_CLBLAS_TRIANGULAR(clAmdBlasStrmmEx, cl_float);
TRIGON_CLAMDBLAS_TRIANGULAR(clAmdBlasDtrmm, cl_double);
TRIGON_CLBLAS_TRIANGULAR(clAmdBlasDtrmmEx, cl_double);
TRIGON_CLAMDBLAS_TRIANGULAR(clAmdBlasCtrmm, FloatComplex);
TRIGON_CLBLAS_TRIANGULAR(clAmdBlasCtrmmEx, FloatComplex);
TRIGON_CLAMDBLAS_TRIANGULAR(clAmdBlasZtrmm, DoubleComplex);
TRIGON_CLBLAS_TRIANGULAR(clAmdBlasZtrmmEx, DoubleComplex);
TRIGON_CLAMDBLAS_TRIANGULAR(clAmdBlasStrsm, cl_float);
TRIGON_CLBLAS_TRIANGULAR(clAmdBlasStrsmEx, cl_float);
TRIGON_CLAMDBLAS_TRIANGULAR(clAmdBlasDtrsm, cl_double);
TRIGON_CLBLAS_TRIANGULAR(clAmdBlasDtrsmEx, cl_double);
TRIGON_CLAMDBLAS_TRIANGULAR(clAmdBlasCtrsm, FloatComplex);
TRIGON_CLBLAS_TRIANGULAR(clAmdBlasCtrsmEx, FloatComplex);
TRIGON_CLAMDBLAS_TRIANGULAR(clAmdBlasZtrsm, DoubleComplex);
TRIGON_CLBLAS_TRIANGULAR(clAmdBlasZtrsmEx, DoubleComplex);

#define TRIGON_CLAMDBLAS_SYRK(name, T)                                                                          \
  clAmdBlasStatus name(clblasOrder order, clblasUplo uplo, clblasTranspose transA, size_t N, size_t K, T alpha, \
                       const cl_mem A, size_t lda, T beta, cl_mem C, size_t ldc, TRIGON_CLBLAS_QUEUES)
TRIGON_CLAMDBLAS_SYRK(clAmdBlasSsyrk, cl_float);
TRIGON_CLBLAS_SYRK(clAmdBlasSsyrkEx, cl_float);
TRIGON_CLAMDBLAS_SYRK(clAmdBlasDsyrk, cl_double);
TRIGON_CLBLAS_SYRK(clAmdBlasDsyrkEx, cl_double);
TRIGON_CLAMDBLAS_SYRK(clAmdBlasCsyrk, FloatComplex);
TRIGON_CLBLAS_SYRK(clAmdBlasCsyrkEx, FloatComplex);
TRIGON_CLAMDBLAS_SYRK(clAmdBlasZsyrk, DoubleComplex);
TRIGON_CLBLAS_SYRK(clAmdBlasZsyrkEx, DoubleComplex);

#define TRIGON_CLAMDBLAS_SYR2K(name, T)                                                                          \
  clAmdBlasStatus name(clblasOrder order, clblasUplo uplo, clblasTranspose transAB, size_t N, size_t K, T alpha, \
                       const cl_mem A, size_t lda, const cl_mem B, size_t ldb, T beta, cl_mem C, size_t ldc,     \
                       TRIGON_CLBLAS_QUEUES)
TRIGON_CLAMDBLAS_SYR2K(clAmdBlasSsyr2k, cl_float);
TRIGON_CLBLAS_SYR2K(clAmdBlasSsyr2kEx, cl_float, cl_float);
TRIGON_CLAMDBLAS_SYR2K(clAmdBlasDsyr2k, cl_double);
TRIGON_CLBLAS_SYR2K(clAmdBlasDsyr2kEx, cl_double, cl_double);
TRIGON_CLAMDBLAS_SYR2K(clAmdBlasCsyr2k, FloatComplex);
TRIGON_CLBLAS_SYR2K(clAmdBlasCsyr2kEx, FloatComplex, FloatComplex);
TRIGON_CLAMDBLAS_SYR2K(clAmdBlasZsyr2k, DoubleComplex);
TRIGON_CLBLAS_SYR2K(clAmdBlasZsyr2kEx, DoubleComplex, DoubleComplex);

#define TRIGON_CLAMDBLAS_GEMV(name, T)                                                                             \
  clAmdBlasStatus name(clblasOrder order, clblasTranspose transA, size_t M, size_t N, T alpha, const cl_mem A,     \
                       size_t lda, const cl_mem x, size_t offx, int incx, T beta, cl_mem y, size_t offy, int incy, \
                       TRIGON_CLBLAS_QUEUES)
TRIGON_CLAMDBLAS_GEMV(clAmdBlasSgemv, cl_float);
TRIGON_CLBLAS_GEMV(clAmdBlasSgemvEx, cl_float);
TRIGON_CLAMDBLAS_GEMV(clAmdBlasDgemv, cl_double);
TRIGON_CLBLAS_GEMV(clAmdBlasDgemvEx, cl_double);
TRIGON_CLAMDBLAS_GEMV(clAmdBlasCgemv, FloatComplex);
TRIGON_CLBLAS_GEMV(clAmdBlasCgemvEx, FloatComplex);
TRIGON_CLAMDBLAS_GEMV(clAmdBlasZgemv, DoubleComplex);
TRIGON_CLBLAS_GEMV(clAmdBlasZgemvEx, DoubleComplex);

#define TRIGON_CLAMDBLAS_SYMV(name, T)                                                                    \
  clAmdBlasStatus name(clblasOrder order, clblasUplo uplo, size_t N, T alpha, const cl_mem A, size_t lda, \
                       const cl_mem x, size_t offx, int incx, T beta, cl_mem y, size_t offy, int incy,    \
                       TRIGON_CLBLAS_QUEUES)
TRIGON_CLAMDBLAS_SYMV(clAmdBlasSsymv, cl_float);
TRIGON_CLBLAS_SYMV(clAmdBlasSsymvEx, cl_float);
TRIGON_CLAMDBLAS_SYMV(clAmdBlasDsymv, cl_double);
TRIGON_CLBLAS_SYMV(clAmdBlasDsymvEx, cl_double);

/* All others as in clBLAS.h. */
TRIGON_CLBLAS_SWAP(clAmdBlasSswap);
TRIGON_CLBLAS_SWAP(clAmdBlasDswap);
TRIGON_CLBLAS_SWAP(clAmdBlasCswap);
TRIGON_CLBLAS_SWAP(clAmdBlasZswap);
TRIGON_CLBLAS_SCAL(clAmdBlasSscal, cl_float);
TRIGON_CLBLAS_SCAL(clAmdBlasDscal, cl_double);
TRIGON_CLBLAS_SCAL(clAmdBlasCscal, cl_float2);
TRIGON_CLBLAS_SCAL(clAmdBlasZscal, cl_double2);
TRIGON_CLBLAS_SCAL(clAmdBlasCsscal, cl_float);
TRIGON_CLBLAS_SCAL(clAmdBlasZdscal, cl_double);
TRIGON_CLBLAS_COPY(clAmdBlasScopy);
TRIGON_CLBLAS_COPY(clAmdBlasDcopy);
TRIGON_CLBLAS_COPY(clAmdBlasCcopy);
TRIGON_CLBLAS_COPY(clAmdBlasZcopy);
TRIGON_CLBLAS_AXPY(clAmdBlasSaxpy, cl_float);
TRIGON_CLBLAS_AXPY(clAmdBlasDaxpy, cl_double);
TRIGON_CLBLAS_AXPY(clAmdBlasCaxpy, cl_float2);
TRIGON_CLBLAS_AXPY(clAmdBlasZaxpy, cl_double2);
TRIGON_CLBLAS_DOT(clAmdBlasSdot);
TRIGON_CLBLAS_DOT(clAmdBlasDdot);
TRIGON_CLBLAS_DOT(clAmdBlasCdotu);
TRIGON_CLBLAS_DOT(clAmdBlasZdotu);
TRIGON_CLBLAS_DOT(clAmdBlasCdotc);
TRIGON_CLBLAS_DOT(clAmdBlasZdotc);
TRIGON_CLBLAS_REDUCE(clAmdBlasSnrm2);
TRIGON_CLBLAS_REDUCE(clAmdBlasDnrm2);
TRIGON_CLBLAS_REDUCE(clAmdBlasScnrm2);
TRIGON_CLBLAS_REDUCE(clAmdBlasDznrm2);
TRIGON_CLBLAS_REDUCE(clAmdBlasSasum);
TRIGON_CLBLAS_REDUCE(clAmdBlasDasum);
TRIGON_CLBLAS_REDUCE(clAmdBlasScasum);
TRIGON_CLBLAS_REDUCE(clAmdBlasDzasum);
TRIGON_CLBLAS_REDUCE(clAmdBlasiSamax);
TRIGON_CLBLAS_REDUCE(clAmdBlasiDamax);
TRIGON_CLBLAS_REDUCE(clAmdBlasiCamax);
TRIGON_CLBLAS_REDUCE(clAmdBlasiZamax);
TRIGON_CLBLAS_ROT(clAmdBlasSrot, cl_float);
TRIGON_CLBLAS_ROT(clAmdBlasDrot, cl_double);
TRIGON_CLBLAS_ROT(clAmdBlasCsrot, cl_float);
TRIGON_CLBLAS_ROT(clAmdBlasZdrot, cl_double);
TRIGON_CLBLAS_ROTG(clAmdBlasSrotg);
TRIGON_CLBLAS_ROTG(clAmdBlasDrotg);
TRIGON_CLBLAS_ROTG(clAmdBlasCrotg);
TRIGON_CLBLAS_ROTG(clAmdBlasZrotg);
TRIGON_CLBLAS_ROTM(clAmdBlasSrotm);
TRIGON_CLBLAS_ROTM(clAmdBlasDrotm);
TRIGON_CLBLAS_ROTMG(clAmdBlasSrotmg);
TRIGON_CLBLAS_ROTMG(clAmdBlasDrotmg);
TRIGON_CLBLAS_SYMV(clAmdBlasChemv, FloatComplex);
TRIGON_CLBLAS_SYMV(clAmdBlasZhemv, DoubleComplex);
TRIGON_CLBLAS_TRMV(clAmdBlasStrmv);
TRIGON_CLBLAS_TRMV(clAmdBlasDtrmv);
TRIGON_CLBLAS_TRMV(clAmdBlasCtrmv);
TRIGON_CLBLAS_TRMV(clAmdBlasZtrmv);
TRIGON_CLBLAS_TRSV(clAmdBlasStrsv);
TRIGON_CLBLAS_TRSV(clAmdBlasDtrsv);
TRIGON_CLBLAS_TRSV(clAmdBlasCtrsv);
TRIGON_CLBLAS_TRSV(clAmdBlasZtrsv);
TRIGON_CLBLAS_GER(clAmdBlasSger, cl_float);
TRIGON_CLBLAS_GER(clAmdBlasDger, cl_double);
TRIGON_CLBLAS_GER(clAmdBlasCgeru, cl_float2);
TRIGON_CLBLAS_GER(clAmdBlasZgeru, cl_double2);
TRIGON_CLBLAS_GER(clAmdBlasCgerc, cl_float2);
TRIGON_CLBLAS_GER(clAmdBlasZgerc, cl_double2);
TRIGON_CLBLAS_SYR(clAmdBlasSsyr, cl_float);
TRIGON_CLBLAS_SYR(clAmdBlasDsyr, cl_double);
TRIGON_CLBLAS_SYR(clAmdBlasCher, cl_float);
TRIGON_CLBLAS_SYR(clAmdBlasZher, cl_double);
TRIGON_CLBLAS_SYR2(clAmdBlasSsyr2, cl_float);
TRIGON_CLBLAS_SYR2(clAmdBlasDsyr2, cl_double);
TRIGON_CLBLAS_SYR2(clAmdBlasCher2, cl_float2);
TRIGON_CLBLAS_SYR2(clAmdBlasZher2, cl_double2);
TRIGON_CLBLAS_SYMM(clAmdBlasSsymm, cl_float);
TRIGON_CLBLAS_SYMM(clAmdBlasDsymm, cl_double);
TRIGON_CLBLAS_SYMM(clAmdBlasCsymm, cl_float2);
TRIGON_CLBLAS_SYMM(clAmdBlasZsymm, cl_double2);
TRIGON_CLBLAS_SYMM(clAmdBlasChemm, cl_float2);
TRIGON_CLBLAS_SYMM(clAmdBlasZhemm, cl_double2);
TRIGON_CLBLAS_SYRK(clAmdBlasCherk, cl_float);
TRIGON_CLBLAS_SYRK(clAmdBlasZherk, cl_double);
TRIGON_CLBLAS_SYR2K(clAmdBlasCher2k, FloatComplex, cl_float);
TRIGON_CLBLAS_SYR2K(clAmdBlasZher2k, DoubleComplex, cl_double);
TRIGON_CLBLAS_TPMV(clAmdBlasStpmv);
TRIGON_CLBLAS_TPMV(clAmdBlasDtpmv);
TRIGON_CLBLAS_TPMV(clAmdBlasCtpmv);
TRIGON_CLBLAS_TPMV(clAmdBlasZtpmv);
TRIGON_CLBLAS_TPSV(clAmdBlasStpsv);
TRIGON_CLBLAS_TPSV(clAmdBlasDtpsv);
TRIGON_CLBLAS_TPSV(clAmdBlasCtpsv);
TRIGON_CLBLAS_TPSV(clAmdBlasZtpsv);
TRIGON_CLBLAS_SPMV(clAmdBlasSspmv, cl_float);
TRIGON_CLBLAS_SPMV(clAmdBlasDspmv, cl_double);
TRIGON_CLBLAS_SPMV(clAmdBlasChpmv, cl_float2);
TRIGON_CLBLAS_SPMV(clAmdBlasZhpmv, cl_double2);
TRIGON_CLBLAS_SPR(clAmdBlasSspr, cl_float);
TRIGON_CLBLAS_SPR(clAmdBlasDspr, cl_double);
TRIGON_CLBLAS_SPR(clAmdBlasChpr, cl_float);
TRIGON_CLBLAS_SPR(clAmdBlasZhpr, cl_double);
TRIGON_CLBLAS_SPR2(clAmdBlasSspr2, cl_float);
TRIGON_CLBLAS_SPR2(clAmdBlasDspr2, cl_double);
TRIGON_CLBLAS_SPR2(clAmdBlasChpr2, cl_float2);
TRIGON_CLBLAS_SPR2(clAmdBlasZhpr2, cl_double2);
TRIGON_CLBLAS_GBMV(clAmdBlasSgbmv, cl_float);
TRIGON_CLBLAS_GBMV(clAmdBlasDgbmv, cl_double);
TRIGON_CLBLAS_GBMV(clAmdBlasCgbmv, cl_float2);
TRIGON_CLBLAS_GBMV(clAmdBlasZgbmv, cl_double2);
TRIGON_CLBLAS_SBMV(clAmdBlasSsbmv, cl_float);
TRIGON_CLBLAS_SBMV(clAmdBlasDsbmv, cl_double);
TRIGON_CLBLAS_SBMV(clAmdBlasChbmv, cl_float2);
TRIGON_CLBLAS_SBMV(clAmdBlasZhbmv, cl_double2);
TRIGON_CLBLAS_TBMV(clAmdBlasStbmv);
TRIGON_CLBLAS_TBMV(clAmdBlasDtbmv);
TRIGON_CLBLAS_TBMV(clAmdBlasCtbmv);
TRIGON_CLBLAS_TBMV(clAmdBlasZtbmv);
TRIGON_CLBLAS_TBSV(clAmdBlasStbsv);
TRIGON_CLBLAS_TBSV(clAmdBlasDtbsv);
TRIGON_CLBLAS_TBSV(clAmdBlasCtbsv);
TRIGON_CLBLAS_TBSV(clAmdBlasZtbsv);

#ifdef __cplusplus
}
#endif

#endif
