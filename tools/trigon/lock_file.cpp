#include "trigon/lock_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <trigon/error.hpp>

namespace trigon::cli {
namespace {

/// Not where somebody has removed it between open() and flock().
bool is_at(const std::string& path, int descriptor) {
  struct stat mine, there;
  return fstat(descriptor, &mine) == 0 && stat(path.c_str(), &there) == 0 && mine.st_dev == there.st_dev &&
         mine.st_ino == there.st_ino;
}

}  // namespace

LockFile::LockFile(const std::string& path) : path_(path) {
  const SignalsHeld held;  // until somebody knows of the file
  do {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw error("cannot write " + path + ": " + std::strerror(errno));
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int number = errno;
      close(descriptor_);
      throw error(path + (number == EWOULDBLOCK ? ": another run has it"
                                                : std::string(": cannot be locked: ") + std::strerror(number)));
    }
  } while (!is_at(path, descriptor_));
  guard_.emplace(path);
}

LockFile::~LockFile() {
  unlink(path_.c_str());  // before another one can have it
  close(descriptor_);
}

}  // namespace trigon::cli
