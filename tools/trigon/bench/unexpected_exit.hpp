// A library that ends the process, with status 0 as a STOP of Fortran's does, has not ended the benchmark well.
#pragma once

#include <string>

namespace trigon::bench {

/// While it lives, exit() by anybody ends this process with the status of a failure, and says who did it.
class UnexpectedExit {
 public:
  UnexpectedExit();
  ~UnexpectedExit();
  UnexpectedExit(const UnexpectedExit&) = delete;
  UnexpectedExit& operator=(const UnexpectedExit&) = delete;

  /// Who is about to be called, and with what, for these words.
  static void suspect(const std::string& who);
};

}  // namespace trigon::bench
