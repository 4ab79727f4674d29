#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <trigon/error.hpp>
#include <vector>

#include "trigon/files/formats.hpp"
#include "trigon/removed_at_signal.hpp"

namespace trigon::cli {
namespace {

/// While it lives, a file that grows too large is an error like any other instead of a signal.
class NoSizeSignal {
 public:
  NoSizeSignal() : before_(signal(SIGXFSZ, SIG_IGN)) {}
  ~NoSizeSignal() { signal(SIGXFSZ, before_); }
  NoSizeSignal(const NoSizeSignal&) = delete;
  NoSizeSignal& operator=(const NoSizeSignal&) = delete;

 private:
  sighandler_t before_;
};

/// A file beside the final one. It is removed again unless `commit` has renamed it.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target) : target_(target), path_(target + ".XXXXXX") {
    const SignalsHeld held;  // until somebody knows of the file
    descriptor_ = mkostemp(path_.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail();
    struct stat old;
    if (stat(target.c_str(), &old) == 0 && S_ISREG(old.st_mode)) {  // what it replaces, writing into it would have kept
      if (fchown(descriptor_, old.st_uid, old.st_gid) != 0) errno = 0;  // another's cannot be made another's
      fchmod(descriptor_, old.st_mode & 0777);
    } else {
      const mode_t mask = umask(0);
      umask(mask);
      fchmod(descriptor_, 0666 & ~mask);  // as an ordinary open would have made it
    }
    guard_.emplace(path_);
    buffer_.reserve(capacity);
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!committed_) unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(const void* data, std::size_t count) {
    const char* bytes = static_cast<const char*>(data);
    if (buffer_.size() + count > capacity) flush();
    if (count >= capacity) return write_through(bytes, count);
    buffer_.insert(buffer_.end(), bytes, bytes + count);
  }

  void commit(bool force) {
    flush();
    if (fsync(descriptor_) != 0) fail();
    const int closed = close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail();
    // Without force, a file that has appeared meanwhile stays: link(), unlike rename(), never replaces.
    if (force ? std::rename(path_.c_str(), target_.c_str()) : link_new()) fail();
    committed_ = true;
    const auto folder = std::filesystem::path(target_).parent_path();
    const int directory = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
      fsync(directory);
      close(directory);
    }
  }

 private:
  static constexpr std::size_t capacity = 1 << 20;

  int link_new() {
    if (link(path_.c_str(), target_.c_str()) == 0) return unlink(path_.c_str());
    if (errno == EEXIST) throw error(target_ + ": exists already; --force replaces it");
    return std::rename(path_.c_str(), target_.c_str());  // a file system without hard links
  }

  void flush() {
    write_through(buffer_.data(), buffer_.size());
    buffer_.clear();
  }

  void write_through(const char* bytes, std::size_t count) {
    while (count > 0) {
      const ssize_t put = ::write(descriptor_, bytes, count);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail();
      bytes += put;
      count -= static_cast<std::size_t>(put);
    }
  }

  [[noreturn]] void fail() const {
    throw backend_error(target_ + ": cannot be written: " + std::strerror(errno) + "; no file was left behind");
  }

  std::string target_, path_;
  int descriptor_ = -1;
  bool committed_ = false;
  std::vector<char> buffer_;
  std::optional<RemovedAtSignal> guard_;
  NoSizeSignal no_size_signal_;
};

}  // namespace

namespace {

/// To a pipe, a terminal or another device, which nothing takes the place of. A reader that is gone is an error.
void write_through(const std::string& path, const std::function<void(const Sink&)>& write) {
  struct sigaction ignore = {}, before = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
  std::FILE* const file = std::fopen(path.c_str(), "we");
  bool good = file != nullptr;
  if (good) {
    write([&](const void* data, std::size_t count) { good &= std::fwrite(data, 1, count, file) == count; });
    good &= std::fclose(file) == 0;
  }
  const int number = errno;
  sigaction(SIGPIPE, &before, nullptr);
  if (!good) throw backend_error(path + ": cannot be written: " + std::strerror(number));
}

}  // namespace

bool is_device(const std::string& path) {
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  return !failed && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

void require_writable(const std::string& path) {
  if (is_device(path)) {
    if (access(path.c_str(), W_OK) != 0) throw error("cannot write " + path);
    return;
  }
  std::string beside = path + ".XXXXXX";
  std::error_code failed;  // a name may be too long
  const int made = std::filesystem::is_directory(path, failed) ? -1 : mkstemp(beside.data());
  if (made < 0) throw error("cannot write " + path);
  close(made);
  unlink(beside.c_str());
}

std::string behind_links(const std::string& path) {
  constexpr int most = 40;  // as the kernel has it
  std::string target = path;
  for (int links = 0; links < most; ++links) {
    std::error_code none;
    const auto to = std::filesystem::read_symlink(target, none);
    if (none) return target;
    target = std::filesystem::path(target).parent_path() / to;
  }
  throw error(path + ": too many symbolic links");
}

void write_atomically(const std::string& path, bool force, const std::function<void(const Sink&)>& write) {
  if (is_device(path)) return write_through(path, write);
  TemporaryFile file(behind_links(path));
  write([&](const void* data, std::size_t count) { file.write(data, count); });
  file.commit(force);
}

}  // namespace trigon::cli
