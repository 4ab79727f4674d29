#include "trigon/check/child.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <trigon/error.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace trigon::selftest {
namespace {

std::string describe(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return signal == SIGSEGV ? "a segmentation fault" : std::string("signal ") + strsignal(signal);
  }
  return WEXITSTATUS(status) == 0 ? "" : "exit status " + std::to_string(WEXITSTATUS(status));
}

/// Passes lines on until the writer closes; false when nothing came for too long.
bool read_lines(int fd, const Listener& listen, double silence) {
  std::string rest;
  char buffer[1 << 14];
  for (;;) {
    pollfd waiting{fd, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(silence * 1000));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return false;
    const ssize_t got = ready < 0 ? -1 : read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    rest.append(buffer, static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end; (end = rest.find('\n', begin)) != std::string::npos; begin = end + 1)
      listen(rest.substr(begin, end - begin));
    rest.erase(0, begin);
  }
}

}  // namespace

void Reporter::line(const std::string& text) const {
  const std::string all = text + "\n";
  for (std::size_t at = 0; at < all.size();) {
    const ssize_t sent = write(fd_, all.data() + at, all.size() - at);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) _exit(1);
    at += static_cast<std::size_t>(sent);
  }
}

void Reporter::move_to(int descriptor) const {
  if (fd_ != descriptor) dup2(fd_, descriptor), close(fd_);
}

Ending in_child(const std::function<void(const Reporter&)>& work, const Listener& listen, double silence) {
  int ends[2];
  if (pipe(ends) != 0) throw backend_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]), close(ends[1]);
    throw backend_error(std::string("cannot start a process: ") + std::strerror(errno));
  }
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    close(ends[0]);
    try {
      work(Reporter(ends[1]));
    } catch (const std::exception& e) {
      std::fprintf(stderr, "trigon check: %s\n", e.what());
      std::fflush(stderr);
      _exit(1);
    }
    _exit(0);
  }
  close(ends[1]);
  const bool answered = read_lines(ends[0], listen, silence);
  close(ends[0]);
  if (!answered) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return answered ? describe(status) : "no answer for " + std::to_string(static_cast<int>(silence)) + " s";
}

Ending in_new_process(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment,
                      const Listener& listen, double silence) {
  const auto work = [&](const Reporter& reporter) {
    for (const auto& [name, value] : environment)
      value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> argv;
    std::string program = "trigon";
    argv.push_back(program.data());
    std::vector<std::string> words = arguments;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    reporter.move_to(report_descriptor);
    execv("/proc/self/exe", argv.data());
    throw backend_error(std::string("cannot run this program again: ") + std::strerror(errno));
  };
  return in_child(work, listen, silence);
}

}  // namespace trigon::selftest
