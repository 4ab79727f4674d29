#include "trigon/tune/trial.hpp"

#include <algorithm>
#include <limits>
#include <trigon/error.hpp>

#include "trigon/bench/report.hpp"

namespace trigon::tune {

Trials::Trials(const std::vector<std::string>& tables, int threads) : machine_(threads), count_(tables.size()) {
  const auto entry = bench::measures_a_device() ? bench::Entry::Device : bench::Entry::Cpp;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::string name = "table-" + std::to_string(i), file = folder_.path() + "/" + name;
    bench::write_file(file, tables[i]);
    bench::Contender who{name, "", trigon::version(), entry, true, {{"TRIGON_TUNING", file}}};
    contestants_.push_back(bench::open_apart(std::move(who), threads));
    tables_.push_back(i);
  }
}

void Trials::give_up(std::size_t table) {
  const auto found = std::find(tables_.begin(), tables_.end(), table);
  if (found == tables_.end()) return;
  contestants_.erase(contestants_.begin() + (found - tables_.begin()));
  tables_.erase(found);
}

std::vector<double> Trials::time(const Call& call, const bench::MeasureOptions& options) {
  const bench::Row row{call, machine_.threads(), "tune", 1};
  // What a device cannot do is refused by the backend at the first call.
  for (std::size_t i = contestants_.size(); i-- > 1;) {
    try {
      std::string why;
      contestants_[i]->prepare(row, options.seed, why);
      contestants_[i]->check();
      contestants_[i]->release();
    } catch (const error&) {
      give_up(tables_[i]);
    }
  }
  const bench::Result result = bench::measure(contestants_, row, machine_, options);
  std::vector<double> times(count_, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const bench::Timing& t = result.timings[i];
    if (!t.ran || !t.checked.right) throw error(to_text(call) + ": wrong with a table of tuning: " + t.checked.words);
    times[tables_[i]] = t.ratio;
  }
  return times;
}

}  // namespace trigon::tune
