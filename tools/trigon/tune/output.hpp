// Where a tuning writes: the table, beside it what is unfinished, and a lock that keeps other runs off both.
#pragma once

#include <string>

#include "trigon/lock_file.hpp"

namespace trigon::tune {

class Output {
 public:
  /// Throws trigon::error where the table could not be written in the end, and while another run is to write it.
  Output(const std::string& path, bool force);

  const std::string& unfinished() const { return unfinished_; }
  /// The table is whole.
  void keep(const std::string& text) const;

 private:
  std::string path_, unfinished_;
  bool force_;
  cli::LockFile lock_;
};

}  // namespace trigon::tune
