// The file that tuning writes, and the unfinished one beside it from which it goes on.
#pragma once

#include <trigon/types.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace trigon::tune {

/// The entries of a table, and for those that were measured what was found.
class TableFile {
 public:
  struct Line {
    index value = 0;
    std::string found = {};               ///< "was 256, 1.031 times as fast over 6 calls"; empty: not measured
    std::vector<std::string> notes = {};  ///< the best values, written as comments before the entry
  };

  /// All entries as the table in force has them.
  TableFile();

  const std::map<std::string, Line>& lines() const { return lines_; }
  index value(const std::string& entry) const { return lines_.at(entry).value; }
  void set(const std::string& entry, Line line) { lines_[entry] = std::move(line); }

  /// As a file that TRIGON_TUNING reads; `provenance` is one line.
  std::string text(const std::string& provenance) const;
  /// The same with other values of some entries, for a trial.
  std::string text_with(const std::vector<std::pair<std::string, index>>& settings) const;

  /// Takes over what an unfinished run has found. Throws trigon::error when it began otherwise (the machine, the
  /// version, the table in force) or the file is none of ours.
  void resume(const std::string& path, const std::string& beginning);
  std::string unfinished_text(const std::string& beginning) const;

 private:
  std::map<std::string, Line> lines_;
};

}  // namespace trigon::tune
