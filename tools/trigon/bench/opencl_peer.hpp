// CLBlast and clBLAS by their C interfaces, opened at run time: peers on operands in OpenCL's device memory.
#pragma once

#include <trigon/call.hpp>
#include <trigon/device.hpp>

#include <functional>
#include <memory>
#include <string>

namespace trigon::bench {

class OpenclPeer {
 public:
  /// Throws trigon::error with the loader's message, or the status with which clBLAS refuses to be set up.
  explicit OpenclPeer(const std::string& path);

  const std::string& path() const { return path_; }
  /// CLBlast's from the file's name, for its interface has none; empty where that says nothing.
  std::string version() const;

  /// The call, submitted to the queue each time that the result is called; operands are cl_mem. Throws trigon::error
  /// for what the peer cannot be asked; what it refuses, with its status, the result throws.
  std::function<void()> prepare(const Call&, const Queue&) const;

  /// Whether a file is one of them, by its name. clBLAS's interface is that of Trigon's own door too.
  static bool is(const std::string& path);

 private:
  /// A function of the library; null if it has none of that name.
  void* symbol(const std::string& name) const;

  std::string path_;
  bool clblas_ = false;  ///< else CLBlast
  std::shared_ptr<void> handle_;
};

}  // namespace trigon::bench
