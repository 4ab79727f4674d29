#include "trigon/tune/run.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include "trigon/bench/progress.hpp"
#include "trigon/bench/report.hpp"
#include "trigon/bench/statistics.hpp"
#include "trigon/bench/sweep.hpp"
#include "trigon/commands.hpp"
#include "trigon/setting.hpp"
#include "trigon/tune/heats.hpp"
#include "trigon/tune/origin.hpp"
#include "trigon/tune/output.hpp"
#include "trigon/tune/study.hpp"
#include "trigon/tune/table_file.hpp"
#include "trigon/tune/trial.hpp"

namespace trigon::tune {
namespace {

void require_good(const Options& o) {
  const std::vector<BackendInfo> known = backends();
  const auto b = std::find_if(known.begin(), known.end(), [&](const BackendInfo& x) { return x.name == o.backend; });
  const std::string why = b == known.end() ? "no such backend in this build" : b->available ? "" : b->detail;
  if (!why.empty()) throw backend_error(o.backend + ": not available, because " + why);
  if (o.precisions.empty() || o.precisions.find_first_not_of("sdcz") != std::string::npos)
    throw error("--precision: '" + o.precisions + "' is not of the letters s, d, c, z");
  if (o.threads < 1) throw error("--threads: " + std::to_string(o.threads) + " is below 1");
}

/// Whether tables have a say in what a provider computes: not where TRIGON_PROVIDER names one, which takes all blocks
/// from 0 on, nor where none can be used. Else "always" and "never" are the same code, and noise would decide.
bool provider_is_up_to_tables(const Study& s) {
  const std::string named = setting("TRIGON_PROVIDER");
  if (!named.empty() && named != "auto") return false;
  const std::string always = TableFile().text_with(s.settings(s.values.front()));
  return Trials({{s.entry, always}}, 1).plan(s.trials.front().call).provider != "own";
}

std::vector<Study> studies(const Options& o) {
  std::vector<Study> list = studies_of(o.backend, o.precisions, o.threads);
  std::optional<bool> provided;  // for one precision as for another
  std::erase_if(list, [&](const Study& s) {
    if (s.zero_is_never && !provided) provided = provider_is_up_to_tables(s);
    return s.zero_is_never && !*provided;
  });
  for (const std::string& start : o.only)
    if (std::none_of(list.begin(), list.end(), [&](const Study& s) { return s.entry.starts_with(start); }))
      throw error("--only: no entry that can be tuned here begins with '" + start + "'");
  std::erase_if(list, [&](const Study& s) {
    return !o.only.empty() && std::none_of(o.only.begin(), o.only.end(),
                                           [&](const std::string& start) { return s.entry.starts_with(start); });
  });
  if (o.largest > 0) leave_out_larger(list, o.largest);
  if (list.empty()) throw error("--max-size: leaves no call of any entry");
  return list;
}

/// Whether the kernels in force know the entry at all.
bool has_effect(const Study& s, const TableFile& table) {
  if (s.kernels.empty()) return true;
  Trials now({{s.entry, table.text("now")}}, 1);
  return now.plan(s.trials.front().call).words.find("kernels: " + s.kernels) != std::string::npos;
}

Verdict verify(const Study& study, const Decision& d, index present, const TableFile& table, const Options& o,
               bench::Progress& progress) {
  if (d.calls == 0) return {d};
  const Study two = narrowed(study, present, d.value);
  progress.add(steps(two, table));
  const double again = gain(two, time_all(two, present, table, o.seconds, progress), present, d.value);
  return judge(d, again, o.margin);
}

std::string words(const Verdict& v, index before) {
  if (v.first.calls == 0) return "measured, as before";
  char text[128];
  std::snprintf(text, sizeof text,
                v.holds ? "was %lld, %.3f and %.3f times as fast over %d calls"
                        : "%lld as before; another was %.3f and %.3f times as fast over %d calls",
                static_cast<long long>(before), v.first.gain, v.again, v.first.calls);
  return text;
}

std::string text_of(const Study& study, index value) {
  std::string text;
  for (const auto& [entry, number] : study.settings(value)) text += " " + std::to_string(number);
  return text;
}

/// The decision, in the lines of all entries that it is about.
void carry_out(Study study, TableFile& table, const Options& o, bench::Progress& progress) {
  if (!has_effect(study, table))
    return table.set(study.entry, {table.value(study.entry), "not measured: of kernels that are not in force"});
  const index present = present_value(study, table);
  const Times times = time_all(study, present, table, o.seconds, progress);
  const Verdict verdict = verify(study, decide(study, times, present, o.margin), present, table, o, progress);
  std::vector<std::string> notes;
  for (const auto& [value, speed] : best(study, times, present, 5)) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", speed);
    notes.push_back(text + (":" + text_of(study, value)));
  }
  if (study.kind == Kind::Sets && !notes.empty()) {
    std::string names;
    for (const std::string& entry : study.entries) names += " " + entry;
    notes.insert(notes.begin(), "speed, and values of" + names);
  }
  for (const auto& [entry, value] : study.settings(verdict.value(present))) {
    table.set(entry, {value, words(verdict, table.value(entry)), notes});
    notes.clear();
  }
}

std::vector<std::string> entries_of(const Study& s) {
  return s.kind == Kind::Sets ? s.entries : std::vector<std::string>{s.entry};
}

bool done(const Study& s, const TableFile& table) {
  const auto entries = entries_of(s);
  return std::none_of(entries.begin(), entries.end(),
                      [&](const std::string& e) { return table.lines().at(e).found.empty(); });
}

/// The time of random calls with the table before over that with the new one.
std::vector<double> compare(const std::string& before, const std::string& after, const Options& o,
                            bench::Progress& progress) {
  bench::SweepOptions sweep;
  sweep.operations = bench::parse_operations({"all"});
  sweep.precisions = o.precisions;
  sweep.random = o.compare, sweep.random_max = 1500, sweep.max_flops = 3e9;
  if (o.largest > 0) sweep.random_max = std::min<index>(sweep.random_max, o.largest);
  bench::MeasureOptions options;
  options.seconds = o.seconds;
  std::vector<double> ratios;
  for (int threads = 1; threads <= o.threads; threads += std::max(1, o.threads - 1)) {
    Trials trials({{"the new table", after}, {"the table before", before}}, threads);
    for (const bench::Row& row : bench::sweep(sweep)) {
      progress.note("comparing: " + to_text(row.call));
      ratios.push_back(trials.time(row.call, options).back());
    }
  }
  return ratios;
}

}  // namespace

void run(const Options& o) {
  require_good(o);
  const Output output(o.out, o.force);
  const std::string& unfinished = output.unfinished();
  const std::vector<Study> list = studies(o);
  const std::string began = beginning(o);
  TableFile table;
  const TableFile before = table;
  if (o.fresh) std::filesystem::remove(unfinished);
  if (std::filesystem::exists(unfinished)) {
    table.resume(unfinished, began);
    const Trials taken({{"what " + unfinished + " has", table.text("resumed")}}, 1);
  }

  std::size_t total = 0;
  for (const Study& s : list) total += done(s, table) ? 0 : steps(s, table);
  bench::Progress progress(total, o.quiet);
  std::printf("%-24s %14s %14s\n", "entry", "before", "now");
  for (const Study& study : list) {
    if (!done(study, table)) {
      carry_out(study, table, o, progress);
      bench::write_file(unfinished, table.unfinished_text(began));
    }
    progress.clear();
    for (const std::string& entry : entries_of(study)) {
      const TableFile::Line& line = table.lines().at(entry);
      std::printf("%-24s %14lld %14lld  %s\n", entry.c_str(), static_cast<long long>(before.value(entry)),
                  static_cast<long long>(line.value), line.found.c_str());
    }
    std::fflush(stdout);
  }

  const std::string text = table.text(provenance(o));
  const auto same = [](const auto& a, const auto& b) { return a.second.value == b.second.value; };
  if (std::equal(table.lines().begin(), table.lines().end(), before.lines().begin(), same)) {
    std::printf("\nno value has changed\n");
    return output.keep(text);
  }
  const std::vector<double> ratios = compare(before.text("before"), text, o, progress);
  progress.clear();
  const double mean = bench::geometric_mean(ratios);
  std::printf("\n%zu other calls, at random: %.3f times as fast in the mean, %.2f the least, %.2f the most\n",
              ratios.size(), mean, *std::min_element(ratios.begin(), ratios.end()),
              *std::max_element(ratios.begin(), ratios.end()));
  // A mean of many calls is known better than a single gain.
  if (mean < 1 - o.margin / 4) {
    std::fprintf(stderr,
                 "trigon: the new table is slower than the one before; nothing is written\n"
                 "(what was found stays in %s; --fresh measures again)\n",
                 unfinished.c_str());
    throw cli::exit_request{cli::exit_check_failed};
  }
  output.keep(text);
}

}  // namespace trigon::tune
