#include "trigon/run/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <trigon/error.hpp>

namespace trigon::cli {
namespace {

volatile sig_atomic_t child_pid = 0;

// All that would end this process and comes from outside.
constexpr int passed_on[] = {SIGINT,  SIGQUIT, SIGTERM,   SIGHUP,  SIGUSR1, SIGUSR2,
                             SIGALRM, SIGPIPE, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR};

// What a terminal sends (Ctrl-C) has reached the child already; what another process sends has not, unless it was sent
// to the whole process group. Nothing tells the two apart, and a signal too many is better than one that is lost.
void pass_on(int signal, siginfo_t* info, void*) {
  if (info->si_code != SI_KERNEL && child_pid > 0) kill(static_cast<pid_t>(child_pid), signal);
}

std::vector<char*> pointers(const std::vector<std::string>& arguments) {
  std::vector<char*> list;
  for (const std::string& argument : arguments) list.push_back(const_cast<char*>(argument.c_str()));
  list.push_back(nullptr);
  return list;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) throw error(std::string("waiting for the program failed: ") + std::strerror(errno));
  }
  return status;
}

}  // namespace

Output capture(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, command.front().c_str(), &actions, nullptr, pointers(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  Output output;
  char buffer[4096];
  for (ssize_t got; !failed && (got = read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (got > 0) output.text.append(buffer, static_cast<std::size_t>(got));
    if (got < 0 && errno != EINTR) break;
  }
  close(ends[0]);
  if (failed) return {};
  const int status = wait_for(pid);
  if (WIFEXITED(status)) output.status = WEXITSTATUS(status);
  return output;
}

int run_and_wait(const std::string& path, const std::vector<std::string>& arguments) {
  // Signals are blocked until the child is known, so that none is lost.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &before);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  struct sigaction before_action[std::size(passed_on)];
  pid_t pid = 0;
  const int failed = posix_spawn(&pid, path.c_str(), nullptr, &attributes, pointers(arguments).data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (!failed) {
    child_pid = pid;
    struct sigaction action = {};
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (std::size_t i = 0; i < std::size(passed_on); ++i) sigaction(passed_on[i], &action, &before_action[i]);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (failed) throw error(path + ": cannot be started: " + std::strerror(failed));
  const int status = wait_for(pid);
  child_pid = 0;
  for (std::size_t i = 0; i < std::size(passed_on); ++i) sigaction(passed_on[i], &before_action[i], nullptr);
  return status;
}

void end_as(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const rlimit no_core = {0, 0};  // the program's own core file, if any, is the one of interest
    setrlimit(RLIMIT_CORE, &no_core);
    const int number = WTERMSIG(wait_status);
    signal(number, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(SIG_UNBLOCK, &one, nullptr);
    raise(number);
    _exit(128 + number);
  }
  std::exit(WEXITSTATUS(wait_status));
}

}  // namespace trigon::cli
