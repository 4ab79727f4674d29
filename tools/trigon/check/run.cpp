#include "trigon/check/run.hpp"

#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "trigon/bench/progress.hpp"
#include "trigon/bench/statistics.hpp"
#include "trigon/bench/variants.hpp"
#include "trigon/check/accuracy.hpp"
#include "trigon/check/judge.hpp"
#include "trigon/check/parts.hpp"
#include "trigon/check/provider.hpp"
#include "trigon/json_text.hpp"

namespace trigon::selftest {

using nlohmann::json;

namespace {

constexpr std::size_t failures_shown = 4;  // of a part; --json has all
constexpr int crashes_enough = 5;

struct Failure {
  std::string kind, words, repeat;
};

/// What came of a part.
struct Outcome {
  const Part* part;
  std::uint64_t cases = 0, failed = 0;
  bool stopped = false;  ///< after so many failures that the rest was not tried
  Accuracy accuracy;
  json paths = json::array();
  std::vector<Failure> failures;
  std::map<std::uint64_t, std::pair<std::string, std::string>> bits;  ///< of each case: hash and text
};

/// Carries out one part, again from the next case on when a case ends the process.
class PartRun {
 public:
  /// `again`: the command that carries it out, but for the part.
  PartRun(const Part& part, const std::string& again, bench::Progress& progress)
      : part_(part), again_(again), progress_(progress) {
    outcome_.part = &part;
  }

  Outcome operator()() {
    Work left = part_.work;
    const double begin = bench::now(bench::Clock::Wall);
    for (int crashes = 0; crashes < crashes_enough; ++crashes) {
      done_ = false;
      const Ending ending = in_new_process({"check-worker", to_json(left).dump()}, part_.environment,
                                           [&](const std::string& line) { hear(line); });
      if (ending.empty() && done_) break;
      ++outcome_.failed;
      if (current_.empty()) {
        outcome_.failures.push_back({"crash", in_words(ending), ""});
        break;
      }
      add("crash", in_words(ending), current_);
      outcome_.stopped = crashes + 1 == crashes_enough;
      left.first = number_ + 1;
      left.seconds = std::max(0.0, part_.work.seconds - (bench::now(bench::Clock::Wall) - begin));
    }
    return std::move(outcome_);
  }

 private:
  void hear(const std::string& line) {
    const std::string rest = line.size() > 2 ? line.substr(2) : "";
    const auto space = rest.find(' ');
    switch (line.empty() ? ' ' : line[0]) {
      case 'C':
        number_ = std::stoull(rest);
        current_ = rest.substr(space + 1);
        ++outcome_.cases;
        if (outcome_.cases % 16 == 0) progress_.note(part_.title + ": " + std::to_string(outcome_.cases) + " cases");
        break;
      case 'F': {
        const json found = json::parse(rest);
        ++outcome_.failed;
        add(found.at("kind"), found.at("words"), found.at("case"));
        break;
      }
      case 'H': outcome_.bits[number_] = {rest.substr(space + 1), current_}; break;
      case 'D': {
        const json last = json::parse(rest);
        outcome_.accuracy.add(Accuracy::from_json(last.at("accuracy")));
        outcome_.paths = last.at("paths");
        outcome_.stopped = last.value("stopped", false);
        done_ = true;
        break;
      }
      default: break;
    }
  }

  void add(const std::string& kind, const std::string& words, const std::string& text) {
    const bool alone = part_.work.part == "sweep" || part_.work.part == "same-bits";
    // What takes other calls beside it is repeated with all of them.
    outcome_.failures.push_back(
        {kind, alone ? words : words + "; in " + text,
         alone ? to_text(part_.environment) + "trigon check --case '" + text + "'"
               : to_text(std::map<std::string, std::string>()) + again_ + " --only '" + part_.title + "'"});
  }

  const Part& part_;
  const std::string& again_;
  bench::Progress& progress_;
  Outcome outcome_;
  std::uint64_t number_ = 0;
  std::string current_;
  bool done_ = false;
};

/// In reproducible mode, all environments of a group must agree with its first.
void compare_bits(std::vector<Outcome>& outcomes) {
  std::map<int, const Outcome*> first;
  for (Outcome& o : outcomes) {
    if (o.part->group == 0) continue;
    const Outcome* reference = first.try_emplace(o.part->group, &o).first->second;
    for (const auto& [number, own] : o.bits) {
      const auto theirs = reference->bits.find(number);
      if (theirs == reference->bits.end() || theirs->second.first == own.first) continue;
      ++o.failed;
      const std::string command = "trigon check --case '" + own.second + "'";
      o.failures.push_back(
          {"other bits",
           "not the bits of " + reference->part->title + ": " + to_text(reference->part->environment) + command,
           to_text(o.part->environment) + command});
    }
  }
}

void print(const std::vector<Outcome>& outcomes, bool accuracy) {
  std::printf("%-34s %8s %12s\n", "", "cases", "error/bound");
  for (const Outcome& o : outcomes) {
    std::printf("%-34s %8llu ", o.part->title.c_str(), static_cast<unsigned long long>(o.cases));
    o.part->work.part == "errors" ? std::printf("%12s", "") : std::printf("%12.2f", o.accuracy.worst());
    o.failed ? std::printf("  %llu FAILED%s\n", static_cast<unsigned long long>(o.failed),
                           o.stopped ? ", the rest was not tried" : "")
             : std::printf("  ok\n");
  }
  if (accuracy) {
    std::printf("\nThe worst errors over their bounds, with well- and with ill-conditioned matrices\n");
    for (const Outcome& o : outcomes)
      if (o.part->work.part != "errors") o.accuracy.print(o.part->title);
  }
  std::map<std::string, std::uint64_t> calls;
  for (const Outcome& o : outcomes)
    for (const json& p : o.paths) calls[p.at("path")] += p.at("calls").get<std::uint64_t>();
  std::printf("\nCalls by path:");
  for (const auto& [path, count] : calls)
    std::printf(" %s %llu ", path.c_str(), static_cast<unsigned long long>(count));
  std::printf("\n");
  for (const Outcome& o : outcomes) {
    if (o.failures.empty()) continue;
    std::printf("\n%s\n", o.part->title.c_str());
    for (std::size_t i = 0; i < std::min(failures_shown, o.failures.size()); ++i) {
      const Failure& f = o.failures[i];
      std::printf("  %s: %s\n    %s\n", f.kind.c_str(), f.words.c_str(), f.repeat.c_str());
    }
    if (o.failures.size() > failures_shown) std::printf("  ... and %zu more\n", o.failures.size() - failures_shown);
  }
}

json to_json(const std::vector<Outcome>& outcomes) {
  json parts = json::array(), failures = json::array();
  for (const Outcome& o : outcomes) {
    parts.push_back({{"title", o.part->title},
                     {"environment", o.part->environment},
                     {"cases", o.cases},
                     {"failed", o.failed},
                     {"stopped", o.stopped},
                     {"worst_error_over_bound", o.accuracy.worst()},
                     {"accuracy", o.accuracy.to_json()},
                     {"paths", o.paths}});
    for (const Failure& f : o.failures)
      failures.push_back({{"part", o.part->title}, {"kind", f.kind}, {"words", f.words}, {"repeat", f.repeat}});
  }
  return {{"parts", parts}, {"failures", failures}};
}

bool check_one(const RunOptions& o) {
  const Case c = parse_case(o.one_case);
  explain(c.call);  // throws for what could not be called
  Judged judged{"crash", no_report};
  const auto listen = [&](const std::string& line) {
    const json j = json::parse(line);
    judged = {j.at("failure"), j.at("words"), j.at("ratio").is_number() ? j.at("ratio").get<double>() : 0,
              j.at("bits")};
  };
  // Not forked off this process, which has opened the backend: devices do not survive that.
  Work order;
  order.part = "case", order.one = o.one_case;
  const Ending ending = in_new_process({"check-worker", to_json(order).dump()}, {}, listen);
  if (!ending.empty()) judged = {"crash", ending};
  if (judged.failure == not_tried) throw out_of_memory("there is no memory for the operands of this case");
  if (o.json) {
    const json out = {{"case", to_text(c)},
                      {"path", explain(c.call).path},
                      {"passed", judged.ok()},
                      {"failure", judged.failure},
                      {"words", judged.words},
                      {"error_over_bound", judged.ratio},
                      {"bits", std::to_string(judged.bits)}};
    std::cout << cli::in_text(out, 2) << '\n';
  } else {
    std::printf("%s\n  path %s: %s\n", to_text(c).c_str(), explain(c.call).path.c_str(),
                judged.ok() ? "right" : (judged.failure + ": " + judged.words).c_str());
    if (judged.ok())
      std::printf("  error/bound %.3f, bits %016llx\n", judged.ratio, static_cast<unsigned long long>(judged.bits));
  }
  return judged.ok();
}

bool check_gemm_provider(const RunOptions& o) {
  ProviderOptions options{o.provider, o.precisions, o.seed, o.seconds};
  bench::Progress progress(probe_count(), o.quiet);
  const ProviderReport report = check_provider(options, [&](const std::string& what) { progress.next(what); });
  progress.clear();
  if (o.json) {
    json probes = json::array();
    for (const Probe& p : report.probes)
      probes.push_back(
          {{"property", p.name}, {"passed", p.passed}, {"cases", p.cases}, {"reason", p.reason}, {"call", p.call}});
    const json out = {{"provider", report.name}, {"path", report.path},         {"version", report.version},
                      {"seed", o.seed},          {"passed", report.admitted()}, {"probes", probes}};
    std::cout << cli::in_text(out, 2) << '\n';
    return report.admitted();
  }
  std::printf("GEMM of %s\n  %s\n  seed %llu\n\n", report.path.c_str(),
              report.version.empty() ? "(says nothing of its version)" : report.version.c_str(),
              static_cast<unsigned long long>(o.seed));
  for (const Probe& p : report.probes) {
    std::printf("  %-60s %7llu cases  %s\n", p.name.c_str(), static_cast<unsigned long long>(p.cases),
                p.passed ? "ok" : "FAILED");
    if (!p.passed) std::printf("    %s\n    %s\n", p.reason.c_str(), p.call.c_str());
  }
  std::printf("\n%s\n", report.admitted() ? "Admitted: it may supply GEMM to Trigon."
                                          : "Not admitted: Trigon uses it only when TRIGON_PROVIDER names it.");
  return report.admitted();
}

/// What chooses the same calls again.
std::string command(const RunOptions& o) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", o.seconds);
  std::string text = "trigon check --seed " + std::to_string(o.seed) + " --max-size " + std::to_string(o.max_size) +
                     " --seconds " + seconds + " -p " + o.precisions;
  for (const std::string& operation : o.operations) text += " --op " + operation;
  return text;
}

bool check_library(const RunOptions& o) {
  explain(parse_call("dgemm"));  // throws where TRIGON_BACKEND names what cannot be used
  CaseOptions cases;
  cases.operations = bench::parse_operations(o.operations);
  cases.precisions = o.precisions, cases.max_size = o.max_size, cases.seed = o.seed;
  std::vector<Part> all = parts(cases, o.seconds);
  std::erase_if(all, [&](const Part& p) { return p.title.find(o.only) == std::string::npos; });
  if (all.empty()) throw error("--only: no part of the check has '" + o.only + "' in its title");
  std::size_t combinations = Generator(cases).combinations();
  if (combinations == 0) throw error("nothing to check: these operations have no such precision");
  if (!o.json) {
    const ProviderInfo provider = gemm_provider();
    std::printf("Trigon %s on %s, GEMM of %s; drop-in %s\n", version().c_str(), cpu_info().name.c_str(),
                provider.name.c_str(), has_drop_in() ? "beside it, checked too" : "not installed");
    std::printf("seed %llu, sizes up to %lld, %zu combinations of operation, precision, variant and layout\n\n",
                static_cast<unsigned long long>(o.seed), o.max_size, combinations);
    std::fflush(stdout);
  }
  std::vector<Outcome> outcomes;
  const std::string again = command(o);
  bench::Progress progress(all.size(), o.quiet);
  for (const Part& part : all) {
    progress.next(part.title);
    outcomes.push_back(PartRun(part, again, progress)());
  }
  progress.clear();
  compare_bits(outcomes);
  std::uint64_t cases_done = 0, failed = 0;
  for (const Outcome& outcome : outcomes) cases_done += outcome.cases, failed += outcome.failed;
  if (o.json) {
    json out = to_json(outcomes);
    out.update({{"version", version()},
                {"seed", o.seed},
                {"max_size", o.max_size},
                {"cases", cases_done},
                {"failed", failed},
                {"passed", failed == 0}});
    std::cout << cli::in_text(out, 2) << '\n';
    return failed == 0;
  }
  print(outcomes, o.accuracy);
  if (failed)
    std::printf("\n%llu of %llu cases FAILED\n", static_cast<unsigned long long>(failed),
                static_cast<unsigned long long>(cases_done));
  else
    std::printf("\n%llu cases passed\n", static_cast<unsigned long long>(cases_done));
  return failed == 0;
}

}  // namespace

bool run(const RunOptions& options) {
  RunOptions o = options;
  if (o.seed == 0) o.seed = std::random_device()() + 1ull;
  if (!o.one_case.empty()) return check_one(o);
  return o.provider.empty() ? check_library(o) : check_gemm_provider(o);
}

}  // namespace trigon::selftest
