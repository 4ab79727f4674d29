// Contexts, queues and events of a test's own.
#pragma once

#include "clblas/memory.hpp"

namespace trigon::test {

/// A context of all devices of the first platform, and queues on it.
class World {
 public:
  World() {
    const Queue first("opencl");
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    must(clGetCommandQueueInfo(static_cast<cl_command_queue>(first.native()), CL_QUEUE_DEVICE, sizeof device, &device,
                               nullptr),
         "device");
    must(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr), "platform");
    cl_uint count = 0;
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), "devices");
    devices.resize(count);
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr), "devices");
    cl_int error = CL_SUCCESS;
    context = clCreateContext(nullptr, count, devices.data(), nullptr, nullptr, &error);
    must(error, "context");
  }
  ~World() {
    for (const cl_command_queue q : queues) clReleaseCommandQueue(q);
    clReleaseContext(context);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  cl_command_queue queue(cl_command_queue_properties properties = 0, std::size_t device = 0) {
    cl_int error = CL_SUCCESS;
    queues.push_back(clCreateCommandQueue(context, devices[device], properties, &error));
    must(error, "queue");
    return queues.back();
  }
  cl_event gate() const {
    cl_int error = CL_SUCCESS;
    const cl_event e = clCreateUserEvent(context, &error);
    must(error, "event");
    return e;
  }

  cl_context context = nullptr;
  std::vector<cl_device_id> devices;
  std::vector<cl_command_queue> queues;
};

/// x := 2 x, as TRMM of order 1 on n columns.
inline clblasStatus doubled(const DeviceVector<double>& two, const DeviceVector<double>& x, size_t n,
                            const Submitted& q) {
  return clblasDtrmm(clblasColumnMajor, clblasLeft, clblasLower, clblasNoTrans, clblasNonUnit, 1, n, 1, two.memory, 0,
                     1, x.memory, 0, 1, q.count, q.list, q.waits, q.wait_list, q.events);
}

}  // namespace trigon::test
