// How far a long run is, on stderr: one line rewritten on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace trigon::bench {

class Progress {
 public:
  Progress(std::size_t total, bool quiet);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// So many more than were thought.
  void add(std::size_t more) { total_ += more; }
  /// About to do the next one.
  void next(const std::string& what);
  /// The same for one that is not counted.
  void note(const std::string& what);
  /// Before anything else is printed on the terminal.
  void clear();

 private:
  void show(std::size_t done, const std::string& what);

  using Time = std::chrono::steady_clock::time_point;
  std::size_t total_, done_ = 0;
  bool quiet_, terminal_, shown_ = false;
  Time begin_, last_;
};

}  // namespace trigon::bench
