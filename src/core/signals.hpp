// Signals of a program, which are not for the library's own threads.
#pragma once

#include <csignal>

namespace trigon::core {

/// Threads that are started while one lives are not sent the process's signals. Those that a thread causes itself go to
/// the program's handlers as they would on any other: pages may be made accessible by one.
class SignalsElsewhere {
 public:
  SignalsElsewhere() {
    sigset_t most;
    sigfillset(&most);
    for (int caused : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) sigdelset(&most, caused);
    pthread_sigmask(SIG_SETMASK, &most, &before_);
  }
  ~SignalsElsewhere() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsElsewhere(const SignalsElsewhere&) = delete;
  SignalsElsewhere& operator=(const SignalsElsewhere&) = delete;

 private:
  sigset_t before_;
};

}  // namespace trigon::core
