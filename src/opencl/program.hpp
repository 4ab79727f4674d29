// Programs, compiled when first wanted and kept: in memory per context and device, on disk per machine.
#pragma once

#include "opencl/device.hpp"
#include "opencl/sources.hpp"

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

namespace trigon::opencl {

/// The programs of one device in one context. Any thread may ask.
class Programs {
 public:
  /// Shared by all queues on the device and context.
  static std::shared_ptr<Programs> of(cl_context, const Device&);

  /// Binaries are kept in the folder; an empty path keeps none.
  Programs(cl_context, const Device&, std::filesystem::path folder);
  ~Programs();
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;

  /// Null if it cannot be built; the words are then the compiler's.
  cl_program get(Family, Precision, Failure&);
  /// All that a compiled program depends on; "" where none is kept.
  std::string key(Family, Precision) const;

 private:
  cl_context context_;
  const Device device_;
  std::filesystem::path folder_;
  std::mutex mutex_;
  cl_program programs_[family_count][4] = {};
};

}  // namespace trigon::opencl
