#include "support/child.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace trigon::test {

Finished run_program(const std::string& path, const std::vector<std::string>& arguments,
                     const std::map<std::string, std::string>& environment) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no fork");
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> argv{const_cast<char*>(path.c_str())};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    execv(path.c_str(), argv.data());
    _exit(126);
  }
  close(ends[1]);
  Finished result;
  char text[4096];
  for (ssize_t got; (got = read(ends[0], text, sizeof text)) > 0;) result.output.append(text, text + got);
  close(ends[0]);
  // ctest takes a test that prints GoogleTest's mark for one that was skipped, even where a child printed it and the
  // test failed.
  for (std::size_t at; (at = result.output.find("[  SKIPPED ]")) != std::string::npos;)
    result.output.replace(at, 12, "[  skipped ]");
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  // To GoogleTest, a filter that matches nothing is a success.
  if (result.exit_code == 0 && result.output.find("[==========] 0 tests") != std::string::npos) {
    result.exit_code = 1;
    result.output += "No test ran.\n";
  }
  return result;
}

std::string sibling(const std::string& name) {
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  if (length <= 0) throw std::runtime_error("no /proc/self/exe");
  const std::string path(self, static_cast<std::size_t>(length));
  return path.substr(0, path.rfind('/') + 1) + name;
}

}  // namespace trigon::test
