#include "trigon/check/provider.hpp"

#include <trigon/error.hpp>

#include <algorithm>
#include <barrier>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "trigon/bench/blas_library.hpp"
#include "trigon/bench/find_blas.hpp"
#include "trigon/bench/statistics.hpp"
#include "trigon/check/child.hpp"
#include "trigon/check/generator.hpp"
#include "trigon/check/judge.hpp"

namespace trigon::selftest {
namespace {

using bench::BlasLibrary;
using nlohmann::json;

/// GEMM as Trigon calls it: column-major, any op, any size; alpha = 0 and k = 0 never get that far.
class GemmCases {
 public:
  explicit GemmCases(const ProviderOptions& o) : generator_(options(o)) {}

  Case at(std::uint64_t number) const {
    Case c = generator_.at(number);
    Call& call = c.call;
    if (call.layout == Layout::RowMajor) {
      call.layout = Layout::ColMajor;
      // As leading dimensions of the other layout they may be too short.
      call.lda = std::max({call.lda, extent(call, Argument::A).rows, index(1)});
      call.ldb = std::max({call.ldb, extent(call, Argument::B).rows, index(1)});
      call.ldc = std::max({call.ldc, call.m, index(1)});
    }
    if (call.alpha == 0.0) call.alpha = 1;
    if (call.k == 0) call.k = 1, call.lda = std::max(call.lda, call.m), call.ldb = std::max(call.ldb, call.n);
    c.operands.ill_conditioned = false;
    return c;
  }

 private:
  static CaseOptions options(const ProviderOptions& o) {
    return {{Operation::Gemm}, o.precisions, 400, o.seed, false, false};
  }
  Generator generator_;
};

Implementation gemm_of(const BlasLibrary& library) {
  return [&library](const Call& call) { library.prepare(call, BlasLibrary::Door::Fortran)(); };
}

/// The guard pages lie far behind the operands, so that what is read too far is not a crash.
Case at_a_distance(Case c) {
  c.operands.place = GuardedMemory::Place::EndsAtGuard;
  c.operands.shift = std::size_t{1} << 16;
  return c;
}

/// One try: nothing when it does not apply, else what came of it.
using Try = std::function<std::optional<Judged>(const BlasLibrary&, Case&)>;

std::optional<Judged> right_result(const BlasLibrary& library, Case& c) {
  c = at_a_distance(c);
  return judge(gemm_of(library), c, {.flags = false});
}

std::optional<Judged> within_bounds(const BlasLibrary& library, Case& c) {
  c.operands.shift = 0;
  return judge(gemm_of(library), c, {.flags = false, .repeat = false});
}

/// What C held, poison here, must not reach the result.
std::optional<Judged> overwrites(const BlasLibrary& library, Case& c) {
  c = at_a_distance(c);
  c.call.beta = 0;
  return judge(gemm_of(library), c, {.flags = false, .repeat = false});
}

/// A NaN or Inf in A belongs to one row of the result, one in B to one column, one in C to one entry.
std::optional<Judged> non_finite(const BlasLibrary& library, Case& c) {
  Call& call = c.call;
  if (call.m == 0 || call.n == 0) return {};
  Dice dice(c.operands.seed);
  c = at_a_distance(c);
  const double value = dice.one_in(3) ? std::numeric_limits<double>::infinity() : std::nan("");
  const auto plant = [&](Operands& operands) {
    const auto pick = [&](index n) { return dice.between(0, n - 1); };
    const index row = pick(call.m), column = pick(call.n), inner = pick(call.k);
    const auto in_a = [&](double v) {
      const bool plain = call.transa == Op::NoTrans;
      operands.plant(Argument::A, plain ? row : inner, plain ? inner : row, v);
    };
    const auto in_b = [&](double v) {
      const bool plain = call.transb == Op::NoTrans;
      operands.plant(Argument::B, plain ? inner : column, plain ? column : inner, v);
    };
    // Sometimes it meets a zero, which must not hide it.
    const bool zero = dice.one_in(2);
    switch (dice.below(call.beta == 0.0 ? 2 : 3)) {
      case 0: in_a(value), zero ? in_b(0) : void(); break;
      case 1: in_b(value), zero ? in_a(0) : void(); break;
      default: operands.plant(Argument::C, row, column, value);
    }
  };
  return judge(gemm_of(library), c, {.flags = false, .repeat = false, .plant = plant});
}

std::optional<Judged> no_flags(const BlasLibrary& library, Case& c) {
  c = at_a_distance(c);
  return judge(gemm_of(library), c, {.repeat = false});
}

/// Eight threads call at the same time and again and again, as the threads of one Trigon call do.
std::optional<Judged> concurrently(const BlasLibrary& library, Case& c) {
  c = at_a_distance(c);
  if (flops(c.call) > 3e6) return {};
  c.call.beta = 0;  // so that every call gives the same result
  constexpr int callers = 8, calls = 40;
  std::barrier together(callers);
  const auto insist = [&](const Call& call) {
    together.arrive_and_wait();
    const std::size_t bytes = bench::storage(call, Argument::C) * bench::element_size(call.precision);
    const bench::Invocation gemm = library.prepare(call);
    std::vector<std::byte> first(bytes);
    for (int i = 0; i < calls; ++i) {
      gemm();
      if (i == 0) std::memcpy(first.data(), call.c, bytes);
      if (std::memcmp(first.data(), call.c, bytes) != 0) throw error("the same call gave other bits under concurrency");
    }
  };
  std::vector<Judged> results(callers);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < callers; ++t)
    threads.emplace_back([&, t] {
      Case own = c;
      own.operands.seed += t;
      results[t] = judge(insist, own, {.flags = false, .repeat = false});
    });
  for (std::thread& thread : threads) thread.join();
  for (const Judged& result : results)
    if (!result.ok()) return result;
  return results.front();
}

std::ptrdiff_t threads_of_this_process() {
  std::error_code none;
  return std::distance(std::filesystem::directory_iterator("/proc/self/task", none), {});
}

/// Trigon splits the work itself, and a setting of the library's own would be the whole process's.
std::optional<Judged> no_threads(const BlasLibrary& library, Case& c) {
  c.call.transa = c.call.transb = Op::NoTrans;
  c.call.m = c.call.n = c.call.k = c.call.lda = c.call.ldb = c.call.ldc = 700;
  c.call.alpha = 1, c.call.beta = 1;
  const bench::Row row{c.call, 1, "square", 1};
  const bench::Operands operands(row.call, 1);
  library.prepare(operands.call())();
  const std::ptrdiff_t others = threads_of_this_process() - 1;
  if (others == 0) return Judged{};
  return Judged{"threads", "it keeps " + std::to_string(others) + " thread(s) of its own; a serial build, or its " +
                               "variable for one thread (OPENBLAS_NUM_THREADS, MKL_NUM_THREADS, …), is needed"};
}

struct Property {
  const char* name;
  Try attempt;
  double weight;  ///< share of the time; 0: once
};

const std::vector<Property>& properties() {
  static const std::vector<Property> list = {
      {"right results", right_result, 3},
      {"no access out of bounds", within_bounds, 3},
      {"beta = 0 overwrites without reading", overwrites, 1},
      {"NaN and Inf reach exactly the entries that depend on them", non_finite, 2},
      {"no spurious floating-point exceptions", no_flags, 1},
      {"eight callers at once", concurrently, 2},
      {"no threads of its own", no_threads, 0},
  };
  return list;
}

/// Stops at the first failure: one is enough, and the next would be the same one. Ends with the line D.
void run_probe(const Property& property, const ProviderOptions& o, const std::string& path, double seconds,
               const Reporter& report) {
  const BlasLibrary library(o.provider, path);
  const GemmCases cases(o);
  const double begin = bench::now(bench::Clock::Wall);
  constexpr std::uint64_t least = 100;
  for (std::uint64_t number = 0; number == 0 || property.weight > 0; ++number) {
    const double elapsed = bench::now(bench::Clock::Wall) - begin;
    if (number > 0 && elapsed > seconds && (number >= least || elapsed > 10 * seconds)) break;
    Case c = cases.at(number);
    report.line("C " + to_text(c));
    const std::optional<Judged> judged = property.attempt(library, c);
    if (judged && !judged->ok()) {
      report.line("F " + json{{"case", to_text(c)}, {"words", judged->words}}.dump());
      break;
    }
  }
  report.line("D");
}

Probe probe(const Property& property, const ProviderOptions& o, const std::string& path, double seconds) {
  Probe result{property.name, true, 0, "", ""};
  std::string current;
  bool done = false;
  const auto listen = [&](const std::string& line) {
    if (line == "D") {
      done = true;
    } else if (line.starts_with("C ")) {
      ++result.cases;
      current = line.substr(2);
    } else if (line.starts_with("F ")) {
      const json found = json::parse(line.substr(2));
      result.passed = false, result.reason = found.at("words"), result.call = found.at("case");
    }
  };
  const Ending ending =
      in_child([&](const Reporter& report) { run_probe(property, o, path, seconds, report); }, listen, 60);
  if (!ending.empty() || !done) result.passed = false, result.reason = in_words(ending), result.call = current;
  return result;
}

}  // namespace

std::size_t probe_count() { return properties().size(); }

bool ProviderReport::admitted() const {
  return !probes.empty() && std::all_of(probes.begin(), probes.end(), [](const Probe& p) { return p.passed; });
}

ProviderReport check_provider(const ProviderOptions& o, const std::function<void(const std::string&)>& progress) {
  ProviderReport report{o.provider, o.provider, "", {}};
  if (o.provider.find('/') == std::string::npos) report.path = bench::find_blas(o.provider, 1);
  if (report.path.empty())
    throw error("--provider " + o.provider + ": no such library is known or installed; give a path");
  // Opened in a child: a library may do anything when it is loaded.
  std::string why;
  bool answered = false;
  const auto listen = [&](const std::string& line) {
    answered = true;
    (line[0] == 'V' ? report.version : why) = line.substr(2);
  };
  const Ending ending = in_child(
      [&](const Reporter& to) {
        try {
          const BlasLibrary library(o.provider, report.path);
          for (const char* symbol : {"sgemm_", "dgemm_", "cgemm_", "zgemm_"})
            if (!library.symbol(symbol)) throw error(report.path + " has no " + symbol);
          to.line("V " + library.version());
        } catch (const std::exception& e) {
          to.line("E " + std::string(e.what()));
        }
      },
      listen);
  if (!why.empty()) throw error("--provider: " + why);
  if (!ending.empty()) throw error("--provider: opening " + report.path + " ends in " + ending);
  if (!answered) throw error("--provider: opening " + report.path + ": " + no_report);

  double total = 0;
  for (const Property& property : properties()) total += property.weight;
  for (const Property& property : properties()) {
    progress(property.name);
    report.probes.push_back(probe(property, o, report.path, o.seconds * property.weight / total));
  }
  return report;
}

}  // namespace trigon::selftest
