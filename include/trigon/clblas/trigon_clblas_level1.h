/*
 * Level 1 of the clBLAS interface, for clBLAS.h alone. Vectors have N entries; one begins at element offx of its
 * buffer, with a negative increment that is its last entry, as in BLAS. scratchBuff is clBLAS's; it is not used here
 * and may be null.
 */

/* SWAP: x and y change places. */
#define TRIGON_CLBLAS_SWAP(name) \
  clblasStatus name(size_t N, cl_mem X, size_t offx, int incx, cl_mem Y, size_t offy, int incy, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_SWAP(clblasSswap);
TRIGON_CLBLAS_SWAP(clblasDswap);
TRIGON_CLBLAS_SWAP(clblasCswap);
TRIGON_CLBLAS_SWAP(clblasZswap);

/* x := alpha x. */
#define TRIGON_CLBLAS_SCAL(name, T) \
  clblasStatus name(size_t N, T alpha, cl_mem X, size_t offx, int incx, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_SCAL(clblasSscal, cl_float);
TRIGON_CLBLAS_SCAL(clblasDscal, cl_double);
TRIGON_CLBLAS_SCAL(clblasCscal, cl_float2);
TRIGON_CLBLAS_SCAL(clblasZscal, cl_double2);
TRIGON_CLBLAS_SCAL(clblasCsscal, cl_float);
TRIGON_CLBLAS_SCAL(clblasZdscal, cl_double);

/* y := x. */
#define TRIGON_CLBLAS_COPY(name)                                                                      \
  clblasStatus name(size_t N, const cl_mem X, size_t offx, int incx, cl_mem Y, size_t offy, int incy, \
                    TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_COPY(clblasScopy);
TRIGON_CLBLAS_COPY(clblasDcopy);
TRIGON_CLBLAS_COPY(clblasCcopy);
TRIGON_CLBLAS_COPY(clblasZcopy);

/* y := alpha x + y. */
#define TRIGON_CLBLAS_AXPY(name, T)                                                                            \
  clblasStatus name(size_t N, T alpha, const cl_mem X, size_t offx, int incx, cl_mem Y, size_t offy, int incy, \
                    TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_AXPY(clblasSaxpy, cl_float);
TRIGON_CLBLAS_AXPY(clblasDaxpy, cl_double);
TRIGON_CLBLAS_AXPY(clblasCaxpy, cl_float2);
TRIGON_CLBLAS_AXPY(clblasZaxpy, cl_double2);

/* Element offDP of dotProduct := x^T y (DOT, DOTU) or x^H y (DOTC). */
#define TRIGON_CLBLAS_DOT(name)                                                                                       \
  clblasStatus name(size_t N, cl_mem dotProduct, size_t offDP, const cl_mem X, size_t offx, int incx, const cl_mem Y, \
                    size_t offy, int incy, cl_mem scratchBuff, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_DOT(clblasSdot);
TRIGON_CLBLAS_DOT(clblasDdot);
TRIGON_CLBLAS_DOT(clblasCdotu);
TRIGON_CLBLAS_DOT(clblasZdotu);
TRIGON_CLBLAS_DOT(clblasCdotc);
TRIGON_CLBLAS_DOT(clblasZdotc);

/* One number of x into an element of the buffer `result`: its Euclidean norm (NRM2), the sum of |Re| + |Im| (ASUM),
 * both real, or the place of the first largest |Re| + |Im| (iAMAX), a cl_uint that counts from 1. */
#define TRIGON_CLBLAS_REDUCE(name)                                                                    \
  clblasStatus name(size_t N, cl_mem result, size_t offResult, const cl_mem X, size_t offx, int incx, \
                    cl_mem scratchBuff, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_REDUCE(clblasSnrm2);
TRIGON_CLBLAS_REDUCE(clblasDnrm2);
TRIGON_CLBLAS_REDUCE(clblasScnrm2);
TRIGON_CLBLAS_REDUCE(clblasDznrm2);
TRIGON_CLBLAS_REDUCE(clblasSasum);
TRIGON_CLBLAS_REDUCE(clblasDasum);
TRIGON_CLBLAS_REDUCE(clblasScasum);
TRIGON_CLBLAS_REDUCE(clblasDzasum);
TRIGON_CLBLAS_REDUCE(clblasiSamax);
TRIGON_CLBLAS_REDUCE(clblasiDamax);
TRIGON_CLBLAS_REDUCE(clblasiCamax);
TRIGON_CLBLAS_REDUCE(clblasiZamax);

/* (x, y) := (C x + S y, C y - S x). */
#define TRIGON_CLBLAS_ROT(name, R)                                                                        \
  clblasStatus name(size_t N, cl_mem X, size_t offx, int incx, cl_mem Y, size_t offy, int incy, R C, R S, \
                    TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_ROT(clblasSrot, cl_float);
TRIGON_CLBLAS_ROT(clblasDrot, cl_double);
TRIGON_CLBLAS_ROT(clblasCsrot, cl_float);
TRIGON_CLBLAS_ROT(clblasZdrot, cl_double);

/* The rotation (C, S) that takes (A, B) to (r, 0); A becomes r, and in real types B what C and S can be made from. */
#define TRIGON_CLBLAS_ROTG(name)                                                                                \
  clblasStatus name(cl_mem A, size_t offA, cl_mem B, size_t offB, cl_mem C, size_t offC, cl_mem S, size_t offS, \
                    TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_ROTG(clblasSrotg);
TRIGON_CLBLAS_ROTG(clblasDrotg);
TRIGON_CLBLAS_ROTG(clblasCrotg);
TRIGON_CLBLAS_ROTG(clblasZrotg);

/* (x, y) := H (x, y), the modified rotation in the five elements of PARAM: flag, h11, h21, h12, h22. */
#define TRIGON_CLBLAS_ROTM(name)                                                                                    \
  clblasStatus name(size_t N, cl_mem X, size_t offx, int incx, cl_mem Y, size_t offy, int incy, const cl_mem PARAM, \
                    size_t offParam, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_ROTM(clblasSrotm);
TRIGON_CLBLAS_ROTM(clblasDrotm);

/* The modified rotation that takes (sqrt(D1) X1, sqrt(D2) Y1) to (r, 0). */
#define TRIGON_CLBLAS_ROTMG(name)                                                                               \
  clblasStatus name(cl_mem D1, size_t offD1, cl_mem D2, size_t offD2, cl_mem X1, size_t offX1, const cl_mem Y1, \
                    size_t offY1, cl_mem PARAM, size_t offParam, TRIGON_CLBLAS_QUEUES)
TRIGON_CLBLAS_ROTMG(clblasSrotmg);
TRIGON_CLBLAS_ROTMG(clblasDrotmg);
