// Times calls under different tuning tables: every table is a process of its own, in turn; on the device that
// TRIGON_BACKEND names, if it names one.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "trigon/bench/measure.hpp"
#include "trigon/folder.hpp"

namespace trigon::tune {

class Trials {
 public:
  /// `tables`: the text of each table; the processes live as long as this.
  Trials(const std::vector<std::string>& tables, int threads);
  /// The time of a call with each table, over that with the first; infinite for those given up. Throws trigon::error
  /// when a result is wrong, or the first table is refused.
  std::vector<double> time(const Call&, const bench::MeasureOptions&);
  /// Ends a table's process.
  void give_up(std::size_t table);
  /// The tables that have not been given up.
  std::size_t left() const { return tables_.size(); }

 private:
  cli::Folder folder_;  ///< of tables
  bench::Machine machine_;
  std::vector<std::unique_ptr<bench::Contestant>> contestants_;  ///< those that are still in it
  std::vector<std::size_t> tables_;                              ///< … and the table of each
  std::size_t count_;
};

}  // namespace trigon::tune
