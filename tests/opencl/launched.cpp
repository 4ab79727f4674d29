#include "opencl/launched.hpp"

#include "opencl/on_device.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

namespace trigon::test {

std::atomic<int> launches{0}, until_failure{-1};
std::atomic<bool> reads_fail{false};
std::atomic<int> copies_refused{CL_SUCCESS};
std::atomic<int> buffers_fail{CL_SUCCESS}, failing_buffers{-1}, until_kept_mapped{-1}, until_unmapping_fails{-1};
std::atomic<int> programs{0}, builds_fail{CL_SUCCESS}, failing_builds{-1};
std::atomic<int> until_starving{-1}, failing_queues{0};
std::atomic<bool> no_compiler{false};
std::atomic<const char*> opencl_version{nullptr};
thread_local bool starving = false;

namespace {

/// What `submit` puts on the queue with one more event to wait for, which then fails. Nothing else is to be waited for:
/// PoCL 3.1 may end the process where an event comes to a command that is just failing by another.
template <class Submit>
cl_int failed(cl_command_queue queue, cl_uint waits, const cl_event* list, Submit&& submit) {
  cl_context context = nullptr;
  must(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr), "context");
  cl_int error = CL_SUCCESS;
  const cl_event gate = clCreateUserEvent(context, &error);
  must(error, "event");
  std::vector<cl_event> longer(list, list + waits);
  longer.push_back(gate);
  must(clFinish(queue), "queue");
  error = submit(waits + 1, longer.data());
  clSetUserEventStatus(gate, -1);
  clReleaseEvent(gate);
  return error;
}

}  // namespace
}  // namespace trigon::test

// Where one of a pair is inlined and the other is not, GCC takes them for strangers.
#define REPLACED [[gnu::noinline]]
REPLACED void* operator new(std::size_t bytes) {
  if (void* const memory = trigon::test::starving ? nullptr : std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
REPLACED void operator delete(void* memory) noexcept { std::free(memory); }
REPLACED void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

// In place of the loader's, which they call: the plug-in finds these first.
extern "C" __attribute__((visibility("default"))) cl_int clEnqueueNDRangeKernel(
    cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset, const size_t* items,
    const size_t* group, cl_uint waits, const cl_event* list, cl_event* event) {
  using namespace trigon::test;
  static const auto real =
      reinterpret_cast<decltype(&clEnqueueNDRangeKernel)>(dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel"));
  const auto submit = [&](cl_uint count, const cl_event* all) {
    return real(queue, kernel, dimensions, offset, items, group, count, all, event);
  };
  ++launches;
  return until_failure < 0 || until_failure-- > 0 ? submit(waits, list) : failed(queue, waits, list, submit);
}

// One that fails does not wait: PoCL would, and then have its event used by two threads.
extern "C" __attribute__((visibility("default"))) cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory,
                                                                             cl_bool waiting, size_t at, size_t bytes,
                                                                             void* to, cl_uint waits,
                                                                             const cl_event* list, cl_event* event) {
  using namespace trigon::test;
  static const auto real = reinterpret_cast<decltype(&clEnqueueReadBuffer)>(dlsym(RTLD_NEXT, "clEnqueueReadBuffer"));
  const auto submit = [&](cl_uint count, const cl_event* all) {
    return real(queue, memory, reads_fail ? CL_FALSE : waiting, at, bytes, to, count, all, event);
  };
  if (const int refused = copies_refused; refused != CL_SUCCESS) return refused;
  return reads_fail ? failed(queue, waits, list, submit) : submit(waits, list);
}

extern "C" __attribute__((visibility("default"))) cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory,
                                                                              cl_bool waiting, size_t at, size_t bytes,
                                                                              const void* from, cl_uint waits,
                                                                              const cl_event* list, cl_event* event) {
  static const auto real = reinterpret_cast<decltype(&clEnqueueWriteBuffer)>(dlsym(RTLD_NEXT, "clEnqueueWriteBuffer"));
  const int refused = trigon::test::copies_refused;
  return refused != CL_SUCCESS ? refused : real(queue, memory, waiting, at, bytes, from, waits, list, event);
}

extern "C" __attribute__((visibility("default"))) cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags,
                                                                        size_t bytes, void* host, cl_int* error) {
  static const auto real = reinterpret_cast<decltype(&clCreateBuffer)>(dlsym(RTLD_NEXT, "clCreateBuffer"));
  using namespace trigon::test;
  const int failure = buffers_fail;
  if (failure == CL_SUCCESS || failing_buffers == 0) return real(context, flags, bytes, host, error);
  if (failing_buffers > 0) --failing_buffers;
  if (error) *error = failure;
  return nullptr;
}

extern "C" __attribute__((visibility("default"))) cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory,
                                                                                 void* place, cl_uint waits,
                                                                                 const cl_event* list,
                                                                                 cl_event* event) {
  using namespace trigon::test;
  static const auto real =
      reinterpret_cast<decltype(&clEnqueueUnmapMemObject)>(dlsym(RTLD_NEXT, "clEnqueueUnmapMemObject"));
  const bool refused = until_kept_mapped >= 0 && until_kept_mapped-- == 0;
  const auto submit = [&](cl_uint count, const cl_event* all) { return real(queue, memory, place, count, all, event); };
  const bool fails = until_unmapping_fails >= 0 && until_unmapping_fails-- == 0;
  // In any case: nothing is to be left behind.
  const cl_int error = fails ? failed(queue, waits, list, submit) : submit(waits, list);
  if (until_starving >= 0 && until_starving-- == 0) starving = true;
  return refused ? CL_INVALID_OPERATION : error;
}

extern "C" __attribute__((visibility("default"))) cl_command_queue clCreateCommandQueue(
    cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int* error) {
  using namespace trigon::test;
  static const auto real = reinterpret_cast<decltype(&clCreateCommandQueue)>(dlsym(RTLD_NEXT, "clCreateCommandQueue"));
  if (failing_queues == 0) return real(context, device, properties, error);
  --failing_queues;
  if (error) *error = CL_OUT_OF_RESOURCES;
  return nullptr;
}

extern "C" __attribute__((visibility("default"))) cl_program clCreateProgramWithSource(cl_context context,
                                                                                       cl_uint count, const char** text,
                                                                                       const size_t* lengths,
                                                                                       cl_int* error) {
  static const auto real =
      reinterpret_cast<decltype(&clCreateProgramWithSource)>(dlsym(RTLD_NEXT, "clCreateProgramWithSource"));
  ++trigon::test::programs;
  return real(context, count, text, lengths, error);
}

extern "C" __attribute__((visibility("default"))) cl_int clBuildProgram(cl_program program, cl_uint devices,
                                                                        const cl_device_id* list, const char* options,
                                                                        void (*notify)(cl_program, void*), void* data) {
  using namespace trigon::test;
  static const auto real = reinterpret_cast<decltype(&clBuildProgram)>(dlsym(RTLD_NEXT, "clBuildProgram"));
  const int failure = builds_fail;
  if (failure == CL_SUCCESS || failing_builds == 0) return real(program, devices, list, options, notify, data);
  if (failing_builds > 0) --failing_builds;
  return failure;
}

extern "C" __attribute__((visibility("default"))) cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what,
                                                                         size_t bytes, void* value, size_t* size) {
  using namespace trigon::test;
  static const auto real = reinterpret_cast<decltype(&clGetDeviceInfo)>(dlsym(RTLD_NEXT, "clGetDeviceInfo"));
  const char* const version = opencl_version;
  if (what == CL_DEVICE_VERSION && version) {
    if (value) std::memcpy(value, version, std::min(bytes, std::strlen(version) + 1));
    if (size) *size = std::strlen(version) + 1;
    return CL_SUCCESS;
  }
  const cl_int error = real(device, what, bytes, value, size);
  constexpr cl_bool no = CL_FALSE;
  if (what == CL_DEVICE_COMPILER_AVAILABLE && no_compiler && value) std::memcpy(value, &no, sizeof no);
  return error;
}
