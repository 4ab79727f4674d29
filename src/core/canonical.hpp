// From the caller's words to views: layout, side, op and increments disappear here and nowhere else.
#pragma once

#include "core/request.hpp"

#include <trigon/call.hpp>

namespace trigon::core {

namespace detail {

inline Operand stored(const void* data, index rows, index cols, Layout layout, index ld) {
  Operand o{const_cast<void*>(data), 0, rows, cols, 1, ld};
  if (layout == Layout::RowMajor) o.row_stride = ld, o.col_stride = 1;
  return o;
}

inline Operand transpose(Operand o) {
  std::swap(o.rows, o.cols);
  std::swap(o.row_stride, o.col_stride);
  return o;
}

/// `o` after op. Real matrices have no conjugate.
inline Operand applied(Operand o, Op op, bool complex) {
  if (op == Op::NoTrans) return o;
  o = transpose(o);
  o.conj = complex && op == Op::ConjTrans;
  return o;
}

}  // namespace detail

/// The canonical form of a checked call.
inline Request canonical(const Call& call) {
  using namespace detail;
  const bool complex = call.precision == Precision::ComplexSingle || call.precision == Precision::ComplexDouble;
  const auto operand = [&](Argument which, const void* data, index ld) {
    const Extent e = extent(call, which);
    return stored(data, e.rows, e.cols, call.layout, ld);
  };

  Request r;
  r.operation = call.operation;
  r.precision = call.precision;
  r.uplo = call.uplo;
  r.alpha = call.alpha;
  r.beta = call.beta;
  r.a = operand(Argument::A, call.a, call.lda);

  switch (call.operation) {
    case Operation::Gemm:
      r.a = applied(r.a, call.transa, complex);
      r.b = applied(operand(Argument::B, call.b, call.ldb), call.transb, complex);
      r.c = operand(Argument::C, call.c, call.ldc);
      break;
    case Operation::Symm:
    case Operation::Hemm:
      r.b = operand(Argument::B, call.b, call.ldb);
      r.c = operand(Argument::C, call.c, call.ldc);
      if (call.side == Side::Right) {  // C^T = alpha S^T B^T + beta C^T
        r.a = transpose(r.a), r.b = transpose(r.b), r.c = transpose(r.c);
        r.uplo = flip(r.uplo);
      }
      break;
    case Operation::Syr2k:
    case Operation::Her2k: r.b = applied(operand(Argument::B, call.b, call.ldb), call.transa, complex); [[fallthrough]];
    case Operation::Syrk:
    case Operation::Herk:
      r.a = applied(r.a, call.transa, complex);
      r.c = operand(Argument::C, call.c, call.ldc);
      break;
    case Operation::Trmm:
    case Operation::Trsm:
    case Operation::Trmv:
    case Operation::Trsv:
      r.diag = call.diag;
      r.a = applied(r.a, call.transa, complex);
      if (call.transa != Op::NoTrans) r.uplo = flip(r.uplo);
      if (call.operation == Operation::Trmv || call.operation == Operation::Trsv) {
        // BLAS stores a vector with a negative increment backwards from its end.
        r.alpha = 1;
        r.b = {call.b, call.incx < 0 ? (1 - call.n) * call.incx : 0, call.n, 1, call.incx, 1};
        break;
      }
      r.b = operand(Argument::B, call.b, call.ldb);
      if (call.side == Side::Right) {  // op(A)^T X^T = alpha B^T
        r.a = transpose(r.a), r.b = transpose(r.b);
        r.uplo = flip(r.uplo);
      }
      break;
  }
  return r;
}

}  // namespace trigon::core
