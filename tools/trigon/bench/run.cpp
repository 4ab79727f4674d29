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
#include <trigon/error.hpp>

#include "trigon/bench/breakdown.hpp"
#include "trigon/bench/progress.hpp"
#include "trigon/bench/replay.hpp"
#include "trigon/bench/report.hpp"
#include "trigon/commands.hpp"

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
  const auto swept =
      standard || (o.quick && o.sweep.sizes.empty()) ? standard_sweep(sweep_options, o.quick) : sweep(sweep_options);
  rows.insert(rows.end(), swept.begin(), swept.end());
  // All rows of one number of threads together: the processes of the next one start once.
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.threads < b.threads; });
  return rows;
}

Contender trigon_itself(Entry door) {
  if (door == Entry::Cpp) return {"trigon", "", trigon::version(), door, true};
  const std::string path = trigon_blas_path();
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
    const auto& known = known_blas();
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

/// Finished rows, one line of JSON each, so that an interrupted sweep goes on where it was.
class Journal {
 public:
  explicit Journal(const std::string& path) : path_(path) {
    if (path.empty()) return;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
      try {
        Result r = result_from_json(json::parse(line));
        known_.insert_or_assign(key(r.row), std::move(r));
      } catch (const json::exception&) {
        // The line that an interruption cut short: that row is measured again.
        if (in.peek() != std::ifstream::traits_type::eof()) throw error(path + ": a line is no JSON");
      }
    }
    out_ = std::fopen(path.c_str(), "a");
    if (!out_) throw error("cannot write " + path);
  }
  ~Journal() {
    if (out_) std::fclose(out_);
  }
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const Result* find(const Row& row) const {
    const auto found = known_.find(key(row));
    return found == known_.end() ? nullptr : &found->second;
  }
  void add(const Result& r) {
    if (!out_) return;
    std::fprintf(out_, "%s\n", to_json(r).dump().c_str());
    if (std::fflush(out_) != 0) throw error("cannot write " + path_);
  }

 private:
  std::string path_;
  std::map<std::string, Result> known_;
  std::FILE* out_ = nullptr;
};

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
    for (const json& row : all.at("rows")) results.push_back(result_from_json(row));
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

void run(const RunOptions& o) {
  if (!o.from.empty()) return print_again(o);
  if (o.breakdown) return run_breakdown(o);

  const std::vector<Row> rows = rows_of(o);
  if (rows.empty()) throw error("nothing to time: name an operation, --call or --replay");
  Against against{o.against};
  if (o.against == "provider") against.name = gemm_provider().name;

  Journal journal(o.journal);
  std::vector<Result> results;
  std::vector<std::pair<int, std::vector<Contender>>> contenders;
  std::vector<std::string> peers;
  Counted counted;
  json machines = json::array();
  Progress progress(rows.size(), o.quiet);
  for (std::size_t begin = 0; begin < rows.size();) {
    const int threads = rows[begin].threads;
    const auto opened = open_all(o, threads);
    auto& here = contenders.emplace_back(threads, std::vector<Contender>{}).second;
    std::vector<std::string> names;
    for (const auto& c : opened) {
      here.push_back(c->who());
      if (!c->who().is_trigon) names.push_back(c->who().name);
    }
    if (against.name != "best" && std::find(names.begin(), names.end(), against.name) == names.end())
      throw error("--against " + o.against + ": " + against.name + " is not among the peers" +
                  (threads > 1 ? " with " + std::to_string(threads) + " threads" : ""));
    for (const auto& n : names)
      if (std::find(peers.begin(), peers.end(), n) == peers.end()) peers.push_back(n);
    print_table_header(names);

    Machine machine(threads);
    const std::size_t first_result = results.size();
    for (; begin < rows.size() && rows[begin].threads == threads; ++begin) {
      progress.next(key(rows[begin]));
      if (const Result* done = journal.find(rows[begin])) {
        results.push_back(*done);
      } else {
        results.push_back(measure(opened, rows[begin], machine, o.measure));
        journal.add(results.back());
      }
      results.back().row.weight = rows[begin].weight;
      progress.clear();
      print_table_row(results.back(), names);
    }
    // A row falls short only if it does so twice, the second time after all the others.
    for (std::size_t i = first_result; i < results.size(); ++i) {
      const Timing* held = against.of(results[i]);
      if (!(o.min_ratio > 0) || !held || held->ratio >= o.min_ratio) continue;
      if (results[i].measurements == 1) {
        MeasureOptions again = o.measure;
        again.seconds *= 2;
        Result second = measure(opened, results[i].row, machine, again);
        second.measurements = 2;
        const Timing* second_held = against.of(second);
        progress.clear();
        std::printf("again: ");
        print_table_row(second, names);
        if (second_held && second_held->ratio > held->ratio) results[i] = std::move(second);
        results[i].measurements = 2;
      }
    }
    for (const auto& c : opened)
      if (c->who().is_trigon) add_counts(counted, c->counted());
    json machine_json = {{"threads", threads}, {"peak_gflops", json::object()}, {"bandwidth_gbytes", json::array()}};
    for (const auto& [p, v] : machine.peaks())
      machine_json["peak_gflops"][std::string(1, static_cast<char>(p))] = v * 1e-9;
    for (const auto& [b, v] : machine.bandwidths())
      machine_json["bandwidth_gbytes"].push_back({{"bytes", b}, {"gbytes", v * 1e-9}});
    machines.push_back(machine_json);
  }
  progress.clear();

  print_summary(results, peers, against);
  if (!o.replay.empty()) print_replay_total(results, peers);
  print_counts(counted, gemm_provider().name);

  const json from = provenance(contenders, o.commit);
  if (!o.json.empty()) {
    json out = {{"format", "trigon-bench-1"},
                {"provenance", from},
                {"options",
                 {{"seconds", o.measure.seconds},
                  {"rounds", o.measure.rounds},
                  {"seed", o.measure.seed},
                  {"cold", o.measure.cold},
                  {"alpha", o.sweep.alpha},
                  {"beta", o.sweep.beta}}},
                {"machine", machines},
                {"rows", json::array()},
                {"summary", summary_json(results, peers, against)},
                {"counts", counts_json(counted)}};
    for (const Result& r : results) out["rows"].push_back(to_json(r));
    write_file(o.json, out.dump(1) + "\n");
  }
  write_plots(o, results, subtitle_of(from));

  int wrong = 0, short_rows = 0;
  for (const Result& r : results) {
    wrong += !r.trigon().ran || !r.trigon().checked.right;
    const Timing* held = against.of(r);
    short_rows += o.min_ratio > 0 && held && held->ratio < o.min_ratio;
  }
  std::fflush(stdout);
  if (wrong) std::fprintf(stderr, "trigon: %d wrong or missing result(s) of Trigon\n", wrong);
  if (short_rows)
    std::fprintf(stderr, "trigon: %d row(s) below %g of %s in two measurements\n", short_rows, o.min_ratio,
                 against.name.c_str());
  if (wrong || short_rows) throw cli::exit_request{cli::exit_check_failed};
}

}  // namespace trigon::bench
