#include "trigon/tune/trial.hpp"

#include <algorithm>
#include <limits>
#include <trigon/error.hpp>

#include "trigon/bench/report.hpp"

namespace trigon::tune {

Trials::Trials(const std::vector<Table>& tables, int threads) : machine_(threads) {
  const auto entry = bench::measures_a_device() ? bench::Entry::Device : bench::Entry::Cpp;
  for (const auto& [name, text] : tables) {
    const std::string file = folder_.path() + "/table-" + std::to_string(names_.size());
    bench::write_file(file, text);
    contestants_.push_back(
        bench::open_apart({name, "", trigon::version(), entry, true, {{"TRIGON_TUNING", file}}}, threads));
    // A process that refuses its table goes on with the built-in one.
    if (contestants_.back()->who().tuning != file) throw error(name + ": Trigon does not take a table with that");
    tables_.push_back(names_.size());
    names_.push_back(name);
  }
}

void Trials::give_up(std::size_t table) {
  const auto found = std::find(tables_.begin(), tables_.end(), table);
  if (found == tables_.end()) return;
  contestants_.erase(contestants_.begin() + (found - tables_.begin()));
  tables_.erase(found);
}

PlanInfo Trials::plan(const Call& call) {
  bench::Contestant& first = *contestants_.front();
  std::string why;
  first.prepare({call, machine_.threads(), "tune", 1}, 0, why);
  const PlanInfo plan = first.plan();
  first.release();
  return plan;
}

/// What a device cannot do is refused by the backend at the first call.
void Trials::give_up_refused(const bench::Row& row, std::uint64_t seed) {
  for (std::size_t i = contestants_.size(); i-- > 1;) {
    try {
      std::string why;
      contestants_[i]->prepare(row, seed, why);
      contestants_[i]->check();
      contestants_[i]->release();
    } catch (const bench::worker_died&) {
      throw;
    } catch (const error&) {
      give_up(tables_[i]);
    }
  }
}

std::vector<double> Trials::time(const Call& call, const bench::MeasureOptions& options) try {
  const bench::Row row{call, machine_.threads(), "tune", 1};
  if (bench::measures_a_device()) give_up_refused(row, options.seed);
  const bench::Result result = bench::measure(contestants_, row, machine_, options);
  std::vector<double> times(names_.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const bench::Timing& t = result.timings[i];
    if (!t.ran || !t.checked.right) throw error(to_text(call) + ": wrong with " + t.name + ": " + t.checked.words);
    times[tables_[i]] = t.ratio;
  }
  return times;
} catch (const bench::worker_died& e) {
  throw backend_error(to_text(call) + ": " + e.what());
}

}  // namespace trigon::tune
