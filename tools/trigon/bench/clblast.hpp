// CLBlast by its C interface, opened at run time: a peer on operands in OpenCL's device memory.
#pragma once

#include <trigon/call.hpp>

#include <functional>
#include <memory>
#include <string>

namespace trigon::bench {

class Clblast {
 public:
  /// Throws trigon::error with the loader's message.
  explicit Clblast(const std::string& path);

  const std::string& path() const { return path_; }
  /// From the file's name, for the interface has none; empty where that says nothing.
  std::string version() const;

  /// The call, submitted to a cl_command_queue each time that the result is called; operands are cl_mem. Throws
  /// trigon::error for what CLBlast cannot be asked; what it refuses, with its status, the result throws.
  std::function<void()> prepare(const Call&, void* queue) const;

  /// Whether a file is CLBlast, by its name.
  static bool is(const std::string& path);

 private:
  std::string path_;
  std::shared_ptr<void> handle_;
};

}  // namespace trigon::bench
