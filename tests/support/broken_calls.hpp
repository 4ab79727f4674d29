// Valid calls and, for each of their arguments, the ways to get it wrong.
#pragma once

#include "support/variants.hpp"

#include <trigon/call.hpp>

#include <string>
#include <vector>

namespace trigon::test {

struct BrokenCall {
  Call call;
  Argument wrong;
};

/// A call of valid arguments on memory that nobody may touch: every pointer is this same small address.
inline Call plausible(Operation operation, Precision precision, Layout layout) {
  Call c;
  c.operation = operation;
  c.precision = precision;
  c.layout = layout;
  c.m = 4, c.n = 3, c.k = 2;
  c.lda = c.ldb = c.ldc = 5;
  c.a = c.b = c.c = reinterpret_cast<void*>(64);
  return c;
}

/// One wrong argument each.
inline std::vector<BrokenCall> broken(const Call& good) {
  std::vector<BrokenCall> list;
  const auto add = [&](Argument wrong, auto change) {
    Call c = good;
    change(c);
    list.push_back({c, wrong});
  };
  add(Argument::Layout, [](Call& c) { c.layout = static_cast<Layout>('X'); });
  const Operation op = good.operation;
  const bool complex = is_complex_precision(good.precision);
  for (const Argument argument : parameters(op)) switch (argument) {
      case Argument::Side: add(argument, [](Call& c) { c.side = static_cast<Side>('U'); }); break;
      case Argument::Uplo: add(argument, [](Call& c) { c.uplo = static_cast<Uplo>('\0'); }); break;
      case Argument::TransA:
        add(argument, [](Call& c) { c.transa = static_cast<Op>('X'); });
        if (complex && is_rank_k(op))
          add(argument, [](Call& c) { c.transa = is_hermitian(c.operation) ? Op::Trans : Op::ConjTrans; });
        break;
      case Argument::TransB: add(argument, [](Call& c) { c.transb = static_cast<Op>(-1); }); break;
      case Argument::Diag: add(argument, [](Call& c) { c.diag = static_cast<Diag>('L'); }); break;
      case Argument::M: add(argument, [](Call& c) { c.m = -1; }); break;
      case Argument::N: add(argument, [](Call& c) { c.n = -1; }); break;
      case Argument::K: add(argument, [](Call& c) { c.k = -3; }); break;
      case Argument::A: add(argument, [](Call& c) { c.a = nullptr; }); break;
      case Argument::B: add(argument, [](Call& c) { c.b = nullptr; }); break;
      case Argument::X: add(argument, [](Call& c) { c.b = nullptr; }); break;
      case Argument::C: add(argument, [](Call& c) { c.c = nullptr; }); break;
      case Argument::Incx: add(argument, [](Call& c) { c.incx = 0; }); break;
      case Argument::Lda:
        add(argument, [](Call& c) { c.lda = 1; });
        add(argument, [](Call& c) { c.lda = -7; });
        break;
      case Argument::Ldb:
        add(argument, [](Call& c) { c.ldb = 1; });
        add(argument, [](Call& c) { c.ldb = 0; });
        break;
      case Argument::Ldc: add(argument, [](Call& c) { c.ldc = 2; }); break;
      default: break;
    }
  return list;
}

}  // namespace trigon::test
