// The routines that Trigon carries out, once, for the doors whose entry points must have plain C names.
//
// TRIGON_<SHAPE>(F, P, D) lists the parameters of a shape in BLAS's order, as (D, kind, field): D is a struct of
// types and of readers, `kind` one of its types, and `field` the field of trigon::Call that the parameter fills.
// A door expands the list twice: into the parameters of a function (F is the first of them, so that commas come
// out right) and into the statements that fill the Call.
#pragma once

#include "core/rules.hpp"

#include <trigon/call.hpp>

#include <complex>

// clang-format off
#define TRIGON_GEMM(F, P, D)                                                            \
  F(D, flag, transa) P(D, flag, transb) P(D, size, m) P(D, size, n) P(D, size, k)       \
  P(D, scalar, alpha) P(D, in, a) P(D, size, lda) P(D, in, b) P(D, size, ldb)           \
  P(D, scalar, beta) P(D, out, c) P(D, size, ldc)

#define TRIGON_SYMM(F, P, D)                                                            \
  F(D, flag, side) P(D, flag, uplo) P(D, size, m) P(D, size, n)                         \
  P(D, scalar, alpha) P(D, in, a) P(D, size, lda) P(D, in, b) P(D, size, ldb)           \
  P(D, scalar, beta) P(D, out, c) P(D, size, ldc)

#define TRIGON_SYRK(F, P, D)                                                            \
  F(D, flag, uplo) P(D, flag, transa) P(D, size, n) P(D, size, k)                       \
  P(D, scalar, alpha) P(D, in, a) P(D, size, lda) P(D, scalar, beta) P(D, out, c) P(D, size, ldc)

#define TRIGON_HERK(F, P, D)                                                            \
  F(D, flag, uplo) P(D, flag, transa) P(D, size, n) P(D, size, k)                       \
  P(D, real, alpha) P(D, in, a) P(D, size, lda) P(D, real, beta) P(D, out, c) P(D, size, ldc)

#define TRIGON_SYR2K(F, P, D)                                                           \
  F(D, flag, uplo) P(D, flag, transa) P(D, size, n) P(D, size, k)                       \
  P(D, scalar, alpha) P(D, in, a) P(D, size, lda) P(D, in, b) P(D, size, ldb)           \
  P(D, scalar, beta) P(D, out, c) P(D, size, ldc)

#define TRIGON_HER2K(F, P, D)                                                           \
  F(D, flag, uplo) P(D, flag, transa) P(D, size, n) P(D, size, k)                       \
  P(D, scalar, alpha) P(D, in, a) P(D, size, lda) P(D, in, b) P(D, size, ldb)           \
  P(D, real, beta) P(D, out, c) P(D, size, ldc)

#define TRIGON_TRSM(F, P, D)                                                            \
  F(D, flag, side) P(D, flag, uplo) P(D, flag, transa) P(D, flag, diag)                 \
  P(D, size, m) P(D, size, n) P(D, scalar, alpha) P(D, in, a) P(D, size, lda)           \
  P(D, out, b) P(D, size, ldb)

#define TRIGON_TRSV(F, P, D)                                                            \
  F(D, flag, uplo) P(D, flag, transa) P(D, flag, diag) P(D, size, n)                    \
  P(D, in, a) P(D, size, lda) P(D, out, b) P(D, size, incx)

// X(prefix, element type, routine, Operation, shape)
#define TRIGON_REAL_PRECISIONS(X, routine, operation, shape) \
  X(s, float, routine, operation, shape) X(d, double, routine, operation, shape)
#define TRIGON_COMPLEX_PRECISIONS(X, routine, operation, shape) \
  X(c, std::complex<float>, routine, operation, shape) X(z, std::complex<double>, routine, operation, shape)
#define TRIGON_ALL_PRECISIONS(X, routine, operation, shape) \
  TRIGON_REAL_PRECISIONS(X, routine, operation, shape) TRIGON_COMPLEX_PRECISIONS(X, routine, operation, shape)

#define TRIGON_ROUTINES(X)                                 \
  TRIGON_ALL_PRECISIONS(X, gemm, Gemm, TRIGON_GEMM)        \
  TRIGON_ALL_PRECISIONS(X, symm, Symm, TRIGON_SYMM)        \
  TRIGON_COMPLEX_PRECISIONS(X, hemm, Hemm, TRIGON_SYMM)    \
  TRIGON_ALL_PRECISIONS(X, syrk, Syrk, TRIGON_SYRK)        \
  TRIGON_COMPLEX_PRECISIONS(X, herk, Herk, TRIGON_HERK)    \
  TRIGON_ALL_PRECISIONS(X, syr2k, Syr2k, TRIGON_SYR2K)     \
  TRIGON_COMPLEX_PRECISIONS(X, her2k, Her2k, TRIGON_HER2K) \
  TRIGON_ALL_PRECISIONS(X, trmm, Trmm, TRIGON_TRSM)        \
  TRIGON_ALL_PRECISIONS(X, trsm, Trsm, TRIGON_TRSM)        \
  TRIGON_ALL_PRECISIONS(X, trmv, Trmv, TRIGON_TRSV)        \
  TRIGON_ALL_PRECISIONS(X, trsv, Trsv, TRIGON_TRSV)
// clang-format on

// The expansions of a list: into parameters, into statements that fill the Call, into arguments.
#define TRIGON_FIRST_PARAMETER(D, kind, field) D::kind field
#define TRIGON_PARAMETER(D, kind, field) , D::kind field
#define TRIGON_FILL(D, kind, field) \
  if (!D::read(call.field, field) && null == nullptr) null = &call.field;
#define TRIGON_ARGUMENT(D, kind, field) , field

namespace trigon::doors {

/// The first bad argument of a call in which one was a null pointer where a value was needed; `null` is the field
/// that it should have filled.
[[gnu::cold]] inline Argument first_bad_with_null(const Call& call, const void* null) {
  using enum Argument;
  const struct {
    const void* field;
    Argument argument;
  } fields[] = {{&call.side, Argument::Side},
                {&call.uplo, Argument::Uplo},
                {&call.transa, TransA},
                {&call.transb, TransB},
                {&call.diag, Argument::Diag},
                {&call.m, M},
                {&call.n, N},
                {&call.k, K},
                {&call.alpha, Alpha},
                {&call.lda, Lda},
                {&call.ldb, Ldb},
                {&call.incx, Incx},
                {&call.beta, Beta},
                {&call.ldc, Ldc}};
  Argument missing = None;
  for (const auto& [at, argument] : fields)
    if (at == null) missing = argument;
  const Argument bad = check(call);
  const auto place = [&](Argument a) { return position(call.operation, a, true); };
  return bad != None && place(bad) < place(missing) ? bad : missing;
}

/// The first bad argument of a call that a door has filled; `null` as above, or a null pointer when all went well. The
/// operation is given once more, for its rules to be unrolled in the door.
[[gnu::always_inline]] inline Argument first_bad(const Call& call, Operation operation, const void* null) {
  if (null != nullptr) [[unlikely]]
    return first_bad_with_null(call, null);
  return core::rules::fine(call, operation) ? Argument::None : check(call);
}

}  // namespace trigon::doors
