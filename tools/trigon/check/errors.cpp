#include "trigon/check/errors.hpp"

#include <trigon/error.hpp>

#include "trigon/bench/operands.hpp"
#include "trigon/bench/variants.hpp"

namespace trigon::selftest {
namespace {

using bench::has;

/// Right in every argument; the operands lie where nobody may read.
Call plausible(Operation op, Precision precision, Layout layout) {
  Call c;
  c.operation = op, c.precision = precision, c.layout = layout;
  c.m = 5, c.n = 4, c.k = 3;
  c.lda = c.ldb = c.ldc = 6;
  c.a = c.b = c.c = reinterpret_cast<void*>(64);
  return c;
}

bool rank_update(Operation op) { return op >= Operation::Syrk && op <= Operation::Her2k; }
bool hermitian_update(Operation op) { return op == Operation::Herk || op == Operation::Her2k; }
bool is_complex_type(Precision p) { return p == Precision::ComplexSingle || p == Precision::ComplexDouble; }

/// The call with this argument made wrong.
Call spoiled(Call c, Argument argument) {
  constexpr char no_flag = 'X';
  const auto op = [&] {
    // A transposition that exists but not for this routine.
    if (is_complex_type(c.precision) && rank_update(c.operation))
      return hermitian_update(c.operation) ? Op::Trans : Op::ConjTrans;
    return static_cast<Op>(no_flag);
  };
  switch (argument) {
    case Argument::Layout: c.layout = static_cast<Layout>(no_flag); break;
    case Argument::Side: c.side = static_cast<Side>(no_flag); break;
    case Argument::Uplo: c.uplo = static_cast<Uplo>(no_flag); break;
    case Argument::TransA: c.transa = op(); break;
    case Argument::TransB: c.transb = static_cast<Op>(no_flag); break;
    case Argument::Diag: c.diag = static_cast<Diag>(no_flag); break;
    case Argument::M: c.m = -1; break;
    case Argument::N: c.n = -1; break;
    case Argument::K: c.k = -1; break;
    case Argument::A: c.a = nullptr; break;
    case Argument::B:
    case Argument::X: c.b = nullptr; break;
    case Argument::C: c.c = nullptr; break;
    case Argument::Lda: c.lda = 2; break;
    case Argument::Ldb: c.ldb = 2; break;
    case Argument::Ldc: c.ldc = 0; break;
    case Argument::Incx: c.incx = 0; break;
    case Argument::None:
    case Argument::Alpha:
    case Argument::Beta: break;
  }
  return c;
}

}  // namespace

std::vector<BrokenCall> broken_calls(const std::vector<Operation>& operations, const std::string& precisions) {
  std::vector<BrokenCall> list;
  for (const Operation op : operations)
    for (const Precision p : bench::precisions_of(op, precisions))
      for (const Layout layout : {Layout::ColMajor, Layout::RowMajor}) {
        const Call good = plausible(op, p, layout);
        const auto add = [&](Argument argument) {
          if (argument == Argument::Alpha || argument == Argument::Beta) return;
          const std::string which = argument == Argument::Layout ? "layout" : std::string(name(op, argument));
          list.push_back({spoiled(good, argument), argument, to_text(good) + " # wrong: " + which});
        };
        add(Argument::Layout);
        for (const Argument argument : parameters(op)) add(argument);
      }
  return list;
}

std::string misjudged(const BrokenCall& broken) {
  const int expected = position(broken.call.operation, broken.wrong, true);
  try {
    execute(broken.call);
  } catch (const argument_error& e) {
    if (e.position == expected && e.routine == routine(broken.call)) return {};
    return std::string("reported as \"") + e.what() + "\" instead of argument " + std::to_string(expected);
  } catch (const std::exception& e) {
    return std::string("reported as \"") + e.what() + "\"";
  }
  return "accepted";
}

}  // namespace trigon::selftest
