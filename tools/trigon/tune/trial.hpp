// Times calls under different tuning tables: every table is a process of its own, in turn; on the device that
// TRIGON_BACKEND names, if it names one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trigon/bench/measure.hpp"
#include "trigon/folder.hpp"

namespace trigon::tune {

struct Table {
  std::string name;  ///< what is tried with it, for errors: "cpu.gemm_m.d 96"
  std::string text;
};

class Trials {
 public:
  /// The processes live as long as this. Throws trigon::error when Trigon does not take a table.
  Trials(const std::vector<Table>& tables, int threads);
  /// The time of a call with each table, over that with the first; infinite for those given up, which a device does to
  /// tables that it cannot carry out. Throws trigon::error when a result is wrong, or the first table is refused, and
  /// trigon::backend_error when a process dies.
  std::vector<double> time(const Call&, const bench::MeasureOptions&);
  /// How a call is carried out with the first table.
  PlanInfo plan(const Call&);
  /// Ends a table's process.
  void give_up(std::size_t table);
  /// The tables that have not been given up.
  std::size_t left() const { return tables_.size(); }

 private:
  void give_up_refused(const bench::Row&, std::uint64_t seed);

  cli::Folder folder_;  ///< of tables
  bench::Machine machine_;
  std::vector<std::unique_ptr<bench::Contestant>> contestants_;  ///< those that are still in it
  std::vector<std::size_t> tables_;                              ///< … and the table of each
  std::vector<std::string> names_;                               ///< of all tables
};

}  // namespace trigon::tune
