// The two file formats, behind read_matrix and write_matrix.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "trigon/files/matrix.hpp"

namespace trigon::cli {

/// An ordinary file open for reading. Every failure throws trigon::error with the path.
class InputFile {
 public:
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  index size() const { return size_; }
  void read(index offset, void* into, index count) const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  index size_ = 0;
};

using Sink = std::function<void(const void*, std::size_t)>;

bool is_npy(std::string_view first_bytes);
Matrix read_npy(const InputFile&);
void write_npy(const Matrix&, const Sink&);

bool is_matrix_market(std::string_view first_bytes);
Matrix read_matrix_market(const InputFile&);
void write_matrix_market(const Matrix&, const Sink&);

/// Whether there is a pipe, a terminal or another device at `path`.
bool is_device(const std::string& path);

/// Throws trigon::error when a file could not be written there. Leaves what is there.
void require_writable(const std::string& path);

/// The file that symbolic links lead to, which need not exist.
std::string behind_links(const std::string& path);

/// Gives `write` a sink; what it wrote becomes the file at `path` only when all of it has reached the disk. To a device
/// it goes as it comes. A symbolic link stays one.
void write_atomically(const std::string& path, bool force, const std::function<void(const Sink&)>& write);

}  // namespace trigon::cli
