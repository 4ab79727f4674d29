// What a benchmark says: a table while it runs, a summary at its end, JSON and CSV for later.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trigon/bench/measure.hpp"

namespace trigon::bench {

/// Which implementation a row is held against.
struct Against {
  std::string name = "best";  ///< "best" or a peer's name
  /// Null when the row has no such peer with a right result.
  const Timing* of(const Result&) const;
};

void print_table_header(const std::vector<std::string>& peers);
void print_table_row(const Result&, const std::vector<std::string>& peers);
/// Per operation: geometric means against every peer, rows below 1 and below 0.9; the worst rows; the paths taken.
void print_summary(const std::vector<Result>&, const std::vector<std::string>& peers, const Against&);
void print_counts(const Counted&, const std::string& provider);
/// Total time of a replayed trace per implementation.
void print_replay_total(const std::vector<Result>&, const std::vector<std::string>& peers);

nlohmann::json to_json(const Result&);
/// Throws trigon::error when the row is not one that to_json has made.
Result result_from_json(const nlohmann::json&);
nlohmann::json summary_json(const std::vector<Result>&, const std::vector<std::string>& peers, const Against&);
nlohmann::json counts_json(const Counted&);

/// What was measured with what: processor, instruction sets, provider, peers, date, commit, command line.
nlohmann::json provenance(const std::vector<std::pair<int, std::vector<Contender>>>& contenders,
                          const std::string& commit);

std::string to_csv(const std::vector<Result>&, const std::vector<std::string>& peers);
/// One panel per routine, variant and shape that has at least two sizes; empty when there is none.
std::string to_svg(const std::vector<Result>&, const std::string& subtitle);

/// Writes the whole file or throws trigon::error; an existing file is replaced only by a complete one.
void write_file(const std::string& path, const std::string& text);

}  // namespace trigon::bench
