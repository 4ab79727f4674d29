// Level 2 of the clBLAS interface: TRMV and TRSV as they are, the others as products with a matrix of one column.
#include "doors/clblas/submit.hpp"

#include <clAmdBlas.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace trigon::clblas {
namespace {

using Scalar = std::complex<double>;

/// The leading dimension of the one column of a vector whose increment is 1.
index ld(const Strided& v, clblasOrder order) { return order == clblasRowMajor ? 1 : size(v.n); }

/// Carries out `run` on vectors whose increments are 1: others are copied to scratch memory, the result comes back.
template <class Run>
void contiguous(Lane& lane, Precision p, const Submission& on, std::initializer_list<Strided*> vectors,
                const Strided* result, Run&& run) {
  if (std::ranges::all_of(vectors, [](const Strided* v) { return v->increment == 1; })) return run(on);
  Kernels& kernels = lane.kernels();
  kernels.prepare(p, "copy");
  struct Move {
    Strided* vector;
    Vector given, dense;
  };
  std::vector<Move> moves;
  for (Strided* v : vectors)
    if (v->increment != 1)
      moves.push_back({v, Vector(*v), {kernels.scratch(static_cast<int>(moves.size()), v->n * element_size(p)), 0, 1}});
  const auto copy = [&](size_t n, const Vector& from, const Vector& to) {
    const auto share = kernels.share(n, Kernels::most_items);
    kernels.launch(p, "copy", share.of, size(n), share.block, from, to);
  };
  kernels.begin(on);
  for (const Move& m : moves) {
    copy(m.vector->n, m.given, m.dense);
    *m.vector = {m.dense.memory, 0, 1, m.vector->n};
  }
  run(kernels.part(on));
  for (const Move& m : moves)
    if (m.vector == result) copy(m.vector->n, m.dense, m.given);
  kernels.end(on);
}

clblasStatus gemv(const char* name, Precision p, clblasOrder order, clblasTranspose trans, size_t M, size_t N,
                  Scalar alpha, Matrix A, Strided x, Scalar beta, Strided y, const Queues& queues) {
  const bool plain = trans == clblasNoTrans;
  x.n = plain ? N : M, y.n = plain ? M : N;
  Check check(name, p);
  check.flags(order).flags(trans).matrix(Role::A, A, order, M, N);
  check.vector(Role::X, x).vector(Role::Y, y);
  Call c = begin(Operation::Gemm, p, order);
  set(c.transa, trans);
  c.m = size(y.n), c.n = 1, c.k = size(x.n), c.alpha = alpha, c.beta = beta;
  return submit(check, queues, [&](Lane& lane, const Submission& on) {
    contiguous(lane, p, on, {&x, &y}, &y, [&](const Submission& then) {
      c.a = A.memory, c.lda = ld(A), c.b = x.memory, c.ldb = ld(x, order), c.c = y.memory, c.ldc = ld(y, order);
      execute(c, {size(A.offset), size(x.offset), size(y.offset)}, then);
    });
  });
}

/// SYMV or HEMV, as SYMM or HEMM.
clblasStatus symv(const char* name, Operation operation, Precision p, clblasOrder order, clblasUplo uplo, size_t N,
                  Scalar alpha, Matrix A, Strided x, Scalar beta, Strided y, const Queues& queues) {
  x.n = y.n = N;
  Check check(name, p);
  check.flags(order).flags(uplo).matrix(Role::A, A, order, N, N);
  check.vector(Role::X, x).vector(Role::Y, y);
  Call c = begin(operation, p, order);
  set(c.uplo, uplo);
  c.m = size(N), c.n = 1, c.alpha = alpha, c.beta = beta;
  return submit(check, queues, [&](Lane& lane, const Submission& on) {
    contiguous(lane, p, on, {&x, &y}, &y, [&](const Submission& then) {
      c.a = A.memory, c.lda = ld(A), c.b = x.memory, c.ldb = ld(x, order), c.c = y.memory, c.ldc = ld(y, order);
      execute(c, {size(A.offset), size(x.offset), size(y.offset)}, then);
    });
  });
}

/// TRMV or TRSV.
clblasStatus triangular(const char* name, Operation operation, Precision p, clblasOrder order, clblasUplo uplo,
                        clblasTranspose trans, clblasDiag diag, size_t N, Matrix A, Strided x, const Queues& queues) {
  x.n = N;
  Check check(name, p);
  check.flags(order).flags(uplo).flags(trans).flags(diag);
  check.matrix(Role::A, A, order, N, N);
  check.vector(Role::X, x);
  Call c = begin(operation, p, order);
  set(c.uplo, uplo), set(c.transa, trans), set(c.diag, diag);
  c.n = size(N), c.a = A.memory, c.lda = ld(A), c.b = x.memory, c.incx = x.increment;
  return submit(check, queues, [&](Lane&, const Submission& on) {
    execute(c, {size(A.offset), size(x.offset), 0}, on);
  });
}

/// GER, GERU or GERC: A plus a product whose inner dimension is 1.
clblasStatus ger(const char* name, Op transposed, Precision p, clblasOrder order, size_t M, size_t N, Scalar alpha,
                 Strided x, Strided y, Matrix A, const Queues& queues) {
  x.n = M, y.n = N;
  Check check(name, p);
  check.flags(order).matrix(Role::A, A, order, M, N);
  check.vector(Role::X, x).vector(Role::Y, y);
  Call c = begin(Operation::Gemm, p, order);
  c.transb = transposed;
  c.m = size(M), c.n = size(N), c.k = 1, c.alpha = alpha, c.beta = 1;
  return submit(check, queues, [&](Lane& lane, const Submission& on) {
    contiguous(lane, p, on, {&x, &y}, nullptr, [&](const Submission& then) {
      c.a = x.memory, c.lda = ld(x, order), c.b = y.memory, c.ldb = ld(y, order), c.c = A.memory, c.ldc = ld(A);
      execute(c, {size(x.offset), size(y.offset), size(A.offset)}, then);
    });
  });
}

/// SYR, HER, SYR2 or HER2, as rank-k updates with k = 1; the first two have no y.
clblasStatus update(const char* name, Operation operation, Precision p, clblasOrder order, clblasUplo uplo, size_t N,
                    Scalar alpha, Strided x, Strided y, Matrix A, const Queues& queues) {
  const bool two = operation == Operation::Syr2k || operation == Operation::Her2k;
  x.n = y.n = N;
  Check check(name, p);
  check.flags(order).flags(uplo).matrix(Role::A, A, order, N, N);
  check.vector(Role::X, x);
  if (two) check.vector(Role::Y, y);
  Call c = begin(operation, p, order);
  set(c.uplo, uplo);
  c.n = size(N), c.k = 1, c.alpha = alpha, c.beta = 1;
  if (!two) y.increment = 1;
  return submit(check, queues, [&](Lane& lane, const Submission& on) {
    contiguous(lane, p, on, {&x, &y}, nullptr, [&](const Submission& then) {
      c.a = x.memory, c.lda = ld(x, order), c.b = y.memory, c.ldb = ld(y, order), c.c = A.memory, c.ldc = ld(A);
      execute(c, {size(x.offset), size(y.offset), size(A.offset)}, then);
    });
  });
}

}  // namespace
}  // namespace trigon::clblas

using namespace trigon::clblas;
using trigon::Op;
using trigon::Operation;
using trigon::Precision;

// Each as clblasX, as clAmdBlasXEx where that was the form with offsets, and as the clAmdBlasX without.
extern "C" {

#define GEMV(P, S, p)                                                                                                  \
  TRIGON_CLBLAS_GEMV(clblas##P##gemv, S) {                                                                             \
    return gemv(__func__, Precision::p, order, transA, M, N, wide(alpha), {A, offA, lda}, {x, offx, incx}, wide(beta), \
                {y, offy, incy}, TRIGON_CLBLAS_GIVEN);                                                                 \
  }                                                                                                                    \
  TRIGON_CLBLAS_GEMV(clAmdBlas##P##gemvEx, S) __attribute__((alias("clblas" #P "gemv")));                              \
  TRIGON_CLAMDBLAS_GEMV(clAmdBlas##P##gemv, S) {                                                                       \
    return gemv(__func__, Precision::p, order, transA, M, N, wide(alpha), {A, 0, lda}, {x, offx, incx}, wide(beta),    \
                {y, offy, incy}, TRIGON_CLBLAS_GIVEN);                                                                 \
  }
GEMV(S, cl_float, Single)
GEMV(D, cl_double, Double)
GEMV(C, FloatComplex, ComplexSingle)
GEMV(Z, DoubleComplex, ComplexDouble)

#define SYMV_WITH_OFFSETS(P, lower, operation, S, p)                                                       \
  TRIGON_CLBLAS_SYMV(clblas##P##lower, S) {                                                                \
    return symv(__func__, Operation::operation, Precision::p, order, uplo, N, wide(alpha), {A, offA, lda}, \
                {x, offx, incx}, wide(beta), {y, offy, incy}, TRIGON_CLBLAS_GIVEN);                        \
  }
#define SYMV(P, S, p)                                                                                               \
  SYMV_WITH_OFFSETS(P, symv, Symm, S, p)                                                                            \
  TRIGON_CLBLAS_SYMV(clAmdBlas##P##symvEx, S) __attribute__((alias("clblas" #P "symv")));                           \
  TRIGON_CLAMDBLAS_SYMV(clAmdBlas##P##symv, S) {                                                                    \
    return symv(__func__, Operation::Symm, Precision::p, order, uplo, N, wide(alpha), {A, 0, lda}, {x, offx, incx}, \
                wide(beta), {y, offy, incy}, TRIGON_CLBLAS_GIVEN);                                                  \
  }
SYMV(S, cl_float, Single)
SYMV(D, cl_double, Double)

#define HEMV(P, S, p)                    \
  SYMV_WITH_OFFSETS(P, hemv, Hemm, S, p) \
  TRIGON_CLBLAS_SYMV(clAmdBlas##P##hemv, S) __attribute__((alias("clblas" #P "hemv")));
HEMV(C, FloatComplex, ComplexSingle)
HEMV(Z, DoubleComplex, ComplexDouble)

#define TRMV(P, p)                                                                                          \
  TRIGON_CLBLAS_TRMV(clblas##P##trmv) {                                                                     \
    static_cast<void>(scratchBuff);                                                                         \
    return triangular(__func__, Operation::Trmv, Precision::p, order, uplo, trans, diag, N, {A, offa, lda}, \
                      {X, offx, incx}, TRIGON_CLBLAS_GIVEN);                                                \
  }                                                                                                         \
  TRIGON_CLBLAS_TRMV(clAmdBlas##P##trmv) __attribute__((alias("clblas" #P "trmv")));                        \
  TRIGON_CLBLAS_TRSV(clblas##P##trsv) {                                                                     \
    return triangular(__func__, Operation::Trsv, Precision::p, order, uplo, trans, diag, N, {A, offa, lda}, \
                      {X, offx, incx}, TRIGON_CLBLAS_GIVEN);                                                \
  }                                                                                                         \
  TRIGON_CLBLAS_TRSV(clAmdBlas##P##trsv) __attribute__((alias("clblas" #P "trsv")));
TRMV(S, Single)
TRMV(D, Double)
TRMV(C, ComplexSingle)
TRMV(Z, ComplexDouble)

#define GER(P, lower, op, S, p)                                                                            \
  TRIGON_CLBLAS_GER(clblas##P##lower, S) {                                                                 \
    return ger(__func__, Op::op, Precision::p, order, M, N, wide(alpha), {X, offx, incx}, {Y, offy, incy}, \
               {A, offa, lda}, TRIGON_CLBLAS_GIVEN);                                                       \
  }                                                                                                        \
  TRIGON_CLBLAS_GER(clAmdBlas##P##lower, S) __attribute__((alias("clblas" #P #lower)));
GER(S, ger, Trans, cl_float, Single)
GER(D, ger, Trans, cl_double, Double)
GER(C, geru, Trans, cl_float2, ComplexSingle)
GER(Z, geru, Trans, cl_double2, ComplexDouble)
GER(C, gerc, ConjTrans, cl_float2, ComplexSingle)
GER(Z, gerc, ConjTrans, cl_double2, ComplexDouble)

#define SYR(P, lower, operation, S, p)                                                                            \
  TRIGON_CLBLAS_SYR(clblas##P##lower, S) {                                                                        \
    return update(__func__, Operation::operation, Precision::p, order, uplo, N, wide(alpha), {X, offx, incx}, {}, \
                  {A, offa, lda}, TRIGON_CLBLAS_GIVEN);                                                           \
  }                                                                                                               \
  TRIGON_CLBLAS_SYR(clAmdBlas##P##lower, S) __attribute__((alias("clblas" #P #lower)));
SYR(S, syr, Syrk, cl_float, Single)
SYR(D, syr, Syrk, cl_double, Double)
SYR(C, her, Herk, cl_float, ComplexSingle)
SYR(Z, her, Herk, cl_double, ComplexDouble)

#define SYR2(P, lower, operation, S, p)                                                                       \
  TRIGON_CLBLAS_SYR2(clblas##P##lower, S) {                                                                   \
    return update(__func__, Operation::operation, Precision::p, order, uplo, N, wide(alpha), {X, offx, incx}, \
                  {Y, offy, incy}, {A, offa, lda}, TRIGON_CLBLAS_GIVEN);                                      \
  }                                                                                                           \
  TRIGON_CLBLAS_SYR2(clAmdBlas##P##lower, S) __attribute__((alias("clblas" #P #lower)));
SYR2(S, syr2, Syr2k, cl_float, Single)
SYR2(D, syr2, Syr2k, cl_double, Double)
SYR2(C, her2, Her2k, cl_float2, ComplexSingle)
SYR2(Z, her2, Her2k, cl_double2, ComplexDouble)

}  // extern "C"
