// Programs run in an environment of their own: the library reads its environment once per process.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace trigon::test {

struct Finished {
  int exit_code = -1;  ///< -1 when a signal ended it
  std::string output;  ///< standard output and error together
};

/// Runs a program with `environment` added to ours and waits for it. A program of tests of which none ran has failed.
Finished run_program(const std::string& path, const std::vector<std::string>& arguments,
                     const std::map<std::string, std::string>& environment = {});

/// The path of a file next to the running program.
std::string sibling(const std::string& name);

}  // namespace trigon::test
