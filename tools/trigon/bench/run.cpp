#include "trigon/bench/run.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <trigon/error.hpp>

#include "trigon/bench/breakdown.hpp"
#include "trigon/bench/evenness.hpp"
#include "trigon/bench/first_call.hpp"
#include "trigon/bench/regions.hpp"
#include "trigon/bench/replay.hpp"
#include "trigon/bench/report.hpp"
#include "trigon/bench/session.hpp"
#include "trigon/bench/unexpected_exit.hpp"
#include "trigon/commands.hpp"
#include "trigon/files/formats.hpp"
#include "trigon/json_text.hpp"

namespace trigon::bench {

using nlohmann::json;

namespace {

std::vector<Row> swept_rows(const RunOptions& o) {
  SweepOptions sweep_options = o.sweep;
  sweep_options.operations = parse_operations(o.operations);
  const auto asked = [&](const char* word) {
    return std::find(o.operations.begin(), o.operations.end(), word) != o.operations.end();
  };
  if (asked("regions")) {
    if (o.operations.size() > 1) throw error("regions: stands alone, its rows are fixed");
    std::vector<Row> rows;
    for (const RegionRow& r : region_rows()) rows.push_back(r.row);
    return rows;
  }
  const bool standard = asked("standard");
  if (sweep_options.sizes.empty() && o.first_call) sweep_options.sizes = {64};
  if (sweep_options.sizes.empty() && !standard)
    sweep_options.sizes = o.quick ? std::vector<index>{7, 32, 200} : parse_list("8:1024", "--sizes", 1);
  return standard ? standard_sweep(sweep_options, o.quick) : sweep(sweep_options);
}

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
  if (!o.operations.empty()) {
    const std::vector<Row> swept = swept_rows(o);
    rows.insert(rows.end(), swept.begin(), swept.end());
  }
  // All rows of one number of threads together: the processes of the next one start once.
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.threads < b.threads; });
  return rows;
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
    write_file(o.json, cli::in_text(json{{"provenance", provenance({}, o.commit)}, {"breakdown", out}}, 1) + "\n");
}

void print_again(const RunOptions& o) {
  std::ifstream in(o.from);
  if (!in) throw error("cannot read " + o.from);
  json from;
  std::vector<Result> results;
  bool regions = false;
  std::string against = o.against;
  try {
    const json all = json::parse(in);
    regions = all.contains("regions");
    from = all.at("provenance");
    if (against == "provider") against = from.at("provider").at("name");  // of the run that has written this
    for (const json& row : all.at("rows").get<std::vector<json>>()) results.push_back(result_from_json(row));
  } catch (const json::exception& e) {
    throw error(o.from + " is no file of `trigon bench --json`: " + e.what());
  }
  const auto peers = names_of_peers(results);
  if (against != "best" && std::find(peers.begin(), peers.end(), against) == peers.end())
    throw error("--against " + o.against + ": " + o.from + " has no rows of " + against);
  print_table_header(peers);
  for (const Result& r : results) print_table_row(r, peers);
  print_summary(results, peers, {against});
  if (regions) print(standings(results));
  write_plots(o, results, from);
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

/// What another way of measuring does not write, or does not hold against anything.
void refuse_what_is_ignored(const RunOptions& o) {
  const char* const mode = !o.from.empty() ? "--from"
                           : o.breakdown   ? "--breakdown"
                           : o.evenness    ? "--evenness"
                           : o.first_call  ? "--first-call"
                                           : nullptr;
  // These have their rows from a file.
  const char* const file = !o.from.empty() ? "--from" : !o.replay.empty() ? "--replay" : nullptr;
  const std::pair<const char*, bool> rows[] = {
      {"an operation", !o.operations.empty()},
      {"--call", !o.calls.empty()},
      {"--threads with more than one number", o.sweep.threads.size() > 1},
  };
  for (const auto& [option, is_given] : rows)
    if (file && is_given) throw error(std::string(option) + ": means nothing with " + file);
  if (!mode) return;
  const std::pair<const char*, bool> given[] = {
      {"--journal", !o.journal.empty()},
      {"--time-limit", o.time_limit > 0},
      {"--csv", !o.csv.empty() && o.from.empty()},
      {"--svg", !o.svg.empty() && o.from.empty()},
      {"--json", !o.json.empty() && !o.from.empty()},
      {"--min-ratio", o.min_ratio > 0 && !o.evenness},
  };
  for (const auto& [option, is_given] : given)
    if (is_given) throw error(std::string(option) + ": means nothing with " + mode);
}

void run(const RunOptions& o) {
  refuse_what_is_ignored(o);
  // Now, not after an hour of measurement.
  for (const std::string& path : {o.json, o.csv, o.svg})
    if (!path.empty()) cli::require_writable(path);
  if (!o.from.empty()) return print_again(o);
  const UnexpectedExit guard;
  if (o.breakdown) return run_breakdown(o);
  if (o.evenness) return run_evenness(o, rows_of(o));
  if (o.first_call) return run_first_call(o, rows_of(o));
  Session session(o);
  std::exception_ptr cut_short;
  try {
    session.measure_all(rows_of(o));
  } catch (const std::exception&) {  // a peer is not there for more threads, for one
    if (!session.has_results()) throw;
    cut_short = std::current_exception();
  }
  const int status = session.status();
  try {
    session.report();
  } catch (const error& e) {  // there is nothing to plot, for one
    if (status == cli::exit_ok && !cut_short) throw;
    std::fprintf(stderr, "trigon: %s\n", e.what());
  }
  if (cut_short) std::rethrow_exception(cut_short);
  if (status != cli::exit_ok) throw cli::exit_request{status};
}

}  // namespace trigon::bench
