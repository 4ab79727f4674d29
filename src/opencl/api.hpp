// OpenCL as this backend uses it: version 1.2, in order, with names for its errors.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <string>

namespace trigon::opencl {

/// "CL_OUT_OF_RESOURCES", or the number.
std::string error_name(cl_int);

/// A string that clGet…Info returns.
template <class Object, class Get>
std::string text_of(Get&& get, Object object, unsigned what) {
  std::size_t size = 0;
  if (get(object, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  get(object, what, size, text.data(), nullptr);
  text.resize(size - 1);
  return text;
}

/// A value that clGet…Info returns, 0 where it fails.
template <class T, class Object, class Get>
T value_of(Get&& get, Object object, unsigned what) {
  T value{};
  get(object, what, sizeof value, &value, nullptr);
  return value;
}

}  // namespace trigon::opencl
