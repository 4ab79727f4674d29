// Child processes: one to read from, one to stand in for.
#pragma once

#include <string>
#include <vector>

namespace trigon::cli {

struct Output {
  int status = -1;  ///< exit status; -1 when it could not be started or died of a signal
  std::string text;
};

/// Runs a command and returns what it writes to standard output; its other output is dropped.
Output capture(const std::vector<std::string>& command);

/// Starts `path` with `arguments` and waits. Signals sent to this process reach the child, once more if the
/// whole process group got them. Returns the status as wait() gives it; throws trigon::error when the program
/// cannot be started.
int run_and_wait(const std::string& path, const std::vector<std::string>& arguments);

/// Ends this process as the child ended: with its exit status, or by the same signal.
[[noreturn]] void end_as(int wait_status);

}  // namespace trigon::cli
