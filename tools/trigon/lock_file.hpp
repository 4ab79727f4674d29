// One process at a time.
#pragma once

#include <optional>
#include <string>

#include "trigon/removed_at_signal.hpp"

namespace trigon::cli {

/// A file that goes away with the lock on it. One that a killed process leaves behind locks nobody out.
class LockFile {
 public:
  /// Throws trigon::error where another process has it, or it cannot be made.
  explicit LockFile(const std::string& path);
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

 private:
  std::string path_;
  int descriptor_ = -1;
  std::optional<RemovedAtSignal> guard_;
};

}  // namespace trigon::cli
