// A Call through the clBLAS interface. Its operands are buffers.
#pragma once

#include "opencl/on_device.hpp"

#include <clAmdBlas.h>

namespace trigon::test {

/// What every routine has last.
struct Submitted {
  cl_uint count = 0;
  cl_command_queue* list = nullptr;
  cl_uint waits = 0;
  const cl_event* wait_list = nullptr;
  cl_event* events = nullptr;
};

/// Set up for as long as it lives.
struct Session {
  Session() { clblasSetup(); }
  ~Session() { clblasTeardown(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

namespace clblas {

inline clblasOrder of(Layout v) { return v == Layout::RowMajor ? clblasRowMajor : clblasColumnMajor; }
inline clblasSide of(Side v) { return v == Side::Left ? clblasLeft : clblasRight; }
inline clblasUplo of(Uplo v) { return v == Uplo::Upper ? clblasUpper : clblasLower; }
inline clblasDiag of(Diag v) { return v == Diag::Unit ? clblasUnit : clblasNonUnit; }
inline clblasTranspose of(Op v) {
  return v == Op::NoTrans ? clblasNoTrans : v == Op::Trans ? clblasTrans : clblasConjTrans;
}

template <class S>
S scalar(std::complex<double> v) {
  if constexpr (std::is_arithmetic_v<S>) {
    return static_cast<S>(v.real());
  } else if constexpr (std::is_same_v<S, cl_float2>) {
    return floatComplex(static_cast<float>(v.real()), static_cast<float>(v.imag()));
  } else {
    return doubleComplex(v.real(), v.imag());
  }
}

/// Whatever is handed to a routine with a scalar becomes the scalar that it takes.
struct Any {
  std::complex<double> value;
  operator cl_float() const { return scalar<cl_float>(value); }
  operator cl_double() const { return scalar<cl_double>(value); }
  operator cl_float2() const { return scalar<cl_float2>(value); }
  operator cl_double2() const { return scalar<cl_double2>(value); }
};

/// The routine of the precision.
#define TRIGON_ALL(name, ...)                                             \
  (c.precision == Precision::Single          ? clblasS##name(__VA_ARGS__) \
   : c.precision == Precision::Double        ? clblasD##name(__VA_ARGS__) \
   : c.precision == Precision::ComplexSingle ? clblasC##name(__VA_ARGS__) \
                                             : clblasZ##name(__VA_ARGS__))
#define TRIGON_COMPLEX(name, ...) \
  (c.precision == Precision::ComplexSingle ? clblasC##name(__VA_ARGS__) : clblasZ##name(__VA_ARGS__))

inline clblasStatus execute(const Call& c, const Offsets& at, const Submitted& q) {
  const auto order = of(c.layout);
  const auto memory = [](const void* p) { return static_cast<cl_mem>(const_cast<void*>(p)); };
  const cl_mem A = memory(c.a), B = memory(c.b), C = memory(c.c);
  const Any alpha{c.alpha}, beta{c.beta};
  const auto m = static_cast<size_t>(c.m), n = static_cast<size_t>(c.n), k = static_cast<size_t>(c.k);
  const auto lda = static_cast<size_t>(c.lda), ldb = static_cast<size_t>(c.ldb), ldc = static_cast<size_t>(c.ldc);
  const auto oa = static_cast<size_t>(at.a), ob = static_cast<size_t>(at.b), oc = static_cast<size_t>(at.c);
  const int incx = static_cast<int>(c.incx);
#define TRIGON_Q q.count, q.list, q.waits, q.wait_list, q.events
  switch (c.operation) {
    case Operation::Gemm:
      return TRIGON_ALL(gemm, order, of(c.transa), of(c.transb), m, n, k, alpha, A, oa, lda, B, ob, ldb, beta, C, oc,
                        ldc, TRIGON_Q);
    case Operation::Symm:
      return TRIGON_ALL(symm, order, of(c.side), of(c.uplo), m, n, alpha, A, oa, lda, B, ob, ldb, beta, C, oc, ldc,
                        TRIGON_Q);
    case Operation::Hemm:
      return TRIGON_COMPLEX(hemm, order, of(c.side), of(c.uplo), m, n, alpha, A, oa, lda, B, ob, ldb, beta, C, oc, ldc,
                            TRIGON_Q);
    case Operation::Syrk:
      return TRIGON_ALL(syrk, order, of(c.uplo), of(c.transa), n, k, alpha, A, oa, lda, beta, C, oc, ldc, TRIGON_Q);
    case Operation::Herk:
      return TRIGON_COMPLEX(herk, order, of(c.uplo), of(c.transa), n, k, alpha, A, oa, lda, beta, C, oc, ldc, TRIGON_Q);
    case Operation::Syr2k:
      return TRIGON_ALL(syr2k, order, of(c.uplo), of(c.transa), n, k, alpha, A, oa, lda, B, ob, ldb, beta, C, oc, ldc,
                        TRIGON_Q);
    case Operation::Her2k:
      return TRIGON_COMPLEX(her2k, order, of(c.uplo), of(c.transa), n, k, alpha, A, oa, lda, B, ob, ldb, beta, C, oc,
                            ldc, TRIGON_Q);
    case Operation::Trmm:
      return TRIGON_ALL(trmm, order, of(c.side), of(c.uplo), of(c.transa), of(c.diag), m, n, alpha, A, oa, lda, B, ob,
                        ldb, TRIGON_Q);
    case Operation::Trsm:
      return TRIGON_ALL(trsm, order, of(c.side), of(c.uplo), of(c.transa), of(c.diag), m, n, alpha, A, oa, lda, B, ob,
                        ldb, TRIGON_Q);
    case Operation::Trmv:
      return TRIGON_ALL(trmv, order, of(c.uplo), of(c.transa), of(c.diag), n, A, oa, lda, B, ob, incx, nullptr,
                        TRIGON_Q);
    case Operation::Trsv: break;
  }
  return TRIGON_ALL(trsv, order, of(c.uplo), of(c.transa), of(c.diag), n, A, oa, lda, B, ob, incx, TRIGON_Q);
}

/// The same under the older names, with offsets: the forms that end in Ex where there are such.
inline clblasStatus execute_older(const Call& c, const Offsets& at, const Submitted& q) {
  const auto order = of(c.layout);
  const auto memory = [](const void* p) { return static_cast<cl_mem>(const_cast<void*>(p)); };
  const cl_mem A = memory(c.a), B = memory(c.b), C = memory(c.c);
  const auto m = static_cast<size_t>(c.m), n = static_cast<size_t>(c.n), k = static_cast<size_t>(c.k);
  const auto lda = static_cast<size_t>(c.lda), ldb = static_cast<size_t>(c.ldb), ldc = static_cast<size_t>(c.ldc);
  const auto oa = static_cast<size_t>(at.a), ob = static_cast<size_t>(at.b), oc = static_cast<size_t>(at.c);
  const cl_double alpha = c.alpha.real(), beta = c.beta.real();
  switch (c.operation) {
    case Operation::Gemm:
      return clAmdBlasDgemmEx(order, of(c.transa), of(c.transb), m, n, k, alpha, A, oa, lda, B, ob, ldb, beta, C, oc,
                              ldc, TRIGON_Q);
    case Operation::Symm:
      return clAmdBlasDsymm(order, of(c.side), of(c.uplo), m, n, alpha, A, oa, lda, B, ob, ldb, beta, C, oc, ldc,
                            TRIGON_Q);
    case Operation::Syrk:
      return clAmdBlasDsyrkEx(order, of(c.uplo), of(c.transa), n, k, alpha, A, oa, lda, beta, C, oc, ldc, TRIGON_Q);
    case Operation::Syr2k:
      return clAmdBlasDsyr2kEx(order, of(c.uplo), of(c.transa), n, k, alpha, A, oa, lda, B, ob, ldb, beta, C, oc, ldc,
                               TRIGON_Q);
    case Operation::Trmm:
      return clAmdBlasDtrmmEx(order, of(c.side), of(c.uplo), of(c.transa), of(c.diag), m, n, alpha, A, oa, lda, B, ob,
                              ldb, TRIGON_Q);
    case Operation::Trsm:
      return clAmdBlasDtrsmEx(order, of(c.side), of(c.uplo), of(c.transa), of(c.diag), m, n, alpha, A, oa, lda, B, ob,
                              ldb, TRIGON_Q);
    case Operation::Trmv:
      return clAmdBlasDtrmv(order, of(c.uplo), of(c.transa), of(c.diag), n, A, oa, lda, B, ob, static_cast<int>(c.incx),
                            nullptr, TRIGON_Q);
    case Operation::Trsv:
      return clAmdBlasDtrsv(order, of(c.uplo), of(c.transa), of(c.diag), n, A, oa, lda, B, ob, static_cast<int>(c.incx),
                            TRIGON_Q);
    default: return clblasNotImplemented;
  }
}

/// The same without offsets.
inline clblasStatus execute_without_offsets(const Call& c, const Submitted& q) {
  const auto order = of(c.layout);
  const auto memory = [](const void* p) { return static_cast<cl_mem>(const_cast<void*>(p)); };
  const cl_mem A = memory(c.a), B = memory(c.b), C = memory(c.c);
  const auto m = static_cast<size_t>(c.m), n = static_cast<size_t>(c.n), k = static_cast<size_t>(c.k);
  const auto lda = static_cast<size_t>(c.lda), ldb = static_cast<size_t>(c.ldb), ldc = static_cast<size_t>(c.ldc);
  const cl_double alpha = c.alpha.real(), beta = c.beta.real();
  switch (c.operation) {
    case Operation::Gemm:
      return clAmdBlasDgemm(order, of(c.transa), of(c.transb), m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, TRIGON_Q);
    case Operation::Syrk:
      return clAmdBlasDsyrk(order, of(c.uplo), of(c.transa), n, k, alpha, A, lda, beta, C, ldc, TRIGON_Q);
    case Operation::Syr2k:
      return clAmdBlasDsyr2k(order, of(c.uplo), of(c.transa), n, k, alpha, A, lda, B, ldb, beta, C, ldc, TRIGON_Q);
    case Operation::Trmm:
      return clAmdBlasDtrmm(order, of(c.side), of(c.uplo), of(c.transa), of(c.diag), m, n, alpha, A, lda, B, ldb,
                            TRIGON_Q);
    case Operation::Trsm:
      return clAmdBlasDtrsm(order, of(c.side), of(c.uplo), of(c.transa), of(c.diag), m, n, alpha, A, lda, B, ldb,
                            TRIGON_Q);
    default: return clblasNotImplemented;
  }
}

}  // namespace clblas
}  // namespace trigon::test
