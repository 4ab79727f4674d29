// What libtrigon_run.so, in the processes under `run`, tells of the BLAS and LAPACK that they had loaded.
#pragma once

#include <string>
#include <vector>

namespace trigon::cli {

/// An empty file that the processes can add to; removed at the end.
class TemporaryFile {
 public:
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string read_text(const std::string& path);

/// One line for each library of the notes whose calls would go, or went, wholly or in part past Trigon.
std::vector<std::string> advice(const std::string& notes);

}  // namespace trigon::cli
