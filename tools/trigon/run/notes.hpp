// What the processes under `run` tell at their exit about the BLAS and LAPACK they had loaded.
#pragma once

#include <string>
#include <vector>

namespace trigon::cli {

/// A temporary file for libtrigon_run.so to write to; removed at the end.
class Notes {
 public:
  Notes();
  ~Notes();
  Notes(const Notes&) = delete;
  Notes& operator=(const Notes&) = delete;

  const std::string& path() const { return path_; }

  /// One line for each library whose calls went, wholly or in part, past Trigon, and what can be done.
  std::vector<std::string> advice() const;

 private:
  std::string path_;
};

}  // namespace trigon::cli
