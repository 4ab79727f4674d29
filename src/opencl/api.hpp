// OpenCL as this backend uses it: version 1.2, in order, with names for its errors. Of newer ones it asks for features.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstring>
#include <string>
#include <vector>

namespace trigon::opencl {

/// "CL_OUT_OF_RESOURCES", or the number.
std::string error_name(cl_int);

/// Whether more memory would cure it, on the device or in the host.
inline bool wants_memory(cl_int error) {
  return error == CL_OUT_OF_RESOURCES || error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_INVALID_BUFFER_SIZE ||
         error == CL_OUT_OF_HOST_MEMORY;
}

/// What a driver has failed with, where it has, and what is wrong in words.
struct Failure {
  cl_int error = CL_SUCCESS;
  std::string words;
};

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

/// What a blocking command returned, or how it ended, of which the driver need not tell (PoCL does not).
inline cl_int outcome(cl_int error, cl_event event) {
  if (error != CL_SUCCESS) return error;
  const auto status = value_of<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS);
  clReleaseEvent(event);
  return status < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

/// Whether a device's OpenCL C 3.0 has a feature, as "__opencl_c_int64".
inline bool has_feature(cl_device_id device, const char* feature) {
  // CL_DEVICE_OPENCL_C_FEATURES, a list of cl_name_version.
  constexpr cl_device_info features = 0x106F;
  struct Named {
    cl_uint version;
    char name[64];
  };
  std::size_t bytes = 0;
  if (clGetDeviceInfo(device, features, 0, nullptr, &bytes) != CL_SUCCESS) return false;
  std::vector<Named> list(bytes / sizeof(Named));
  if (clGetDeviceInfo(device, features, bytes, list.data(), nullptr) != CL_SUCCESS) return false;
  for (const Named& n : list)
    if (std::strncmp(n.name, feature, sizeof n.name) == 0) return true;
  return false;
}

}  // namespace trigon::opencl
