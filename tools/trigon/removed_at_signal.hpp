// What is temporary goes away also when a signal ends the process.
#pragma once

#include <csignal>
#include <cstddef>
#include <string>

namespace trigon::cli {

/// While it lives, SIGINT, SIGTERM or SIGHUP take a file with them, or a folder and what is in it.
class RemovedAtSignal {
 public:
  explicit RemovedAtSignal(const std::string& path);
  ~RemovedAtSignal();
  RemovedAtSignal(const RemovedAtSignal&) = delete;
  RemovedAtSignal& operator=(const RemovedAtSignal&) = delete;

 private:
  std::size_t place_;
};

/// While it lives, the same signals wait.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

}  // namespace trigon::cli
