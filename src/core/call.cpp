// The table of parameters and the one set of argument rules that every door uses.
#include <trigon/call.hpp>

#include <algorithm>
#include <array>

namespace trigon {
namespace {

using enum Argument;

using Order = std::span<const Argument>;
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

/// Calls f for the operation, with its parameter list.
template <class F>
auto with_order(Operation operation, F&& f) {
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

bool real(const Call& c) { return c.precision == Precision::Single || c.precision == Precision::Double; }

bool valid(Op op) { return op == Op::NoTrans || op == Op::Trans || op == Op::ConjTrans; }

// The rules ask for the operation once more, so that `check` can unroll them for each with nothing left to decide.

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

[[gnu::always_inline]] inline index least_ld(const Call& c, Operation operation, Argument operand) {
  const Extent e = extent_of(c, operation, operand);
  return std::max<index>(1, c.layout == Layout::ColMajor ? e.rows : e.cols);
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
    case Lda: return c.lda < least_ld(c, operation, A);
    case Ldb: return c.ldb < least_ld(c, operation, B);
    case Ldc: return c.ldc < least_ld(c, operation, C);
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

/// The CBLAS reference carries a row-major call out as the transposed column-major one, so that of two bad
/// sizes it reports n before m, and of two bad leading dimensions of Gemm ldb before lda.
Argument tested_instead(const Call& c, Argument argument) {
  if (c.layout != Layout::RowMajor) return argument;
  switch (c.operation) {
    case Operation::Gemm:
      if (argument == Lda) return Ldb;
      if (argument == Ldb) return Lda;
      [[fallthrough]];
    case Operation::Symm:
    case Operation::Hemm:
    case Operation::Trmm:
    case Operation::Trsm:
      if (argument == M) return N;
      if (argument == N) return M;
      [[fallthrough]];
    default: return argument;
  }
}

/// Why a call is bad, in the order of the reference's tests; pointers, which it does not test, last.
[[gnu::noinline]] Argument first_bad(const Call& c, Order order) {
  for (Argument argument : order)
    if (const Argument tested = tested_instead(c, argument); bad(c, c.operation, tested)) return tested;
  for (Argument argument : order)
    if (absent(c, c.operation, argument)) return argument;
  return None;
}

}  // namespace

std::span<const Argument> parameters(Operation operation) {
  return with_order(
      operation, []<Operation, Argument... arguments>(Parameters<arguments...>) {
        return Order(Parameters<arguments...>::order);
      });
}

int position(Operation operation, Argument argument, bool with_layout) {
  if (argument == Argument::Layout) return with_layout ? 1 : 0;
  const auto order = parameters(operation);
  const auto found = std::find(order.begin(), order.end(), argument);
  return found == order.end() ? 0 : static_cast<int>(found - order.begin()) + 1 + (with_layout ? 1 : 0);
}

std::string_view name(Operation operation) {
  constexpr std::string_view names[] = {"gemm",  "symm", "hemm", "syrk", "herk", "syr2k",
                                        "her2k", "trmm", "trsm", "trmv", "trsv"};
  return names[static_cast<int>(operation)];
}

std::string_view name(Operation operation, Argument argument) {
  constexpr std::string_view names[] = {"",    "layout", "side", "uplo",  "transa", "transb", "diag",
                                        "m",   "n",      "k",    "alpha", "A",      "lda",    "B",
                                        "ldb", "x",      "incx", "beta",  "C",      "ldc"};
  const bool one_op = operation != Operation::Gemm && operation != Operation::Trmm && operation != Operation::Trsm;
  if (argument == TransA && one_op) return "trans";
  return names[static_cast<int>(argument)];
}

std::string routine(const Call& c) { return static_cast<char>(c.precision) + std::string(name(c.operation)); }

Extent extent(const Call& c, Argument operand) { return extent_of(c, c.operation, operand); }

Argument check(const Call& c) {
  if (bad(c, c.operation, Argument::Layout)) return Argument::Layout;
  // Unrolled over the operation's own list, so that a good call costs a few nanoseconds.
  return with_order(
      c.operation, [&]<Operation operation, Argument... arguments>(Parameters<arguments...>) {
        const bool fine = !((bad(c, operation, arguments) | absent(c, operation, arguments)) || ...);
        return fine ? None : first_bad(c, Parameters<arguments...>::order);
      });
}

std::string complaint(const Call& c, Argument argument) {
  const auto letter = [](auto flag, const char* choice) {
    const char l = static_cast<char>(flag);
    const std::string shown = l >= ' ' && l <= '~' ? std::string{'\'', l, '\''} : "code " + std::to_string(+l);
    return "is " + shown + ", must be " + choice;
  };
  const auto size = [](index v) { return "is " + std::to_string(v) + ", must not be negative"; };
  const auto leading = [&](index v, Argument operand) {
    return "is " + std::to_string(v) + ", must be at least " + std::to_string(least_ld(c, c.operation, operand));
  };
  const bool hermitian = c.operation == Operation::Herk || c.operation == Operation::Her2k;
  const bool update = hermitian || c.operation == Operation::Syrk || c.operation == Operation::Syr2k;
  switch (argument) {
    case Argument::Layout: return letter(c.layout, "column- or row-major");
    case Argument::Side: return letter(c.side, "L or R");
    case Argument::Uplo: return letter(c.uplo, "L or U");
    case TransA: return letter(c.transa, update && !real(c) ? (hermitian ? "N or C" : "N or T") : "N, T or C");
    case TransB: return letter(c.transb, "N, T or C");
    case Argument::Diag: return letter(c.diag, "N or U");
    case M: return size(c.m);
    case N: return size(c.n);
    case K: return size(c.k);
    case Lda: return leading(c.lda, A);
    case Ldb: return leading(c.ldb, B);
    case Ldc: return leading(c.ldc, C);
    case Incx: return "is 0, must not be";
    case None: return "is fine";
    default: return "is a null pointer";
  }
}

double flops(const Call& c) {
  const double m = static_cast<double>(c.m), n = static_cast<double>(c.n), k = static_cast<double>(c.k);
  const double order = c.side == Side::Left ? m : n;
  const double unit = real(c) ? 1 : 4;
  switch (c.operation) {
    case Operation::Gemm: return unit * 2 * m * n * k;
    case Operation::Symm:
    case Operation::Hemm: return unit * 2 * m * n * order;
    case Operation::Syrk:
    case Operation::Herk: return unit * n * (n + 1) * k;
    case Operation::Syr2k:
    case Operation::Her2k: return unit * 2 * n * (n + 1) * k;
    case Operation::Trmm:
    case Operation::Trsm: return unit * m * n * order;
    case Operation::Trmv:
    case Operation::Trsv: return unit * n * n;
  }
  return 0;
}

}  // namespace trigon
