// Finished rows in a file, so that an interrupted sweep goes on where it was.
#pragma once

#include <cstdio>
#include <map>
#include <string>

#include "trigon/bench/measure.hpp"

namespace trigon::bench {

/// One line of JSON per row. An empty path keeps nothing.
class Journal {
 public:
  /// Throws trigon::error when the file is no journal, cannot be written, or belongs to another run at the moment.
  explicit Journal(const std::string& path);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Null when the row has not been measured with these implementations and settings, which are any words.
  const Result* find(const Row&, const std::vector<std::string>& names, const std::string& settings) const;
  void add(const Result&, const std::string& settings);

 private:
  void lock();
  void read();

  std::string path_;
  std::map<std::string, Result> known_;  ///< by row and settings
  std::FILE* out_ = nullptr;
};

}  // namespace trigon::bench
