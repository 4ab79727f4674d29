#include "trigon/bench/measure.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "trigon/bench/own_gemm.hpp"
#include "trigon/bench/unexpected_exit.hpp"

namespace trigon::bench {
namespace {

/// Calls per sample so that one sample is long against the clock; a cold call has to be alone.
int calibrate(Contestant& c, bool cold, Clock clock) {
  if (cold) return 1;
  const double target = std::max(clock == Clock::Cpu ? 50e-6 : 150e-6, 100 * clock_overhead(clock));
  int inner = 1;
  while (inner < 1 << 16) {
    const double elapsed = c.sample(inner, false) * inner;
    if (elapsed >= target) break;
    // Not at once: the first, short samples say little.
    const double factor = std::clamp(1.2 * target / elapsed, 1.5, 10.0);
    inner = static_cast<int>(std::ceil(inner * factor));
  }
  return inner;
}

bool enough(const std::vector<Turn>& turns, const MeasureOptions& o, int rounds, double elapsed) {
  constexpr int most = 2001;
  if (o.rounds > 0) return rounds >= o.rounds;
  if (rounds < 3) return false;
  if (elapsed > o.seconds || rounds >= most) return true;
  // Sorting costs more than a round of tiny calls: look now and then.
  if (rounds < 11 || (rounds & (rounds < 100 ? 3 : 31)) != 3) return false;
  return std::all_of(turns.begin(), turns.end(),
                     [&](const Turn& t) { return median_uncertainty(t.samples) <= o.tolerance; });
}

}  // namespace

const Timing* Result::best_peer() const {
  const Timing* best = nullptr;
  for (std::size_t i = 1; i < timings.size(); ++i) {
    const Timing& t = timings[i];
    if (t.name == own_gemm_name) continue;  // does other work, at a rate that no peer has to offer
    if (t.ran && t.checked.right && (!best || t.seconds < best->seconds)) best = &t;
  }
  return best;
}

const Timing* Result::peer(const std::string& name) const {
  for (std::size_t i = 1; i < timings.size(); ++i)
    if (timings[i].name == name && timings[i].ran && timings[i].checked.right) return &timings[i];
  return nullptr;
}

double Result::gflops(const Timing& t) const { return t.seconds > 0 ? flops(row.call) / t.seconds * 1e-9 : 0; }

int take_turns(std::vector<Turn>& turns, Clock clock, const MeasureOptions& o) {
  for (Turn& t : turns) t.inner = calibrate(*t.contestant, o.cold, clock);
  int rounds = 0;
  const double begin = now(Clock::Wall);
  for (; !enough(turns, o, rounds, now(Clock::Wall) - begin); ++rounds)
    // What the one before leaves in the caches falls on all alike.
    for (std::size_t i = 0; i < turns.size(); ++i) {
      Turn& t = turns[(i + static_cast<std::size_t>(rounds)) % turns.size()];
      t.samples.push_back(t.contestant->sample(t.inner, o.cold));
    }
  return rounds;
}

namespace {

Result measure_held(const std::vector<std::unique_ptr<Contestant>>& contestants, const Row& row, Machine& machine,
                    const MeasureOptions& o) {
  Result result;
  result.row = row;
  result.timings.resize(contestants.size());
  result.footprint = footprint(row.call);
  result.peak = machine.peak(row.call.precision);
  result.bandwidth = machine.bandwidth(result.footprint);
  const Clock clock = row.threads == 1 ? Clock::Cpu : Clock::Wall;

  std::vector<Turn> turns;
  std::vector<Timing*> timed;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    Contestant& c = *contestants[i];
    Timing& t = result.timings[i];
    t.name = c.who().name;
    UnexpectedExit::suspect(t.name + ", called as " + key(row) + ",");
    t.ran = c.prepare(row, o.seed, t.missing);
    if (!t.ran) continue;
    if (c.who().is_trigon) result.plan = c.plan();
    t.checked = c.check();
    turns.push_back({&c});
    timed.push_back(&t);
  }
  UnexpectedExit::suspect("a library, called as " + key(row) + ",");
  result.rounds = take_turns(turns, clock, o);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const std::vector<double>& samples = turns[i].samples;
    Timing& t = *timed[i];
    t.inner = turns[i].inner;
    t.seconds = median(samples);
    t.spread = spread(samples);
    t.uncertainty = median_uncertainty(samples);
    // Over rounds, not of medians: a change of clock rate half-way falls on both.
    std::vector<double> ratios;
    if (result.trigon().ran)
      for (std::size_t k = 0; k < samples.size(); ++k) ratios.push_back(samples[k] / turns.front().samples[k]);
    t.ratio = median(ratios);
  }
  return result;
}

/// The next row needs the memory. Who has failed may fail in this too, of which nothing more is to be learnt.
void release_after_failure(Contestant& c) {
  try {
    c.release();
  } catch (const std::exception&) {
  }
}

}  // namespace

Result measure(const std::vector<std::unique_ptr<Contestant>>& contestants, const Row& row, Machine& machine,
               const MeasureOptions& o) {
  try {
    Result result = measure_held(contestants, row, machine, o);
    for (const auto& c : contestants) c->release();
    return result;
  } catch (...) {
    for (const auto& c : contestants) release_after_failure(*c);
    throw;
  }
}

Result not_measured(const std::vector<std::unique_ptr<Contestant>>& contestants, const Row& row,
                    const std::string& why) {
  Result result;
  result.row = row;
  result.footprint = footprint(row.call);
  result.broken = true;
  for (const auto& c : contestants) {
    Timing& t = result.timings.emplace_back();
    t.name = c->who().name, t.missing = why;
  }
  return result;
}

}  // namespace trigon::bench
