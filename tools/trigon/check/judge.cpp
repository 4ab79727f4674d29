#include "trigon/check/judge.hpp"

#include <trigon/blas.hpp>

#include <cfenv>
#include <exception>
#include <optional>

#include "trigon/bench/blas_library.hpp"
#include "trigon/check/control_state.hpp"
#include "trigon/check/device_door.hpp"
#include "trigon/locate.hpp"

namespace trigon::selftest {
namespace {

/// FNV-1a over the memory of the result, from its first element to its last.
std::uint64_t hash_of_result(const Operands& operands) {
  const Call& c = operands.call();
  const Argument result = bench::overwrites_b(c.operation) ? Argument::B : Argument::C;
  const std::size_t bytes = bench::storage(c, result) * bench::element_size(c.precision);
  const auto* p = static_cast<const unsigned char*>(operands.result());
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ p[i]) * 0x100000001b3u;
  return hash;
}

/// All of a small result, some lines of a large one: the check works in higher precision.
Sample sample_for(const Case& c) { return {flops(c.call) < 1.5e6 ? -1 : 5, c.operands.seed}; }

std::string names_of(int flags) {
  std::string text;
  if (flags & FE_INVALID) text += " invalid";
  if (flags & FE_DIVBYZERO) text += " divide-by-zero";
  if (flags & FE_OVERFLOW) text += " overflow";
  return text;
}

const bench::BlasLibrary& drop_in() {
  static const bench::BlasLibrary library("trigon", cli::beside_the_library("libtrigon_blas.so"), true);
  return library;
}

}  // namespace

bool has_drop_in() { return !cli::beside_the_library("libtrigon_blas.so").empty(); }

void call_library(const Case& c, const Call& call) {
  if (c.door == bench::Entry::Cpp) return execute(call);
  if (c.door == bench::Entry::Device) return call_on_device(call);
  const auto door = c.door == bench::Entry::Cblas ? bench::BlasLibrary::Door::Cblas : bench::BlasLibrary::Door::Fortran;
  drop_in().prepare(call, door)();
}

Judged judge(const Implementation& run, const Case& c, const JudgeOptions& options) {
  Judged result;
  const auto fail = [&](const char* kind, const std::string& words) {
    result.failure = kind, result.words = words;
    return result;
  };
  Operands operands(c.call, c.operands);
  if (options.plant) options.plant(operands);
  constexpr int loud = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
  std::feclearexcept(FE_ALL_EXCEPT);
  const KeptControlState control;
  try {
    run(operands.call());
  } catch (const std::exception& e) {
    return fail("exception", e.what());
  }
  const int raised = std::fetestexcept(loud);
  const char* const changed = "the floating-point control state has changed";
  if (control.restored()) return fail("control state", changed);
  if (const std::string where = operands.intrusion(); !where.empty()) return fail("written", where);
  const Verdict verdict = operands.verify(sample_for(c));
  result.ratio = verdict.ratio;
  if (!verdict.ok()) return fail("accuracy", verdict.words);
  if (options.flags && raised) return fail("flags", "spurious floating-point exceptions:" + names_of(raised));
  result.bits = hash_of_result(operands);
  if (options.repeat) {
    operands.restore();
    run(operands.call());
    if (hash_of_result(operands) != result.bits) return fail("repeat", "a second run gave other bits");
  }
  if (options.realign) {
    Case other = c;
    other.operands.shift += bench::element_size(c.call.precision);
    Operands moved(other.call, other.operands);
    run(moved.call());
    if (hash_of_result(moved) != result.bits) return fail("repeat", "operands one element further on gave other bits");
  }
  if (control.restored()) return fail("control state", changed);
  return result;
}

}  // namespace trigon::selftest
