// Parts of tests in processes of their own: what a process does first, and what ends it.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

namespace trigon::test {

/// The exit status of a child that does `run` and no more, or 128 + the signal that ended it: after a minute that of an
/// alarm.
template <class Run>
int in_child(const Run& run) {
  const pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    alarm(60);
    _exit(run());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace trigon::test
