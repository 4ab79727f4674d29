// What makes an argument bad: the one set of rules behind every door. They ask for the operation once more, so that a
// door that knows it when it is compiled has nothing left to decide.
#pragma once

#include <trigon/call.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace trigon::core::rules {

using enum Argument;

template <Argument... arguments>
struct Parameters {
  static constexpr std::array<Argument, sizeof...(arguments)> order{arguments...};
};
using GemmOrder = Parameters<TransA, TransB, M, N, K, Alpha, A, Lda, B, Ldb, Beta, C, Ldc>;
using SymmOrder = Parameters<Argument::Side, Argument::Uplo, M, N, Alpha, A, Lda, B, Ldb, Beta, C, Ldc>;
using SyrkOrder = Parameters<Argument::Uplo, TransA, N, K, Alpha, A, Lda, Beta, C, Ldc>;
using Syr2kOrder = Parameters<Argument::Uplo, TransA, N, K, Alpha, A, Lda, B, Ldb, Beta, C, Ldc>;
using TrmmOrder = Parameters<Argument::Side, Argument::Uplo, TransA, Argument::Diag, M, N, Alpha, A, Lda, B, Ldb>;
using TrmvOrder = Parameters<Argument::Uplo, TransA, Argument::Diag, N, A, Lda, X, Incx>;

/// Calls f for the operation, with its parameter list. Unrolled, a good call costs a few nanoseconds.
template <class F>
[[gnu::always_inline]] inline auto with_order(Operation operation, F&& f) {
  using enum Operation;
  switch (operation) {
    case Gemm: return f.template operator()<Gemm>(GemmOrder{});
    case Symm: return f.template operator()<Symm>(SymmOrder{});
    case Hemm: return f.template operator()<Hemm>(SymmOrder{});
    case Syrk: return f.template operator()<Syrk>(SyrkOrder{});
    case Herk: return f.template operator()<Herk>(SyrkOrder{});
    case Syr2k: return f.template operator()<Syr2k>(Syr2kOrder{});
    case Her2k: return f.template operator()<Her2k>(Syr2kOrder{});
    case Trmm: return f.template operator()<Trmm>(TrmmOrder{});
    case Trsm: return f.template operator()<Trsm>(TrmmOrder{});
    case Trmv: return f.template operator()<Trmv>(TrmvOrder{});
    case Trsv: break;
  }
  return f.template operator()<Trsv>(TrmvOrder{});
}

inline bool real(const Call& c) { return c.precision == Precision::Single || c.precision == Precision::Double; }

constexpr bool valid(Op op) { return op == Op::NoTrans || op == Op::Trans || op == Op::ConjTrans; }

/// Rank-k updates of complex matrices know one transposition each.
[[gnu::always_inline]] inline bool valid_op(const Call& c, Operation operation) {
  if (!valid(c.transa)) return false;
  if (real(c)) return true;
  switch (operation) {
    case Operation::Syrk:
    case Operation::Syr2k: return c.transa != Op::ConjTrans;
    case Operation::Herk:
    case Operation::Her2k: return c.transa != Op::Trans;
    default: return true;
  }
}

[[gnu::always_inline]] inline Extent extent_of(const Call& c, Operation operation, Argument operand) {
  const bool left = c.side == Side::Left;
  const auto turned = [](Op op, index rows, index cols) {
    return op == Op::NoTrans ? Extent{rows, cols} : Extent{cols, rows};
  };
  switch (operation) {
    case Operation::Gemm:
      if (operand == A) return turned(c.transa, c.m, c.k);
      if (operand == B) return turned(c.transb, c.k, c.n);
      return {c.m, c.n};
    case Operation::Symm:
    case Operation::Hemm:
    case Operation::Trmm:
    case Operation::Trsm:
      if (operand == A) return left ? Extent{c.m, c.m} : Extent{c.n, c.n};
      return {c.m, c.n};
    case Operation::Syrk:
    case Operation::Herk:
    case Operation::Syr2k:
    case Operation::Her2k:
      if (operand == A || operand == B) return turned(c.transa, c.n, c.k);
      return {c.n, c.n};
    case Operation::Trmv:
    case Operation::Trsv: break;
  }
  return operand == A ? Extent{c.n, c.n} : Extent{c.n, 1};
}

/// How long a column is, or a row where rows are stored.
[[gnu::always_inline]] inline index line_of(const Call& c, Operation operation, Argument operand) {
  const Extent e = extent_of(c, operation, operand);
  return c.layout == Layout::ColMajor ? e.rows : e.cols;
}

inline index least_ld(const Call& c, Operation operation, Argument operand) {
  return std::max<index>(1, line_of(c, operation, operand));
}

[[gnu::always_inline]] inline bool too_short(index ld, const Call& c, Operation operation, Argument operand) {
  return ld < 1 || ld < line_of(c, operation, operand);
}

[[gnu::always_inline]] inline bool missing(const Call& c, Operation operation, Argument operand, const void* p) {
  const Extent e = extent_of(c, operation, operand);
  return p == nullptr && e.rows > 0 && e.cols > 0;
}

/// Whether the values of `operand` matter at all: alpha = 0 means A and B are not read.
[[gnu::always_inline]] inline bool reads(const Call& c, Operation operation, Argument operand) {
  const bool in_place = operation == Operation::Trmm || operation == Operation::Trsm;
  if (operation == Operation::Trmv || operation == Operation::Trsv) return true;
  if (operand == B && in_place) return true;
  const Extent result = extent_of(c, operation, in_place ? B : C);
  return c.alpha != 0.0 && result.rows != 0 && result.cols != 0;
}

[[gnu::always_inline]] inline bool bad(const Call& c, Operation operation, Argument argument) {
  switch (argument) {
    case Argument::Layout: return c.layout != Layout::ColMajor && c.layout != Layout::RowMajor;
    case Argument::Side: return c.side != Side::Left && c.side != Side::Right;
    case Argument::Uplo: return c.uplo != Uplo::Lower && c.uplo != Uplo::Upper;
    case TransA: return !valid_op(c, operation);
    case TransB: return !valid(c.transb);
    case Argument::Diag: return c.diag != Diag::NonUnit && c.diag != Diag::Unit;
    case M: return c.m < 0;
    case N: return c.n < 0;
    case K: return c.k < 0;
    case Lda: return too_short(c.lda, c, operation, A);
    case Ldb: return too_short(c.ldb, c, operation, B);
    case Ldc: return too_short(c.ldc, c, operation, C);
    case Incx: return c.incx == 0;
    default: return false;
  }
}

[[gnu::always_inline]] inline bool absent(const Call& c, Operation operation, Argument argument) {
  switch (argument) {
    case A: return missing(c, operation, A, c.a) && reads(c, operation, A);
    case B: return missing(c, operation, B, c.b) && reads(c, operation, B);
    case X: return c.n > 0 && c.b == nullptr;
    case C: return missing(c, operation, C, c.c);
    default: return false;
  }
}

/// Whether no argument is bad or absent.
[[gnu::always_inline]] inline bool fine(const Call& c, Operation operation) {
  if (bad(c, operation, Argument::Layout)) return false;
  return with_order(
      operation, [&]<Operation known, Argument... arguments>(Parameters<arguments...>) {
        return !((bad(c, known, arguments) | absent(c, known, arguments)) || ...);
      });
}

}  // namespace trigon::core::rules
