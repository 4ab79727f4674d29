#include "trigon/tune/heats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trigon/tune/trial.hpp"

namespace trigon::tune {
namespace {

bool is_scale(const Study& s) { return s.kind == Kind::UpTo || s.kind == Kind::From; }

/// So many tables are timed in turn, each in a process of its own: a heat. The present one is in all of them.
constexpr std::size_t heat = 8;

/// "cpu.gemm_m.d 96".
std::string words(const std::vector<std::pair<std::string, index>>& settings) {
  std::string text;
  for (const auto& [entry, value] : settings) text += (text.empty() ? "" : ", ") + entry + " " + std::to_string(value);
  return text;
}

}  // namespace

index present_value(Study& study, const TableFile& table) {
  if (study.kind == Kind::Sets) {
    std::vector<index> now;
    for (const std::string& entry : study.entries) now.push_back(table.value(entry));
    const auto found = std::find(study.sets.begin(), study.sets.end(), now);
    const auto place = static_cast<index>(found - study.sets.begin());
    if (found == study.sets.end()) study.sets.push_back(now), study.values.push_back(place);
    return place;
  }
  const index present = study.from_table(table.value(study.entry));
  if (study.kind == Kind::Choice && std::find(study.values.begin(), study.values.end(), present) == study.values.end())
    study.values.push_back(present);
  return present;
}

std::size_t steps(Study study, const TableFile& table) {
  present_value(study, table);
  const std::size_t others = study.values.size() - (is_scale(study) ? 0 : 1);
  return study.trials.size() * ((others + heat - 2) / (heat - 1));
}

Times time_all(const Study& study, index present, const TableFile& table, double seconds, bench::Progress& progress) {
  constexpr double too_slow = 1.5;
  bench::MeasureOptions options;
  options.seconds = seconds;
  Times times(study.trials.size(), std::vector<double>(study.values.size(), std::numeric_limits<double>::infinity()));
  const auto at =
      static_cast<std::size_t>(std::find(study.values.begin(), study.values.end(), present) - study.values.begin());
  const bool scale = is_scale(study);
  if (!scale)
    for (auto& row : times) row[at] = 1;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < study.values.size(); ++i)
    if (scale || i != at) others.push_back(i);
  for (std::size_t first = 0; first < others.size(); first += heat - 1) {
    std::vector<std::size_t> places;
    if (!scale) places.push_back(at);
    places.insert(places.end(), others.begin() + static_cast<std::ptrdiff_t>(first),
                  others.begin() + static_cast<std::ptrdiff_t>(std::min(first + heat - 1, others.size())));
    std::vector<Table> tables;
    for (const std::size_t p : places) {
      const auto settings = study.settings(study.values[p]);
      tables.push_back({words(settings), table.text_with(settings)});
    }
    Trials trials(tables, study.threads);
    std::vector<double> total(places.size(), 0);
    for (std::size_t t = 0; t < study.trials.size(); ++t) {
      progress.next(study.entry + ": " + to_text(study.trials[t].call));
      if (trials.left() == 1) continue;  // all of the others have been given up
      const std::vector<double> found = trials.time(study.trials[t].call, options);
      for (std::size_t i = 0; i < places.size(); ++i) times[t][places[i]] = found[i], total[i] += std::log(found[i]);
      // A set that is far behind need not be timed in everything.
      const double least = *std::min_element(total.begin(), total.end());
      for (std::size_t i = 1; study.kind == Kind::Sets && i < places.size(); ++i)
        if (total[i] - least > static_cast<double>(t + 1) * std::log(too_slow)) trials.give_up(i);
    }
  }
  return times;
}

}  // namespace trigon::tune
