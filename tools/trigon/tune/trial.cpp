#include "trigon/tune/trial.hpp"

#include <stdlib.h>

#include <filesystem>
#include <trigon/error.hpp>

#include "trigon/bench/report.hpp"

namespace trigon::tune {

Folder::Folder() {
  path_ = (std::filesystem::temp_directory_path() / "trigon-tune-XXXXXX").string();
  if (!mkdtemp(path_.data())) throw backend_error("cannot make a folder as " + path_);
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Trials::Trials(const std::vector<std::string>& tables, int threads) : machine_(threads) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::string name = "table-" + std::to_string(i), file = folder_.path() + "/" + name;
    bench::write_file(file, tables[i]);
    bench::Contender who{name, "", trigon::version(), bench::Entry::Cpp, true, {{"TRIGON_TUNING", file}}};
    contestants_.push_back(bench::open_apart(std::move(who), threads));
  }
}

std::vector<double> Trials::time(const Call& call, const bench::MeasureOptions& options) {
  const bench::Row row{call, machine_.threads(), "tune", 1};
  const bench::Result result = bench::measure(contestants_, row, machine_, options);
  std::vector<double> times;
  for (const bench::Timing& t : result.timings) {
    if (!t.ran || !t.checked.right) throw error(to_text(call) + ": wrong with a table of tuning: " + t.checked.words);
    times.push_back(t.ratio);
  }
  return times;
}

}  // namespace trigon::tune
