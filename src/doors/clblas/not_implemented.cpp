// What of the clBLAS interface is here so that programs link: packed and banded matrices, and clBLAS's own ways to make
// and copy matrices.
#include "doors/clblas/message.hpp"

#include <clAmdBlas.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace {

clblasStatus not_implemented(const char* routine) {
  return trigon::clblas::failed(clblasNotImplemented, routine, "not implemented");
}

}  // namespace

#define NONE \
  { return not_implemented(__func__); }

extern "C" {

#define REAL_AND_COMPLEX(MACRO, lower)                                                          \
  MACRO(clblasS##lower) NONE MACRO(clAmdBlasS##lower) __attribute__((alias("clblasS" #lower))); \
  MACRO(clblasD##lower) NONE MACRO(clAmdBlasD##lower) __attribute__((alias("clblasD" #lower))); \
  MACRO(clblasC##lower) NONE MACRO(clAmdBlasC##lower) __attribute__((alias("clblasC" #lower))); \
  MACRO(clblasZ##lower) NONE MACRO(clAmdBlasZ##lower) __attribute__((alias("clblasZ" #lower)));
REAL_AND_COMPLEX(TRIGON_CLBLAS_TPMV, tpmv)
REAL_AND_COMPLEX(TRIGON_CLBLAS_TPSV, tpsv)
REAL_AND_COMPLEX(TRIGON_CLBLAS_TBMV, tbmv)
REAL_AND_COMPLEX(TRIGON_CLBLAS_TBSV, tbsv)

#define SCALED(MACRO, P, lower, S) \
  MACRO(clblas##P##lower, S) NONE MACRO(clAmdBlas##P##lower, S) __attribute__((alias("clblas" #P #lower)));
SCALED(TRIGON_CLBLAS_SPMV, S, spmv, cl_float)
SCALED(TRIGON_CLBLAS_SPMV, D, spmv, cl_double)
SCALED(TRIGON_CLBLAS_SPMV, C, hpmv, cl_float2)
SCALED(TRIGON_CLBLAS_SPMV, Z, hpmv, cl_double2)
SCALED(TRIGON_CLBLAS_SPR, S, spr, cl_float)
SCALED(TRIGON_CLBLAS_SPR, D, spr, cl_double)
SCALED(TRIGON_CLBLAS_SPR, C, hpr, cl_float)
SCALED(TRIGON_CLBLAS_SPR, Z, hpr, cl_double)
SCALED(TRIGON_CLBLAS_SPR2, S, spr2, cl_float)
SCALED(TRIGON_CLBLAS_SPR2, D, spr2, cl_double)
SCALED(TRIGON_CLBLAS_SPR2, C, hpr2, cl_float2)
SCALED(TRIGON_CLBLAS_SPR2, Z, hpr2, cl_double2)
SCALED(TRIGON_CLBLAS_GBMV, S, gbmv, cl_float)
SCALED(TRIGON_CLBLAS_GBMV, D, gbmv, cl_double)
SCALED(TRIGON_CLBLAS_GBMV, C, gbmv, cl_float2)
SCALED(TRIGON_CLBLAS_GBMV, Z, gbmv, cl_double2)
SCALED(TRIGON_CLBLAS_SBMV, S, sbmv, cl_float)
SCALED(TRIGON_CLBLAS_SBMV, D, sbmv, cl_double)
SCALED(TRIGON_CLBLAS_SBMV, C, hbmv, cl_float2)
SCALED(TRIGON_CLBLAS_SBMV, Z, hbmv, cl_double2)

clblasStatus clblasMatrixSizeInfo(clblasOrder, size_t, size_t, size_t, size_t, size_t*, size_t*) NONE

    cl_mem clblasCreateMatrix(cl_context, clblasOrder, size_t, size_t, size_t, size_t, size_t*, size_t*, cl_int* err) {
  const clblasStatus status = not_implemented(__func__);
  if (err) *err = status;
  return nullptr;
}
cl_mem clblasCreateMatrixWithLd(cl_context, clblasOrder, size_t, size_t, size_t, size_t, size_t*, cl_int* err) {
  const clblasStatus status = not_implemented(__func__);
  if (err) *err = status;
  return nullptr;
}
cl_mem clblasCreateMatrixFromHost(cl_context, clblasOrder, size_t, size_t, size_t, size_t, void*, size_t, size_t,
                                  TRIGON_CLBLAS_WAITS, cl_int* err) {
  const clblasStatus status = not_implemented(__func__);
  if (err) *err = status;
  return nullptr;
}

#define TRANSFERS(what, ARGS)                                                                                         \
  clblasStatus clblasWrite##what(ARGS(const void*, cl_mem), TRIGON_CLBLAS_WAITS) NONE clblasStatus clblasRead##what(  \
      ARGS(const cl_mem, void*), TRIGON_CLBLAS_WAITS) NONE clblasStatus clblasCopy##what(ARGS(const cl_mem, cl_mem),  \
                                                                                         TRIGON_CLBLAS_WAITS)         \
      NONE clblasStatus clblasWrite##what##Async(ARGS(const void*, cl_mem), TRIGON_CLBLAS_WAITS, cl_event* events)    \
          NONE clblasStatus clblasRead##what##Async(ARGS(const cl_mem, void*), TRIGON_CLBLAS_WAITS, cl_event* events) \
              NONE clblasStatus clblasCopy##what##Async(ARGS(const cl_mem, cl_mem), TRIGON_CLBLAS_WAITS,              \
                                                        cl_event* events) NONE
TRANSFERS(SubMatrix, TRIGON_CLBLAS_SUBMATRICES)
TRANSFERS(Matrix, TRIGON_CLBLAS_MATRICES)
TRANSFERS(Vector, TRIGON_CLBLAS_VECTORS)

clblasStatus clblasFillVector(size_t, size_t, cl_mem, size_t, const void*, TRIGON_CLBLAS_WAITS) NONE clblasStatus
    clblasFillVectorAsync(size_t, size_t, cl_mem, size_t, const void*, TRIGON_CLBLAS_WAITS, cl_event*) NONE clblasStatus
    clblasFillMatrix(clblasOrder, size_t, cl_mem, size_t, size_t, size_t, size_t, const void*,
                     TRIGON_CLBLAS_WAITS) NONE clblasStatus
    clblasFillSubMatrix(clblasOrder, size_t, cl_mem, size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t,
                        const void*, TRIGON_CLBLAS_WAITS) NONE clblasStatus
    clblasFillSubMatrixAsync(clblasOrder, size_t, cl_mem, size_t, size_t, size_t, size_t, int, int, size_t, size_t,
                             const void*, TRIGON_CLBLAS_WAITS, cl_event*) NONE

    cl_ulong clblasAddScratchImage(cl_context, size_t, size_t, clblasStatus* status) {
  const clblasStatus none = not_implemented(__func__);
  if (status) *status = none;
  return 0;
}
clblasStatus clblasRemoveScratchImage(cl_ulong) NONE cl_ulong
    clAmdBlasAddScratchImage(cl_context, size_t, size_t, clblasStatus*) __attribute__((alias("clblasAddScratchImage")));
clblasStatus clAmdBlasRemoveScratchImage(cl_ulong) __attribute__((alias("clblasRemoveScratchImage")));

}  // extern "C"
