// A temporary folder that goes away again, with what is in it, also at a signal that ends the process.
#pragma once

#include <optional>
#include <string>

#include "trigon/removed_at_signal.hpp"

namespace trigon::cli {

class Folder {
 public:
  /// Throws backend_error.
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<RemovedAtSignal> guard_;
};

}  // namespace trigon::cli
