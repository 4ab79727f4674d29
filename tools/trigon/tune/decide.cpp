#include <algorithm>
#include <cmath>
#include <set>

#include "trigon/tune/study.hpp"

namespace trigon::tune {
namespace {

/// Which of the timed values shows what `value` does to a trial.
std::size_t shown_by(const Study& s, const Trial& t, index value) {
  switch (s.kind) {
    case Kind::UpTo: return t.at <= value ? s.values.size() - 1 : 0;
    case Kind::From: return value <= t.at ? 0 : s.values.size() - 1;
    case Kind::Choice:
    case Kind::Sets: break;
  }
  const auto found = std::find(s.values.begin(), s.values.end(), value);
  return static_cast<std::size_t>(found - s.values.begin());
}

std::set<index> candidates(const Study& s) {
  if (s.kind == Kind::Choice || s.kind == Kind::Sets) return {s.values.begin(), s.values.end()};
  std::set<index> list = {s.kind == Kind::UpTo ? s.values.front() : s.values.back()};
  for (const Trial& t : s.trials) list.insert(t.at);
  return list;
}

}  // namespace

std::vector<std::pair<std::string, index>> Study::settings(index value) const {
  if (kind != Kind::Sets) return {{entry, in_table(value)}};
  std::vector<std::pair<std::string, index>> list;
  for (std::size_t i = 0; i < entries.size(); ++i)
    list.emplace_back(entries[i], sets[static_cast<std::size_t>(value)][i]);
  return list;
}

std::vector<std::pair<index, double>> best(const Study& s, const Times& times, index present, std::size_t most) {
  if (s.kind == Kind::UpTo || s.kind == Kind::From || times.empty()) return {};
  std::vector<std::pair<index, double>> list;
  const std::size_t now = shown_by(s, s.trials.front(), present);
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    double gain = 0;
    for (const auto& row : times) gain += std::log(row[now] / row[i]);
    if (std::isfinite(gain)) list.emplace_back(s.values[i], std::exp(gain / static_cast<double>(times.size())));
  }
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  list.resize(std::min(list.size(), most));
  return list;
}

Study narrowed(const Study& s, index present, index chosen) {
  Study two = s;
  std::erase_if(two.trials, [&](const Trial& t) { return shown_by(s, t, present) == shown_by(s, t, chosen); });
  if (s.kind == Kind::Choice || s.kind == Kind::Sets) two.values = {present, chosen};
  return two;
}

double gain(const Study& s, const Times& times, index present, index chosen) {
  double saved = 0;
  for (std::size_t i = 0; i < s.trials.size(); ++i)
    saved += std::log(times[i][shown_by(s, s.trials[i], present)] / times[i][shown_by(s, s.trials[i], chosen)]);
  return std::exp(saved / static_cast<double>(s.trials.size()));
}

Verdict judge(const Decision& d, double again, double margin) { return {d, again, again >= 1 + margin}; }

Decision decide(const Study& s, const Times& times, index present, double margin) {
  Decision best{present, 1, 0};
  double most = 0;
  for (const index value : candidates(s)) {
    double saved = 0;
    int calls = 0;
    for (std::size_t i = 0; i < s.trials.size(); ++i) {
      const std::size_t now = shown_by(s, s.trials[i], present), then = shown_by(s, s.trials[i], value);
      if (now == then) continue;
      saved += std::log(times[i][now] / times[i][then]);
      ++calls;
    }
    if (saved > most && saved > calls * std::log1p(margin)) {
      most = saved;
      best = {value, std::exp(saved / calls), calls};
    }
  }
  return best;
}

}  // namespace trigon::tune
