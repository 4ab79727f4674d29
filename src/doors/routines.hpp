// The routines that Trigon carries out, once, for the doors whose entry points must have plain C names.
//
// TRIGON_<SHAPE>(F, P, D) lists the parameters of a shape in BLAS's order, as (D, kind, field): D is a struct of
// types and of readers, `kind` one of its types, and `field` the field of trigon::Call that the parameter fills.
// A door expands the list several times: into the parameters of a function (F is the first of them, so that commas come
// out right) and into the statements that fill the Call.
#pragma once

#include "core/rules.hpp"

#include <trigon/call.hpp>

#include <algorithm>
#include <complex>
#include <initializer_list>
#include <type_traits>

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

// The expansions of a list: into parameters, into arguments.
#define TRIGON_FIRST_PARAMETER(D, kind, field) D::kind field
#define TRIGON_PARAMETER(D, kind, field) , D::kind field
#define TRIGON_ARGUMENT(D, kind, field) , field

// Into the call, of all parameters or of those that are there, and into whether they are.
#define TRIGON_READ(D, kind, field) D::read(call.field, field);
#define TRIGON_READ_IF_THERE(D, kind, field) \
  if (trigon::doors::there<decltype(trigon::Call::field)>(field)) D::read(call.field, field);
#define TRIGON_AND_THERE(D, kind, field) &&trigon::doors::there<decltype(trigon::Call::field)>(field)
#define TRIGON_THERE(D, kind, field) trigon::doors::there<decltype(trigon::Call::field)>(field),

// The body of an entry point with parameters of SHAPE, read by D: carries out the call, or says what is bad.
// `prepare(call)` comes before the parameters, `at_once(call)` before the checks: whether it has carried out the call,
// which then never was in memory. `reject(call, argument)` and `run(call)` return what the routine does.
#define TRIGON_BODY(T, Name, SHAPE, D, prepare, at_once, reject, run)                            \
  constexpr auto operation = trigon::Operation::Name;                                            \
  if (!(true SHAPE(TRIGON_AND_THERE, TRIGON_AND_THERE, D))) [[unlikely]] {                       \
    trigon::Call call = trigon::doors::blank<T>(operation);                                      \
    prepare(call);                                                                               \
    SHAPE(TRIGON_READ_IF_THERE, TRIGON_READ_IF_THERE, D)                                         \
    return reject(call, trigon::doors::first_bad(call, {SHAPE(TRIGON_THERE, TRIGON_THERE, D)})); \
  }                                                                                              \
  trigon::Call call = trigon::doors::blank<T>(operation);                                        \
  prepare(call);                                                                                 \
  SHAPE(TRIGON_READ, TRIGON_READ, D)                                                             \
  if (at_once(call)) return decltype(run(call))();                                               \
  const trigon::Call checked = call;                                                             \
  if (!trigon::core::rules::fine(checked, operation)) [[unlikely]]                               \
    return reject(checked, trigon::check(checked));                                              \
  return run(checked);

namespace trigon::doors {

/// Of doors that check every call first.
constexpr bool not_at_once(const Call&) { return false; }

template <class T>
[[gnu::always_inline]] inline Call blank(Operation operation) {
  Call call;
  call.operation = operation;
  call.precision = precision_of<T>;
  return call;
}

/// Whether an argument for a field of this type is there: operands may be null pointers, as far as a door can know.
template <class Field, class P>
constexpr bool there(P argument) {
  if constexpr (std::is_pointer_v<P> && !std::is_pointer_v<Field>)
    return argument != nullptr;
  else
    return true;
}

/// The first bad argument of a call whose parameters were not all there.
[[gnu::cold]] inline Argument first_bad(const Call& call, std::initializer_list<bool> is_there) {
  const auto at = std::find(is_there.begin(), is_there.end(), false) - is_there.begin();
  const Argument missing = parameters(call.operation)[static_cast<std::size_t>(at)], bad = check(call);
  const auto place = [&](Argument a) { return position(call.operation, a, true); };
  return bad != Argument::None && place(bad) < place(missing) ? bad : missing;
}

}  // namespace trigon::doors
