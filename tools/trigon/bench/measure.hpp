// Times one row: every implementation in turn, round after round, until the medians stand still.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trigon/bench/contestant.hpp"
#include "trigon/bench/probe.hpp"

namespace trigon::bench {

struct MeasureOptions {
  double seconds = 0.5;     ///< the budget of a row
  int rounds = 0;           ///< exactly so many; 0: until the medians are known to `tolerance`
  double tolerance = 0.01;  ///< half the 95 % interval of a median, relative
  bool cold = false;
  std::uint64_t seed = 1;
};

/// One implementation on one row.
struct Timing {
  std::string name;
  bool ran = false;
  Checked checked;
  std::string missing;     ///< why it did not run
  double seconds = 0;      ///< median, per call
  double spread = 0;       ///< half the interquartile range over the median
  double uncertainty = 0;  ///< half the 95 % interval of the median over the median
  double ratio = 0;        ///< its time over Trigon's, the median over rounds; above 1 Trigon is faster
  int inner = 1;           ///< calls per sample
};

struct Result {
  Row row;
  std::vector<Timing> timings;  ///< Trigon's first
  int rounds = 0;
  PlanInfo plan;
  double peak = 0;       ///< flop/s of the machine with the row's threads
  double bandwidth = 0;  ///< bytes/s at the row's working set
  double footprint = 0;  ///< bytes
  int measurements = 1;  ///< 2 when it was measured again because it fell below --min-ratio; this is the second
  bool broken = false;   ///< the memory or a process failed: nothing was measured

  const Timing& trigon() const { return timings.front(); }
  /// The fastest peer that gave a right result, Trigon's own GEMM not among them; null when there is none.
  const Timing* best_peer() const;
  /// The peer of that name, if it gave a right result.
  const Timing* peer(const std::string& name) const;
  double gflops(const Timing&) const;
};

/// A prepared contestant and its samples, in seconds per call.
struct Turn {
  Contestant* contestant;
  int inner = 1;  ///< calls per sample
  std::vector<double> samples = {};
};

/// Samples all in turn, another one first each round, until the medians stand still. Gives the number of rounds.
int take_turns(std::vector<Turn>&, Clock, const MeasureOptions&);

/// Throws whatever a contestant throws: a process of its own has died, no memory holds the operands.
Result measure(const std::vector<std::unique_ptr<Contestant>>& contestants, const Row& row, Machine& machine,
               const MeasureOptions& options);
/// What stands for a row of which `measure` has thrown: nobody ran.
Result not_measured(const std::vector<std::unique_ptr<Contestant>>& contestants, const Row& row,
                    const std::string& why);

}  // namespace trigon::bench
