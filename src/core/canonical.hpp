// From the caller's words to views: layout, side, op and increments disappear here and nowhere else.
#pragma once

#include "core/request.hpp"

#include <trigon/call.hpp>

namespace trigon::core {

/// Makes `o` a rows × cols view of stored data: by columns (unit row stride) or by rows.
[[gnu::always_inline]] inline void lay_out(Operand& o, const void* data, index rows, index cols, bool by_columns,
                                           index ld, bool conj = false) {
  o.handle = const_cast<void*>(data);
  o.rows = rows, o.cols = cols;
  o.row_stride = by_columns ? 1 : ld, o.col_stride = by_columns ? ld : 1;
  o.conj = conj;
}

/// The canonical form of a checked call. Each transposition on the way (row-major storage, an op, a right
/// side) exchanges "by columns" and "by rows" and flips the triangle; two of them cancel. The operation and the
/// precision of the call are given once more, because some callers know them when they are compiled.
[[gnu::always_inline]] inline void canonical(const Call& call, Operation operation, Precision precision, Request& r) {
  const bool complex = precision == Precision::ComplexSingle || precision == Precision::ComplexDouble;
  const bool columns = call.layout == Layout::ColMajor;
  const bool right = call.side == Side::Right;
  const bool turned = call.transa != Op::NoTrans;
  const bool conj = complex && call.transa == Op::ConjTrans;  // real matrices have no conjugate
  const index m = call.m, n = call.n, k = call.k;

  r.operation = operation;
  r.precision = precision;
  r.uplo = call.uplo;
  r.alpha = call.alpha;
  r.beta = call.beta;
  switch (operation) {
    case Operation::Gemm:
      lay_out(r.a, call.a, m, k, columns != turned, call.lda, conj);
      lay_out(r.b, call.b, k, n, columns != (call.transb != Op::NoTrans), call.ldb,
              complex && call.transb == Op::ConjTrans);
      lay_out(r.c, call.c, m, n, columns, call.ldc);
      break;
    case Operation::Symm:
    case Operation::Hemm: {  // right: C^T = alpha S^T B^T + beta C^T
      const index rows = right ? n : m, cols = right ? m : n;
      lay_out(r.a, call.a, rows, rows, columns != right, call.lda);
      lay_out(r.b, call.b, rows, cols, columns != right, call.ldb);
      lay_out(r.c, call.c, rows, cols, columns != right, call.ldc);
      if (right) r.uplo = flip(r.uplo);
      break;
    }
    case Operation::Syr2k:
    case Operation::Her2k: lay_out(r.b, call.b, n, k, columns != turned, call.ldb, conj); [[fallthrough]];
    case Operation::Syrk:
    case Operation::Herk:
      lay_out(r.a, call.a, n, k, columns != turned, call.lda, conj);
      lay_out(r.c, call.c, n, n, columns, call.ldc);
      break;
    case Operation::Trmm:
    case Operation::Trsm: {  // right: op(A)^T X^T = alpha B^T
      const index rows = right ? n : m, cols = right ? m : n;
      r.diag = call.diag;
      lay_out(r.a, call.a, rows, rows, columns != (turned != right), call.lda, conj);
      lay_out(r.b, call.b, rows, cols, columns != right, call.ldb);
      if (turned != right) r.uplo = flip(r.uplo);
      break;
    }
    case Operation::Trmv:
    case Operation::Trsv:
      r.diag = call.diag;
      r.alpha = 1;
      lay_out(r.a, call.a, n, n, columns != turned, call.lda, conj);
      if (turned) r.uplo = flip(r.uplo);
      // BLAS stores a vector with a negative increment backwards from its end.
      lay_out(r.b, call.b, n, 1, true, n);
      r.b.offset = call.incx < 0 ? (1 - n) * call.incx : 0;
      r.b.row_stride = call.incx;
      break;
  }
}

inline Request canonical(const Call& call) {
  Request r;
  canonical(call, call.operation, call.precision, r);
  return r;
}

}  // namespace trigon::core
