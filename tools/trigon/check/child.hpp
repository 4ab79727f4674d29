// Work in a child process that reports in lines, so that a crash or a hang is a finding and not the end.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trigon::selftest {

/// The child's end.
class Reporter {
 public:
  explicit Reporter(int fd) : fd_(fd) {}
  /// Ends the process when nobody listens any more.
  void line(const std::string& text) const;
  /// Makes this the descriptor of the reports, for a program that is about to be started.
  void move_to(int descriptor) const;

 private:
  int fd_;
};

/// Empty when the child ended well, else how it ended: "a segmentation fault", "no answer for 60 s".
using Ending = std::string;

/// What is said where a child has ended well without its last report: a library that calls exit(0), as a STOP of
/// Fortran does, has made nothing right.
inline constexpr const char* no_report = "it ended the process without a report";
inline std::string in_words(const Ending& ending) { return ending.empty() ? no_report : ending; }

using Listener = std::function<void(const std::string& line)>;

/// Runs `work` in a forked child. `listen` sees each line; a child that is silent for so many seconds is ended.
Ending in_child(const std::function<void(const Reporter&)>& work, const Listener& listen, double silence = 60);

/// Runs this program again with these arguments, which reports on descriptor `report_descriptor`, with variables of
/// the environment added; an empty value removes one.
Ending in_new_process(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment,
                      const Listener& listen, double silence = 60);

inline constexpr int report_descriptor = 3;

}  // namespace trigon::selftest
