// What libtrigon_run.so, in the processes under `run`, tells of the BLAS and LAPACK that they had loaded.
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

  /// One line for each library whose calls would go, or went, wholly or in part past Trigon.
  std::vector<std::string> advice() const;

 private:
  std::string path_;
};

}  // namespace trigon::cli
