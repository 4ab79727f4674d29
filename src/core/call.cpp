// What is bad about a call, in the order of the reference, in words and in positions; and what a call is called.
#include <trigon/call.hpp>

#include "core/rules.hpp"

#include <algorithm>

namespace trigon {
namespace {

using namespace core::rules;

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
[[gnu::noinline]] Argument first_bad(const Call& c) {
  if (bad(c, c.operation, Argument::Layout)) return Argument::Layout;
  const auto order = parameters(c.operation);
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
        return std::span<const Argument>(Parameters<arguments...>::order);
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

Argument check(const Call& c) { return fine(c, c.operation) ? None : first_bad(c); }

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
