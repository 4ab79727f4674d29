#include "trigon/folder.hpp"

#include <stdlib.h>

#include <filesystem>
#include <trigon/error.hpp>

namespace trigon::cli {

Folder::Folder() {
  const SignalsHeld held;  // until somebody knows of the folder
  path_ = (std::filesystem::temp_directory_path() / "trigon-XXXXXX").string();
  if (!mkdtemp(path_.data())) throw backend_error("cannot make a folder as " + path_);
  guard_.emplace(path_);
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace trigon::cli
