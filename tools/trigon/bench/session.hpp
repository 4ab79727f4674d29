// The measurement of all rows of a benchmark, and what is said about it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "trigon/bench/journal.hpp"
#include "trigon/bench/measure.hpp"
#include "trigon/bench/progress.hpp"
#include "trigon/bench/regions.hpp"
#include "trigon/bench/report.hpp"
#include "trigon/bench/run.hpp"

namespace trigon::bench {

class Session {
 public:
  /// Throws trigon::error for an option that makes no sense here.
  explicit Session(const RunOptions&);

  /// The rows of one number of threads after those of another; `rows` has them together.
  void measure_all(std::vector<Row> rows);
  /// The summary on the terminal, and the files.
  void report() const;
  /// Says on stderr what failed, and gives the exit status.
  int status() const;
  /// Whether any row has been measured, or tried.
  bool has_results() const { return !results_.empty(); }

 private:
  using Opened = std::vector<std::unique_ptr<Contestant>>;

  void measure_group(const std::vector<Row>&, double limit, Progress&);
  /// The names of all implementations, Trigon's first.
  std::vector<std::string> note_names(const Opened&, int threads);
  void note_machine(const Machine&);
  /// What Trigon counted in the processes that end now.
  void note_counts(const Opened&);
  /// One that fails becomes a result in which nobody ran. Opens all again where a process of one has died.
  Result measure_row(Opened&, const Row&, Machine&, const MeasureOptions&);
  void measure_short_rows_again(Opened&, std::size_t first, Machine&, const std::vector<std::string>& peers, Progress&);
  std::size_t left_out() const { return asked_for_ - results_.size(); }
  std::vector<Standing> regions() const;
  nlohmann::json to_json(const nlohmann::json& provenance) const;

  const RunOptions& options_;
  Against against_;
  Journal journal_;
  std::vector<Result> results_;
  std::vector<std::pair<int, std::vector<Contender>>> contenders_;
  std::vector<std::string> peers_;
  Counted counted_;
  nlohmann::json machines_ = nlohmann::json::array();
  double load_before_;
  std::size_t asked_for_ = 0;               ///< rows
  std::map<std::size_t, double> better_;    ///< the better ratio of a row that was measured twice
  std::vector<std::string> failures_ = {};  ///< of rows that could not be measured
};

/// The peers of results, in the order in which they occur.
std::vector<std::string> names_of_peers(const std::vector<Result>&);
/// --csv and --svg; `provenance` is that of the results.
void write_plots(const RunOptions&, const std::vector<Result>&, const nlohmann::json& provenance);

}  // namespace trigon::bench
