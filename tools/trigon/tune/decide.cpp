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
    case Kind::Choice: break;
  }
  const auto found = std::find(s.values.begin(), s.values.end(), value);
  return static_cast<std::size_t>(found - s.values.begin());
}

std::set<index> candidates(const Study& s) {
  if (s.kind == Kind::Choice) return {s.values.begin(), s.values.end()};
  std::set<index> list = {s.kind == Kind::UpTo ? s.values.front() : s.values.back()};
  for (const Trial& t : s.trials) list.insert(t.at);
  return list;
}

}  // namespace

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
