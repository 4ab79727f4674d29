#include "trigon/bench/evenness.hpp"

#include <trigon/error.hpp>

#include <algorithm>
#include <cstdio>
#include <map>

#include "trigon/bench/contestants.hpp"
#include "trigon/bench/progress.hpp"
#include "trigon/bench/report.hpp"
#include "trigon/commands.hpp"
#include "trigon/json_text.hpp"

namespace trigon::bench {
namespace {

/// What all variants of a row share.
std::string group_of(const Row& row) {
  Row any = row;
  any.call.side = Side::Left, any.call.uplo = Uplo::Lower, any.call.diag = Diag::NonUnit;
  any.call.transa = any.call.transb = Op::NoTrans;
  return key(any);
}

std::vector<std::vector<Row>> grouped(const std::vector<Row>& rows) {
  std::vector<std::vector<Row>> groups;
  std::map<std::string, std::size_t> at;
  for (const Row& row : rows) {
    const auto [found, fresh] = at.emplace(group_of(row), groups.size());
    if (fresh) groups.emplace_back();
    groups[found->second].push_back(row);
  }
  return groups;
}

Evenness measure_group(const std::vector<Row>& rows, const RunOptions& o, const MeasureOptions& measure) {
  // Each has operands of its own: they are restored and warmed before every sample, as in any other row.
  std::vector<std::unique_ptr<Contestant>> opened;
  std::vector<Turn> turns;
  for (const Row& row : rows) {
    opened.push_back(std::move(open_all({"none"}, 1, o.door).front()));
    std::string why;
    if (!opened.back()->prepare(row, measure.seed, why)) throw backend_error(key(row) + ": " + why);
    if (const Checked checked = opened.back()->check(); !checked.right) {
      std::fprintf(stderr, "trigon: %s: wrong result, %s\n", key(row).c_str(), checked.words.c_str());
      throw cli::exit_request{cli::exit_check_failed};
    }
    turns.push_back({opened.back().get()});
  }
  const int rounds = take_turns(turns, Clock::Cpu, measure);

  // Each round's times over their median: a change of clock rate from round to round cancels.
  std::vector<std::vector<double>> relative(rows.size());
  for (std::size_t round = 0; round < static_cast<std::size_t>(rounds); ++round) {
    std::vector<double> times;
    for (const Turn& t : turns) times.push_back(t.samples[round]);
    const double middle = median(times);
    for (std::size_t i = 0; i < times.size(); ++i) relative[i].push_back(times[i] / middle);
  }
  std::vector<double> medians;
  for (auto& r : relative) medians.push_back(median(r));
  const double fastest = *std::min_element(medians.begin(), medians.end());

  Evenness result{rows.front(), {}};
  for (std::size_t i = 0; i < rows.size(); ++i)
    result.variants.push_back({variant(rows[i].call), median(turns[i].samples), fastest / medians[i]});
  std::stable_sort(result.variants.begin(), result.variants.end(),
                   [](const auto& a, const auto& b) { return a.speed > b.speed; });
  return result;
}

void print(const Evenness& e) {
  const Call& c = e.row.call;
  const auto gflops = [&](const Evenness::Variant& v) { return flops(c) / v.seconds * 1e-9; };
  const auto& fast = e.variants.front();
  const auto& slow = e.variants.back();
  std::printf("%-7s %6lld %6lld %6lld %8zu  %-5s %8.2f  %-5s %8.2f  %6.2f%s\n", routine(c).c_str(),
              static_cast<long long>(c.m), static_cast<long long>(c.n), static_cast<long long>(c.k), e.variants.size(),
              fast.letters.c_str(), gflops(fast), slow.letters.c_str(), gflops(slow), e.slowest(),
              e.measurements > 1 ? "  (twice)" : "");
  std::fflush(stdout);
}

}  // namespace

void run_evenness(const RunOptions& o, const std::vector<Row>& rows) {
  const auto groups = grouped(rows);
  for (const auto& group : groups) {
    if (group.front().threads != 1) throw error("--evenness times one thread; leave out --threads");
    if (group.size() < 2)
      throw error("--evenness: " + key(group.front()) + " has no other variant beside it; add --variants all");
  }
  std::printf("%-7s %6s %6s %6s %8s  %-5s %8s  %-5s %8s  %6s\n%43s %8s  %-5s %8s\n", "routine", "m", "n", "k",
              "variants", "fast", "GFLOP/s", "slow", "GFLOP/s", "speed", "", "", "", "");
  Progress progress(groups.size(), o.quiet);
  std::vector<Evenness> results;
  std::size_t below = 0;
  for (const auto& group : groups) {
    progress.next(group_of(group.front()));
    Evenness e = measure_group(group, o, o.measure);
    if (e.slowest() < o.min_ratio) {
      MeasureOptions longer = o.measure;
      longer.seconds *= 2;
      Evenness again = measure_group(group, o, longer);
      if (again.slowest() > e.slowest()) e = std::move(again);
      e.measurements = 2;
    }
    below += e.slowest() < o.min_ratio;
    progress.clear();
    print(e);
    results.push_back(std::move(e));
  }
  std::map<std::string, double> worst;
  for (const Evenness& e : results) {
    const auto [at, fresh] = worst.emplace(name(e.row.call.operation), e.slowest());
    if (!fresh) at->second = std::min(at->second, e.slowest());
  }
  std::printf("\nThe slowest variant's speed over the fastest's, least of each operation\n");
  for (const auto& [operation, speed] : worst) std::printf("  %-6s %.2f\n", operation.c_str(), speed);
  if (!o.json.empty()) {
    nlohmann::json list = nlohmann::json::array();
    for (const Evenness& e : results) list.push_back(to_json(e));
    write_file(o.json, cli::in_text({{"provenance", provenance({}, o.commit)}, {"evenness", list}}, 1) + "\n");
  }
  if (below) {
    std::fprintf(stderr, "trigon: %zu of %zu group(s) have a variant below %g of the fastest in two measurements\n",
                 below, results.size(), o.min_ratio);
    throw cli::exit_request{cli::exit_check_failed};
  }
}

nlohmann::json to_json(const Evenness& e) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& v : e.variants) list.push_back({{"variant", v.letters}, {"seconds", v.seconds}, {"speed", v.speed}});
  return {
      {"call", to_text(e.row.call)}, {"variants", list}, {"slowest", e.slowest()}, {"measurements", e.measurements}};
}

}  // namespace trigon::bench
