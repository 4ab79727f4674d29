#include "trigon/bench/run.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <trigon/error.hpp>

#include "trigon/bench/breakdown.hpp"
#include "trigon/bench/find_blas.hpp"
#include "trigon/bench/journal.hpp"
#include "trigon/bench/progress.hpp"
#include "trigon/bench/replay.hpp"
#include "trigon/bench/report.hpp"
#include "trigon/commands.hpp"
#include "trigon/locate.hpp"

namespace trigon::bench {

using nlohmann::json;

namespace {

std::vector<Row> rows_of(const RunOptions& o) {
  if (!o.replay.empty()) {
    const Trace trace = read_trace(o.replay, o.limit, o.sweep.threads.front());
    std::printf("%s: %.0f calls of %zu kinds, %.3f GFLOP; the %zu timed here stand for %.1f %% of the flops\n\n",
                o.replay.c_str(), trace.calls, trace.kinds, trace.flops * 1e-9, trace.rows.size(),
                100 * trace.flops_covered);
    return trace.rows;
  }
  std::vector<Row> rows;
  for (const std::string& text : o.calls) {
    const Call call = parse_call(text);
    explain(call);  // throws argument_error for what could not be called
    for (const int threads : o.sweep.threads) rows.push_back({call, threads, "call"});
  }
  if (o.operations.empty()) return rows;
  SweepOptions sweep_options = o.sweep;
  sweep_options.operations = parse_operations(o.operations);
  const bool standard = std::find(o.operations.begin(), o.operations.end(), "standard") != o.operations.end();
  if (sweep_options.sizes.empty() && !standard)
    sweep_options.sizes = o.quick ? std::vector<index>{7, 32, 200} : parse_list("8:1024", "--sizes", 1);
  const auto swept = standard ? standard_sweep(sweep_options, o.quick) : sweep(sweep_options);
  rows.insert(rows.end(), swept.begin(), swept.end());
  // All rows of one number of threads together: the processes of the next one start once.
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.threads < b.threads; });
  return rows;
}

Contender trigon_itself(Entry door) {
  if (door == Entry::Cpp) return {"trigon", "", trigon::version(), door, true};
  const std::string path = cli::beside_the_library("libtrigon_blas.so");
  if (path.empty())
    throw backend_error("libtrigon_blas.so is not beside libtrigon.so; --door cpp times the C++ interface instead");
  return {"trigon", path, trigon::version(), door, true};
}

/// The peers for a number of threads; a known name that is not installed is reported and left out.
std::vector<Contender> find_peers(const std::vector<std::string>& wanted, int threads, Entry door) {
  std::vector<Contender> list;
  const Entry entry = door == Entry::Cblas ? Entry::Cblas : Entry::Fortran;
  for (const std::string& word : wanted) {
    if (word == "none") continue;
    if (word.find('/') != std::string::npos) {
      std::string name = word.substr(word.rfind('/') + 1);
      name = name.substr(0, name.find(".so"));
      list.push_back({name, word, "", entry, false});
      continue;
    }
    const auto known = known_blas();
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      std::string names;
      for (const auto& k : known) names += " " + k;
      throw error("--peers: '" + word + "' is neither a path nor one of" + names + " none");
    }
    const std::string path = find_blas(word, threads);
    if (path.empty())
      std::fprintf(stderr, "peer %s: no build for %d thread(s) found, left out\n", word.c_str(), threads);
    else
      list.push_back({word, path, "", entry, false});
  }
  // Two files may have one name.
  std::map<std::string, int> seen;
  for (Contender& c : list)
    if (const int before = seen[c.name]++; before > 0) c.name += "-" + std::to_string(before + 1);
  return list;
}

std::vector<std::unique_ptr<Contestant>> open_all(const RunOptions& o, int threads) {
  std::vector<Contender> contenders = find_peers(o.peers, threads, o.door);
  contenders.insert(contenders.begin(), trigon_itself(o.door));
  std::vector<std::unique_ptr<Contestant>> opened;
  const auto pool = std::make_shared<OperandPool>();
  for (Contender& c : contenders)
    opened.push_back(threads == 1 ? open_here(std::move(c), pool) : open_apart(std::move(c), threads));
  return opened;
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

void run_breakdown(const RunOptions& o) {
  json out = json::array();
  Machine machine(1);
  for (const Row& row : rows_of(o)) {
    const Breakdown b = break_down(row, machine, o.measure);
    print(b);
    out.push_back(to_json(b));
  }
  if (!o.json.empty())
    write_file(o.json, json{{"provenance", provenance({}, o.commit)}, {"breakdown", out}}.dump(1) + "\n");
}

std::vector<std::string> names_of_peers(const std::vector<Result>& results) {
  std::vector<std::string> names;
  for (const Result& r : results)
    for (std::size_t i = 1; i < r.timings.size(); ++i)
      if (std::find(names.begin(), names.end(), r.timings[i].name) == names.end()) names.push_back(r.timings[i].name);
  return names;
}

void write_plots(const RunOptions& o, const std::vector<Result>& results, const std::string& subtitle) {
  if (!o.csv.empty()) write_file(o.csv, to_csv(results, names_of_peers(results)));
  if (o.svg.empty()) return;
  const std::string svg = to_svg(results, subtitle);
  if (svg.empty()) throw error("--svg: nothing to plot, no routine was timed at two sizes or more");
  write_file(o.svg, svg);
}

std::string subtitle_of(const json& provenance) {
  const json& cpu = provenance.at("cpu");
  return cpu.at("model").get<std::string>() + " (" + cpu.at("target").get<std::string>() + "), " +
         provenance.at("date").get<std::string>().substr(0, 10);
}

void print_again(const RunOptions& o) {
  std::ifstream in(o.from);
  if (!in) throw error("cannot read " + o.from);
  json all;
  std::vector<Result> results;
  std::string subtitle;
  try {
    all = json::parse(in);
    for (const json& row : all.at("rows").get<std::vector<json>>()) results.push_back(result_from_json(row));
    subtitle = subtitle_of(all.at("provenance"));
  } catch (const json::exception& e) {
    throw error(o.from + " is no file of `trigon bench --json`: " + e.what());
  }
  const auto peers = names_of_peers(results);
  print_table_header(peers);
  for (const Result& r : results) print_table_row(r, peers);
  print_summary(results, peers, {o.against});
  write_plots(o, results, subtitle);
}

}  // namespace

void restart_with_one_thread() {
  bool ready = true;
  for (const auto& [name, value] : thread_environment(1)) {
    const char* set = std::getenv(name.c_str());
    ready = ready && set && value == set;
    setenv(name.c_str(), value.c_str(), 1);
  }
  if (ready) return;
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(in)), {});
  std::vector<char*> argv;
  for (std::size_t at = 0; at < all.size(); at += std::strlen(all.c_str() + at) + 1)
    argv.push_back(const_cast<char*>(all.c_str() + at));
  argv.push_back(nullptr);
  execv("/proc/self/exe", argv.data());
  throw backend_error("cannot start this program again with one thread");
}

namespace {

/// The measurement of all rows, those of one number of threads after those of another.
class Session {
 public:
  explicit Session(const RunOptions& o) : options_(o), against_{o.against}, journal_(o.journal) {
    if (o.against != "provider") return;
    against_.name = gemm_provider().name;
    if (against_.name == "own")
      throw error("--against provider: Trigon uses its own GEMM here (" + gemm_provider().detail +
                  "); name a peer, as --against openblas");
  }

  void measure_all(std::vector<Row> rows) {
    const std::size_t total = rows.size();
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
    left_out_ = total - results_.size();
  }

  void report() const {
    print_summary(results_, peers_, against_);
    if (!options_.replay.empty()) print_replay_total(results_, peers_);
    print_counts(counted_, gemm_provider().name);
    if (left_out_ > 0)
      std::printf("\n--time-limit: %zu rows measured, drawn at random; %zu left out\n", results_.size(), left_out_);
    const json from = provenance(contenders_, options_.commit);
    if (!options_.json.empty()) write_file(options_.json, to_json(from).dump(1) + "\n");
    write_plots(options_, results_, subtitle_of(from));
    std::fflush(stdout);
  }

  /// Says on stderr what failed; whether anything did.
  bool failed() const {
    int wrong = 0, short_rows = 0;
    for (const Result& r : results_) {
      wrong += !r.trigon().ran || !r.trigon().checked.right;
      const Timing* held = against_.of(r);
      short_rows += options_.min_ratio > 0 && held && held->ratio < options_.min_ratio;
    }
    if (wrong) std::fprintf(stderr, "trigon: %d wrong or missing result(s) of Trigon\n", wrong);
    if (short_rows)
      std::fprintf(stderr, "trigon: %d row(s) below %g of %s in two measurements\n", short_rows, options_.min_ratio,
                   against_.name.c_str());
    return wrong || short_rows;
  }

 private:
  using Opened = std::vector<std::unique_ptr<Contestant>>;

  void measure_group(const std::vector<Row>& rows, double limit, Progress& progress) {
    const int threads = rows.front().threads;
    const Opened opened = open_all(options_, threads);
    const std::vector<std::string> names = note_names(opened, threads);
    const std::vector<std::string> peers(names.begin() + 1, names.end());
    print_table_header(peers);
    Machine machine(threads);
    const std::size_t first_result = results_.size();
    const double begin = now(Clock::Wall);
    for (const Row& row : rows) {
      if (limit > 0 && now(Clock::Wall) - begin > limit) break;
      progress.next(key(row));
      if (const Result* done = journal_.find(row, names)) {
        results_.push_back(*done);
      } else {
        results_.push_back(measure(opened, row, machine, options_.measure));
        journal_.add(results_.back());
      }
      results_.back().row.weight = row.weight;
      progress.clear();
      print_table_row(results_.back(), peers);
    }
    if (options_.min_ratio > 0) measure_short_rows_again(opened, first_result, machine, peers, progress);
    for (const auto& c : opened)
      if (c->who().is_trigon) add_counts(counted_, c->counted());
    json about = {{"threads", threads}, {"peak_gflops", json::object()}, {"bandwidth_gbytes", json::array()}};
    for (const auto& [p, v] : machine.peaks()) about["peak_gflops"][std::string(1, static_cast<char>(p))] = v * 1e-9;
    for (const auto& [b, v] : machine.bandwidths())
      about["bandwidth_gbytes"].push_back({{"bytes", b}, {"gbytes", v * 1e-9}});
    machines_.push_back(about);
  }

  /// The names of all implementations, Trigon's first.
  std::vector<std::string> note_names(const Opened& opened, int threads) {
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

  /// A row falls short only if it does so twice, the second time after all the others.
  void measure_short_rows_again(const Opened& opened, std::size_t first, Machine& machine,
                                const std::vector<std::string>& peers, Progress& progress) {
    MeasureOptions longer = options_.measure;
    longer.seconds *= 2;
    for (std::size_t i = first; i < results_.size(); ++i) {
      const Timing* held = against_.of(results_[i]);
      if (!held || held->ratio >= options_.min_ratio || results_[i].measurements > 1) continue;
      progress.note("again: " + key(results_[i].row));
      Result second = measure(opened, results_[i].row, machine, longer);
      const Timing* second_held = against_.of(second);
      progress.clear();
      std::printf("again: ");
      print_table_row(second, peers);
      second.row.weight = results_[i].row.weight;
      if (second_held && second_held->ratio > held->ratio) results_[i] = std::move(second);
      results_[i].measurements = 2;
    }
  }

  json to_json(const json& from) const {
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
                {"rows", json::array()},
                {"left_out", left_out_},
                {"summary", summary_json(results_, peers_, against_)},
                {"counts", counts_json(counted_)}};
    for (const Result& r : results_) out["rows"].push_back(bench::to_json(r));
    return out;
  }

  const RunOptions& options_;
  Against against_;
  Journal journal_;
  std::vector<Result> results_;
  std::vector<std::pair<int, std::vector<Contender>>> contenders_;
  std::vector<std::string> peers_;
  Counted counted_;
  json machines_ = json::array();
  std::size_t left_out_ = 0;
};

}  // namespace

void run(const RunOptions& o) {
  // Now, not after an hour of measurement.
  for (const std::string& path : {o.json, o.csv, o.svg})
    if (!path.empty()) require_writable(path);
  if (!o.from.empty()) return print_again(o);
  if (o.breakdown) return run_breakdown(o);
  Session session(o);
  session.measure_all(rows_of(o));
  session.report();
  if (session.failed()) throw cli::exit_request{cli::exit_check_failed};
}

}  // namespace trigon::bench
