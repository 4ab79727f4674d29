// The subcommands of `trigon`: each adds itself to the application and runs from CLI11's callback.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace trigon::cli {

/// What every command's exit status means; `run` ends with the status of the program it ran instead.
enum Exit : int {
  exit_ok = 0,
  exit_check_failed = 1,  ///< the command worked and what it checked is not so
  exit_bad_input = 2,     ///< usage, a malformed file, a bad argument
  exit_backend = 3,       ///< a backend, the memory or the operating system failed
};

/// Thrown from a callback to end with this status; the command has printed all there is to say.
/// Any other exception is printed by main: trigon::backend_error and std::bad_alloc end with
/// exit_backend, trigon::error (a bad argument, a bad file) with exit_bad_input.
struct exit_request {
  int status;
};

/// Adds --backend, --device and --solve: TRIGON_BACKEND, TRIGON_DEVICE and TRIGON_SOLVE for this command and what it
/// starts.
void add_backend_options(CLI::App& command);

void add_info(CLI::App&);
/// `program` is what follows "--" on the command line: it is passed on verbatim, never parsed.
void add_run(CLI::App&, const std::vector<std::string>& program);
void add_bench(CLI::App&);  // in bench/add_bench.cpp
void add_check(CLI::App&);  // in check/add_check.cpp
void add_tune(CLI::App&);   // in tune/add_tune.cpp
void add_explain(CLI::App&);
void add_solve(CLI::App&);
void add_multiply(CLI::App&);

}  // namespace trigon::cli
