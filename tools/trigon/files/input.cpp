#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <trigon/error.hpp>

#include "trigon/files/formats.hpp"

namespace trigon::cli {

InputFile::InputFile(std::string path) : path_(std::move(path)) {
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // not to wait for the writer of a pipe
  if (descriptor_ < 0) fail(std::string("cannot be opened: ") + std::strerror(errno));
  struct stat status;
  const bool ordinary = fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  if (!ordinary) {
    close(descriptor_);
    fail("is not an ordinary file");
  }
  size_ = status.st_size;
}

InputFile::~InputFile() { close(descriptor_); }

void InputFile::read(index offset, void* into, index count) const {
  char* to = static_cast<char*>(into);
  while (count > 0) {
    const ssize_t got = pread(descriptor_, to, static_cast<std::size_t>(count), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) fail("ends too early");
    to += got;
    offset += got;
    count -= got;
  }
}

void InputFile::fail(const std::string& what) const { throw error(path_ + ": " + what); }

}  // namespace trigon::cli
