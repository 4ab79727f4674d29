// From the caller's words to views: layout, side, op and increments disappear here and nowhere else.
#pragma once

#include "core/request.hpp"

#include <trigon/call.hpp>

namespace trigon::core {

/// A rows × cols view of stored data: by columns (unit row stride) or by rows.
inline Operand laid_out(const void* data, index rows, index cols, bool by_columns, index ld) {
  Operand o{const_cast<void*>(data), 0, rows, cols, 1, ld, false};
  if (!by_columns) o.row_stride = ld, o.col_stride = 1;
  return o;
}

/// The canonical form of a checked call. Each transposition on the way (row-major storage, an op, a right
/// side) exchanges "by columns" and "by rows" and flips the triangle; two of them cancel.
inline Request canonical(const Call& call) {
  const bool complex = call.precision == Precision::ComplexSingle || call.precision == Precision::ComplexDouble;
  const bool columns = call.layout == Layout::ColMajor;
  const bool right = call.side == Side::Right;
  const bool turned = call.transa != Op::NoTrans;
  const bool conj = complex && call.transa == Op::ConjTrans;  // real matrices have no conjugate
  const index m = call.m, n = call.n, k = call.k;

  Request r;
  r.operation = call.operation;
  r.precision = call.precision;
  r.uplo = call.uplo;
  r.alpha = call.alpha;
  r.beta = call.beta;
  switch (call.operation) {
    case Operation::Gemm:
      r.a = laid_out(call.a, m, k, columns != turned, call.lda);
      r.b = laid_out(call.b, k, n, columns != (call.transb != Op::NoTrans), call.ldb);
      r.c = laid_out(call.c, m, n, columns, call.ldc);
      r.a.conj = conj;
      r.b.conj = complex && call.transb == Op::ConjTrans;
      break;
    case Operation::Symm:
    case Operation::Hemm: {  // right: C^T = alpha S^T B^T + beta C^T
      const index rows = right ? n : m, cols = right ? m : n;
      r.a = laid_out(call.a, rows, rows, columns != right, call.lda);
      r.b = laid_out(call.b, rows, cols, columns != right, call.ldb);
      r.c = laid_out(call.c, rows, cols, columns != right, call.ldc);
      if (right) r.uplo = flip(r.uplo);
      break;
    }
    case Operation::Syr2k:
    case Operation::Her2k:
      r.b = laid_out(call.b, n, k, columns != turned, call.ldb);
      r.b.conj = conj;
      [[fallthrough]];
    case Operation::Syrk:
    case Operation::Herk:
      r.a = laid_out(call.a, n, k, columns != turned, call.lda);
      r.a.conj = conj;
      r.c = laid_out(call.c, n, n, columns, call.ldc);
      break;
    case Operation::Trmm:
    case Operation::Trsm: {  // right: op(A)^T X^T = alpha B^T
      const index rows = right ? n : m, cols = right ? m : n;
      r.diag = call.diag;
      r.a = laid_out(call.a, rows, rows, columns != (turned != right), call.lda);
      r.a.conj = conj;
      r.b = laid_out(call.b, rows, cols, columns != right, call.ldb);
      if (turned != right) r.uplo = flip(r.uplo);
      break;
    }
    case Operation::Trmv:
    case Operation::Trsv:
      r.diag = call.diag;
      r.alpha = 1;
      r.a = laid_out(call.a, n, n, columns != turned, call.lda);
      r.a.conj = conj;
      if (turned) r.uplo = flip(r.uplo);
      // BLAS stores a vector with a negative increment backwards from its end.
      r.b = {call.b, call.incx < 0 ? (1 - n) * call.incx : 0, n, 1, call.incx, n, false};
      break;
  }
  return r;
}

}  // namespace trigon::core
