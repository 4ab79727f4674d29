#include "trigon/bench/session.hpp"

#include <stdlib.h>
#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>
#include <thread>

#include "trigon/bench/contestants.hpp"
#include "trigon/bench/settings.hpp"
#include "trigon/commands.hpp"
#include "trigon/json_text.hpp"

namespace trigon::bench {

using nlohmann::json;

namespace {

/// How many processes have wanted a processor over the last minute.
double load() {
  double average = 0;
  return getloadavg(&average, 1) == 1 ? average : 0;
}

void add_counts(Counted& all, const Counted& more) {
  all.provider_gemms += more.provider_gemms;
  for (const PathCount& p : more.paths) {
    const auto same = [&](const PathCount& q) { return q.routine == p.routine && q.path == p.path; };
    const auto found = std::find_if(all.paths.begin(), all.paths.end(), same);
    if (found == all.paths.end())
      all.paths.push_back(p);
    else
      found->calls += p.calls, found->flops += p.flops, found->seconds += p.seconds;
  }
}

std::string subtitle_of(const json& provenance) {
  const json& cpu = provenance.at("cpu");
  return cpu.at("model").get<std::string>() + " (" + cpu.at("target").get<std::string>() + "), " +
         provenance.at("date").get<std::string>().substr(0, 10);
}

/// Of Trigon, or missing.
bool is_wrong(const Result& r) { return !r.broken && (!r.trigon().ran || !r.trigon().checked.right); }

}  // namespace

std::vector<std::string> names_of_peers(const std::vector<Result>& results) {
  std::vector<std::string> names;
  for (const Result& r : results)
    for (std::size_t i = 1; i < r.timings.size(); ++i)
      if (std::find(names.begin(), names.end(), r.timings[i].name) == names.end()) names.push_back(r.timings[i].name);
  return names;
}

void write_plots(const RunOptions& o, const std::vector<Result>& results, const json& provenance) {
  if (!o.csv.empty()) write_file(o.csv, to_csv(results, names_of_peers(results)));
  if (o.svg.empty()) return;
  const std::string svg = to_svg(results, subtitle_of(provenance));
  if (svg.empty()) throw error("--svg: nothing to plot, no routine was timed at two sizes or more");
  write_file(o.svg, svg);
}

Session::Session(const RunOptions& o) : options_(o), against_{o.against}, journal_(o.journal), load_before_(load()) {
  if (o.against != "provider") return;
  const ProviderInfo provider = gemm_provider();
  against_.name = provider.name;
  if (provider.name == "own")
    throw error("--against provider: Trigon uses its own GEMM here (" + provider.detail +
                "); name a peer, as --against openblas");
}

void Session::measure_all(std::vector<Row> rows) {
  const std::size_t total = asked_for_ = rows.size();
  Progress progress(total, options_.quiet);
  int groups = 0;
  for (std::size_t i = 0; i < total; ++i) groups += i == 0 || rows[i].threads != rows[i - 1].threads;
  for (std::size_t begin = 0; begin < total;) {
    std::size_t end = begin;
    while (end < total && rows[end].threads == rows[begin].threads) ++end;
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = rows.begin() + static_cast<std::ptrdiff_t>(end);
    // What a limit leaves time for is to be a fair sample of all rows.
    if (options_.time_limit > 0) std::shuffle(first, last, std::mt19937_64(options_.measure.seed));
    measure_group({first, last}, options_.time_limit / groups, progress);
    begin = end;
  }
}

void Session::measure_group(const std::vector<Row>& rows, double limit, Progress& progress) {
  const int threads = rows.front().threads;
  Opened opened = open_all(options_.peers, threads, options_.door);
  const std::vector<std::string> names = note_names(opened, threads);
  const std::vector<std::string> peers(names.begin() + 1, names.end());
  // CPU time hides what others do on a shared core; elapsed time does not.
  if (threads > 1 && !options_.quiet && load_before_ + threads > std::thread::hardware_concurrency() + 0.5)
    std::fprintf(stderr, "trigon: the machine is busy (load %.1f): rows of %d threads, timed by the clock, suffer\n",
                 load_before_, threads);
  print_table_header(peers);
  const std::string settings = settings_of(options_, opened);
  Machine machine(threads);
  const std::size_t first_result = results_.size();
  const double begin = now(Clock::Wall);
  for (const Row& row : rows) {
    if (limit > 0 && now(Clock::Wall) - begin > limit) break;
    progress.next(key(row));
    if (const Result* done = journal_.find(row, names, settings)) {
      results_.push_back(*done);
    } else {
      results_.push_back(measure_row(opened, row, machine, options_.measure));
      if (!results_.back().broken) journal_.add(results_.back(), settings);
    }
    results_.back().row.weight = row.weight;
    progress.clear();
    print_table_row(results_.back(), peers);
  }
  if (options_.min_ratio > 0) measure_short_rows_again(opened, first_result, machine, peers, progress);
  note_counts(opened);
  note_machine(machine);
}

/// A row that cannot be measured is no reason to throw away those that can.
Result Session::measure_row(Opened& opened, const Row& row, Machine& machine, const MeasureOptions& options) {
  const auto without = [&](const std::string& why) {
    failures_.push_back(key(row) + ": " + why);
    return not_measured(opened, row, why);
  };
  try {
    return measure(opened, row, machine, options);
  } catch (const std::bad_alloc&) {
    return without(out_of_memory_words);
  } catch (const worker_died& e) {
    const Result none = without(e.what());
    note_counts(opened);
    opened = open_all(options_.peers, row.threads, options_.door);
    return none;
  } catch (const std::exception& e) {
    return without(e.what());
  }
}

void Session::note_counts(const Opened& opened) {
  try {
    add_counts(counted_, opened.front()->counted());
  } catch (const worker_died&) {  // which is known, and what it had counted is lost
  }
}

std::vector<std::string> Session::note_names(const Opened& opened, int threads) {
  auto& here = contenders_.emplace_back(threads, std::vector<Contender>{}).second;
  std::vector<std::string> names;
  for (const auto& c : opened) {
    here.push_back(c->who());
    names.push_back(c->who().name);
    const bool known = std::find(peers_.begin(), peers_.end(), names.back()) != peers_.end();
    if (!c->who().is_trigon && !known) peers_.push_back(names.back());
  }
  if (against_.name != "best" && std::find(names.begin() + 1, names.end(), against_.name) == names.end())
    throw error("--against " + options_.against + ": " + against_.name + " is not among the peers" +
                (threads > 1 ? " with " + std::to_string(threads) + " threads" : ""));
  return names;
}

void Session::note_machine(const Machine& machine) {
  json about = {{"threads", machine.threads()}, {"peak_gflops", json::object()}, {"bandwidth_gbytes", json::array()}};
  for (const auto& [p, v] : machine.peaks()) about["peak_gflops"][std::string(1, static_cast<char>(p))] = v * 1e-9;
  for (const auto& [b, v] : machine.bandwidths())
    about["bandwidth_gbytes"].push_back({{"bytes", b}, {"gbytes", v * 1e-9}});
  machines_.push_back(about);
}

/// A row falls short only if it does so twice, the second time after all the others. What is said of it is the second,
/// longer measurement: the better of two would flatter, for rows that do not fall short have but one.
void Session::measure_short_rows_again(Opened& opened, std::size_t first, Machine& machine,
                                       const std::vector<std::string>& peers, Progress& progress) {
  MeasureOptions longer = options_.measure;
  longer.seconds *= 2;
  for (std::size_t i = first; i < results_.size(); ++i) {
    const Timing* held = against_.of(results_[i]);
    if (!held || held->ratio >= options_.min_ratio || results_[i].measurements > 1) continue;
    if (is_wrong(results_[i])) continue;  // that stays
    progress.note("again: " + key(results_[i].row));
    Result second = measure_row(opened, results_[i].row, machine, longer);
    const Timing* second_held = against_.of(second);
    progress.clear();
    std::printf("again: ");
    print_table_row(second, peers);
    if (second.broken) continue;
    better_[i] = second_held ? std::max(held->ratio, second_held->ratio) : held->ratio;
    second.row.weight = results_[i].row.weight;
    second.measurements = 2;
    results_[i] = std::move(second);
  }
}

std::vector<Standing> Session::regions() const {
  const auto& words = options_.operations;
  const bool asked = std::find(words.begin(), words.end(), "regions") != words.end();
  return asked ? standings(results_) : std::vector<Standing>{};
}

json Session::to_json(const json& from) const {
  json out = {{"format", "trigon-bench-1"},
              {"provenance", from},
              {"options",
               {{"seconds", options_.measure.seconds},
                {"rounds", options_.measure.rounds},
                {"seed", options_.measure.seed},
                {"cold", options_.measure.cold},
                {"alpha", options_.sweep.alpha},
                {"beta", options_.sweep.beta},
                {"min_ratio", options_.min_ratio}}},
              {"machine", machines_},
              {"load", {{"before", load_before_}, {"after", load()}}},
              {"rows", json::array()},
              {"left_out", left_out()},
              {"summary", summary_json(results_, peers_, against_)},
              {"counts", counts_json(counted_)}};
  for (const Result& r : results_) out["rows"].push_back(bench::to_json(r));
  for (const Standing& s : regions()) out["regions"].push_back(bench::to_json(s));
  return out;
}

void Session::report() const {
  print_summary(results_, peers_, against_);
  if (const auto list = regions(); !list.empty()) print(list);
  if (!options_.replay.empty()) print_replay_total(results_, peers_);
  print_counts(counted_, gemm_provider().name);
  if (left_out() > 0)
    std::printf("\n%s%zu rows measured%s; %zu left out\n", options_.time_limit > 0 ? "--time-limit: " : "",
                results_.size(), options_.time_limit > 0 ? ", drawn at random" : "", left_out());
  const json from = provenance(contenders_, options_.commit);
  if (!options_.json.empty()) write_file(options_.json, cli::in_text(to_json(from), 1) + "\n");
  write_plots(options_, results_, from);
  std::fflush(stdout);
}

int Session::status() const {
  int wrong = 0, short_rows = 0, held_rows = 0;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    wrong += is_wrong(results_[i]);
    const auto twice = better_.find(i);
    const Timing* held = against_.of(results_[i]);
    if (!held && twice == better_.end()) continue;
    ++held_rows;
    short_rows += (twice == better_.end() ? held->ratio : twice->second) < options_.min_ratio;
  }
  if (wrong) std::fprintf(stderr, "trigon: %d wrong or missing result(s) of Trigon\n", wrong);
  if (short_rows)
    std::fprintf(stderr, "trigon: %d row(s) below %g of %s in two measurements\n", short_rows, options_.min_ratio,
                 against_.name.c_str());
  const bool none = options_.min_ratio > 0 && held_rows == 0;
  if (none)
    std::fprintf(stderr, "trigon: --min-ratio: no row has a right result of %s to be held against\n",
                 against_.name == "best" ? "a peer" : against_.name.c_str());
  for (const std::string& failure : failures_) std::fprintf(stderr, "trigon: %s\n", failure.c_str());
  if (!failures_.empty()) return cli::exit_backend;
  return wrong || short_rows || none ? cli::exit_check_failed : cli::exit_ok;
}

}  // namespace trigon::bench
