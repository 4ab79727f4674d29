// A temporary folder that goes away again, with what is in it.
#pragma once

#include <string>

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
};

}  // namespace trigon::cli
