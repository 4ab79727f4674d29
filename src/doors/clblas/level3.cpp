// Level 3 of the clBLAS interface: checked, translated and submitted through the C++ door.
#include "doors/clblas/submit.hpp"

#include <clAmdBlas.h>

namespace trigon::clblas {
namespace {

using Scalar = std::complex<double>;

clblasStatus run(Check& check, const Queues& queues, Call& call, const Matrix& a, const Matrix& b, const Matrix& c) {
  call.a = a.memory, call.lda = ld(a);
  call.b = b.memory, call.ldb = ld(b);
  call.c = c.memory, call.ldc = ld(c);
  return submit(check, queues, [&](Lane&, const Submission& on) {
    execute(call, {size(a.offset), size(b.offset), size(c.offset)}, on);
  });
}

clblasStatus gemm(const char* name, Precision p, clblasOrder order, clblasTranspose transA, clblasTranspose transB,
                  size_t M, size_t N, size_t K, Scalar alpha, Matrix A, Matrix B, Scalar beta, Matrix C,
                  const Queues& queues) {
  Check check(name, p);
  check.flags(order).flags(transA).flags(transB);
  if (K > 0) {
    check.matrix(Role::A, A, order, transA, M, K);
    check.matrix(Role::B, B, order, transB, K, N);
  } else {
    A = {nullptr, 0, M}, B = {nullptr, 0, N};  // empty, whatever was given
  }
  check.matrix(Role::C, C, order, M, N);
  Call c = begin(Operation::Gemm, p, order);
  set(c.transa, transA), set(c.transb, transB);
  c.m = size(M), c.n = size(N), c.k = size(K), c.alpha = alpha, c.beta = beta;
  return run(check, queues, c, A, B, C);
}

/// TRMM or TRSM.
clblasStatus triangular(const char* name, Operation operation, Precision p, clblasOrder order, clblasSide side,
                        clblasUplo uplo, clblasTranspose transA, clblasDiag diag, size_t M, size_t N, Scalar alpha,
                        Matrix A, Matrix B, const Queues& queues) {
  Check check(name, p);
  check.flags(order).flags(side).flags(uplo).flags(transA).flags(diag);
  const size_t n = side == clblasLeft ? M : N;
  check.matrix(Role::A, A, order, n, n);
  check.matrix(Role::B, B, order, M, N);
  Call c = begin(operation, p, order);
  set(c.side, side), set(c.uplo, uplo), set(c.transa, transA), set(c.diag, diag);
  c.m = size(M), c.n = size(N), c.alpha = alpha;
  return run(check, queues, c, A, B, {});
}

/// SYMM or HEMM.
clblasStatus symm(const char* name, Operation operation, Precision p, clblasOrder order, clblasSide side,
                  clblasUplo uplo, size_t M, size_t N, Scalar alpha, Matrix A, Matrix B, Scalar beta, Matrix C,
                  const Queues& queues) {
  Check check(name, p);
  check.flags(order).flags(side).flags(uplo);
  const size_t n = side == clblasLeft ? M : N;
  check.matrix(Role::A, A, order, n, n);
  check.matrix(Role::B, B, order, M, N);
  check.matrix(Role::C, C, order, M, N);
  Call c = begin(operation, p, order);
  set(c.side, side), set(c.uplo, uplo);
  c.m = size(M), c.n = size(N), c.alpha = alpha, c.beta = beta;
  return run(check, queues, c, A, B, C);
}

/// SYRK, HERK, SYR2K or HER2K; the first two have no B.
clblasStatus update(const char* name, Operation operation, Precision p, clblasOrder order, clblasUplo uplo,
                    clblasTranspose trans, size_t N, size_t K, Scalar alpha, Matrix A, Matrix B, Scalar beta, Matrix C,
                    const Queues& queues) {
  const bool two = operation == Operation::Syr2k || operation == Operation::Her2k;
  Check check(name, p);
  check.flags(order).flags(uplo).update(trans, operation == Operation::Herk || operation == Operation::Her2k);
  check.matrix(Role::A, A, order, trans, N, K);
  if (two) check.matrix(Role::B, B, order, trans, N, K);
  check.matrix(Role::C, C, order, N, N);
  Call c = begin(operation, p, order);
  set(c.uplo, uplo), set(c.transa, trans);
  c.n = size(N), c.k = size(K), c.alpha = alpha, c.beta = beta;
  return run(check, queues, c, A, B, C);
}

}  // namespace
}  // namespace trigon::clblas

using namespace trigon::clblas;
using trigon::Operation;
using trigon::Precision;

// Each as clblasX, as clAmdBlasXEx where that was the form with offsets, and as the clAmdBlasX without.
extern "C" {

#define GEMM(P, S, p)                                                                                                \
  TRIGON_CLBLAS_GEMM(clblas##P##gemm, S) {                                                                           \
    return gemm(__func__, Precision::p, order, transA, transB, M, N, K, wide(alpha), {A, offA, lda}, {B, offB, ldb}, \
                wide(beta), {C, offC, ldc}, TRIGON_CLBLAS_GIVEN);                                                    \
  }                                                                                                                  \
  TRIGON_CLBLAS_GEMM(clAmdBlas##P##gemmEx, S) __attribute__((alias("clblas" #P "gemm")));                            \
  TRIGON_CLAMDBLAS_GEMM(clAmdBlas##P##gemm, S) {                                                                     \
    return gemm(__func__, Precision::p, order, transA, transB, M, N, K, wide(alpha), {A, 0, lda}, {B, 0, ldb},       \
                wide(beta), {C, 0, ldc}, TRIGON_CLBLAS_GIVEN);                                                       \
  }
GEMM(S, cl_float, Single)
GEMM(D, cl_double, Double)
GEMM(C, FloatComplex, ComplexSingle)
GEMM(Z, DoubleComplex, ComplexDouble)

#define TRIANGULAR(P, lower, operation, S, p)                                                              \
  TRIGON_CLBLAS_TRIANGULAR(clblas##P##lower, S) {                                                          \
    return triangular(__func__, Operation::operation, Precision::p, order, side, uplo, transA, diag, M, N, \
                      wide(alpha), {A, offA, lda}, {B, offB, ldb}, TRIGON_CLBLAS_GIVEN);                   \
  }                                                                                                        \
  TRIGON_CLBLAS_TRIANGULAR(clAmdBlas##P##lower##Ex, S) __attribute__((alias("clblas" #P #lower)));         \
  TRIGON_CLAMDBLAS_TRIANGULAR(clAmdBlas##P##lower, S) {                                                    \
    return triangular(__func__, Operation::operation, Precision::p, order, side, uplo, transA, diag, M, N, \
                      wide(alpha), {A, 0, lda}, {B, 0, ldb}, TRIGON_CLBLAS_GIVEN);                         \
  }
TRIANGULAR(S, trmm, Trmm, cl_float, Single)
TRIANGULAR(D, trmm, Trmm, cl_double, Double)
TRIANGULAR(C, trmm, Trmm, FloatComplex, ComplexSingle)
TRIANGULAR(Z, trmm, Trmm, DoubleComplex, ComplexDouble)
TRIANGULAR(S, trsm, Trsm, cl_float, Single)
TRIANGULAR(D, trsm, Trsm, cl_double, Double)
TRIANGULAR(C, trsm, Trsm, FloatComplex, ComplexSingle)
TRIANGULAR(Z, trsm, Trsm, DoubleComplex, ComplexDouble)

#define SYMM(P, lower, operation, S, p)                                                                             \
  TRIGON_CLBLAS_SYMM(clblas##P##lower, S) {                                                                         \
    return symm(__func__, Operation::operation, Precision::p, order, side, uplo, M, N, wide(alpha), {A, offA, lda}, \
                {B, offB, ldb}, wide(beta), {C, offC, ldc}, TRIGON_CLBLAS_GIVEN);                                   \
  }                                                                                                                 \
  TRIGON_CLBLAS_SYMM(clAmdBlas##P##lower, S) __attribute__((alias("clblas" #P #lower)));
SYMM(S, symm, Symm, cl_float, Single)
SYMM(D, symm, Symm, cl_double, Double)
SYMM(C, symm, Symm, cl_float2, ComplexSingle)
SYMM(Z, symm, Symm, cl_double2, ComplexDouble)
SYMM(C, hemm, Hemm, cl_float2, ComplexSingle)
SYMM(Z, hemm, Hemm, cl_double2, ComplexDouble)

#define SYRK_WITH_OFFSETS(P, lower, operation, S, p)                                                    \
  TRIGON_CLBLAS_SYRK(clblas##P##lower, S) {                                                             \
    return update(__func__, Operation::operation, Precision::p, order, uplo, transA, N, K, wide(alpha), \
                  {A, offA, lda}, {}, wide(beta), {C, offC, ldc}, TRIGON_CLBLAS_GIVEN);                 \
  }
#define SYRK(P, S, p)                                                                                               \
  SYRK_WITH_OFFSETS(P, syrk, Syrk, S, p)                                                                            \
  TRIGON_CLBLAS_SYRK(clAmdBlas##P##syrkEx, S) __attribute__((alias("clblas" #P "syrk")));                           \
  TRIGON_CLAMDBLAS_SYRK(clAmdBlas##P##syrk, S) {                                                                    \
    return update(__func__, Operation::Syrk, Precision::p, order, uplo, transA, N, K, wide(alpha), {A, 0, lda}, {}, \
                  wide(beta), {C, 0, ldc}, TRIGON_CLBLAS_GIVEN);                                                    \
  }
SYRK(S, cl_float, Single)
SYRK(D, cl_double, Double)
SYRK(C, FloatComplex, ComplexSingle)
SYRK(Z, DoubleComplex, ComplexDouble)

#define HERK(P, S, p)                    \
  SYRK_WITH_OFFSETS(P, herk, Herk, S, p) \
  TRIGON_CLBLAS_SYRK(clAmdBlas##P##herk, S) __attribute__((alias("clblas" #P "herk")));
HERK(C, cl_float, ComplexSingle)
HERK(Z, cl_double, ComplexDouble)

#define SYR2K_WITH_OFFSETS(P, lower, operation, S, R, p)                                                 \
  TRIGON_CLBLAS_SYR2K(clblas##P##lower, S, R) {                                                          \
    return update(__func__, Operation::operation, Precision::p, order, uplo, transAB, N, K, wide(alpha), \
                  {A, offA, lda}, {B, offB, ldb}, wide(beta), {C, offC, ldc}, TRIGON_CLBLAS_GIVEN);      \
  }
#define SYR2K(P, S, p)                                                                                            \
  SYR2K_WITH_OFFSETS(P, syr2k, Syr2k, S, S, p)                                                                    \
  TRIGON_CLBLAS_SYR2K(clAmdBlas##P##syr2kEx, S, S) __attribute__((alias("clblas" #P "syr2k")));                   \
  TRIGON_CLAMDBLAS_SYR2K(clAmdBlas##P##syr2k, S) {                                                                \
    return update(__func__, Operation::Syr2k, Precision::p, order, uplo, transAB, N, K, wide(alpha), {A, 0, lda}, \
                  {B, 0, ldb}, wide(beta), {C, 0, ldc}, TRIGON_CLBLAS_GIVEN);                                     \
  }
SYR2K(S, cl_float, Single)
SYR2K(D, cl_double, Double)
SYR2K(C, FloatComplex, ComplexSingle)
SYR2K(Z, DoubleComplex, ComplexDouble)

#define HER2K(P, S, R, p)                      \
  SYR2K_WITH_OFFSETS(P, her2k, Her2k, S, R, p) \
  TRIGON_CLBLAS_SYR2K(clAmdBlas##P##her2k, S, R) __attribute__((alias("clblas" #P "her2k")));
HER2K(C, FloatComplex, cl_float, ComplexSingle)
HER2K(Z, DoubleComplex, cl_double, ComplexDouble)

}  // extern "C"
