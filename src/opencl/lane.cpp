#include "opencl/lane.hpp"

#include <algorithm>
#include <utility>

namespace trigon::opencl {

std::unique_ptr<Lane> Lane::adopt(cl_command_queue queue, Failure& failure) {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_int error =
      queue ? clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr) : CL_INVALID_COMMAND_QUEUE;
  if (error == CL_SUCCESS) error = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
  if (error != CL_SUCCESS) {
    failure = {error, "no command queue: " + error_name(error)};
    return nullptr;
  }
  if (const std::string why = unfit(device); !why.empty()) {
    failure.words = text_of(clGetDeviceInfo, device, CL_DEVICE_NAME) + ": " + why;
    return nullptr;
  }
  clRetainCommandQueue(queue);
  clRetainContext(context);
  QueueReferences held(queue, context);
  return std::unique_ptr<Lane>(new Lane(std::move(held), traits(device)));
}

std::unique_ptr<Lane> Lane::create(const Device& device, Failure& failure, cl_context within) {
  cl_int error = CL_SUCCESS;
  if (within) clRetainContext(within);
  QueueReferences held(nullptr, within ? within : clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, &error));
  if (error == CL_SUCCESS) held.queue = clCreateCommandQueue(held.context, device.id, 0, &error);
  if (error == CL_SUCCESS) return std::unique_ptr<Lane>(new Lane(std::move(held), device));
  failure = {error, device.name + ": " + error_name(error)};
  return nullptr;
}

namespace {

/// What a kernel takes of registers and local memory only its compiler knows. Says what is too much; "" if nothing is.
std::string too_large(cl_kernel kernel, const char* name, const Device& device) {
  std::size_t most = 0, group[3] = {};
  cl_ulong local = 0, has = 0;
  clGetKernelWorkGroupInfo(kernel, device.id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr);
  clGetKernelWorkGroupInfo(kernel, device.id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof group, group, nullptr);
  clGetKernelWorkGroupInfo(kernel, device.id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, nullptr);
  clGetDeviceInfo(device.id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof has, &has, nullptr);
  const std::size_t items = group[0] * group[1] * group[2];
  if ((most == 0 || items <= most) && (has == 0 || local <= has)) return {};
  return std::string(name) + " has work-groups of " + std::to_string(items) + " work-items and " +
         std::to_string(local) + " bytes of local memory, the device allows " + std::to_string(most) + " and " +
         std::to_string(has);
}

}  // namespace

QueueReferences::~QueueReferences() {
  if (queue) clReleaseCommandQueue(queue);
  if (context) clReleaseContext(context);
}

Lane::Lane(QueueReferences held, const Device& device)
    : held_(std::move(held)), device_(device), programs_(Programs::of(context(), device)) {
  const auto properties = value_of<cl_command_queue_properties>(clGetCommandQueueInfo, queue(), CL_QUEUE_PROPERTIES);
  in_order_ = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

// What is still queued keeps its kernels and buffers alive, and lets go of its event itself when it is done.
Lane::~Lane() {
  clFlush(queue());
  settle();
  const auto let_go = [](cl_event event, cl_int, void*) { clReleaseEvent(event); };
  for (const cl_event e : watched_)
    if (e && clSetEventCallback(e, CL_COMPLETE, let_go, nullptr) != CL_SUCCESS) clReleaseEvent(e);
  for (const auto& [key, kernel] : kernels_) clReleaseKernel(kernel);
  release_buffers();
  if (counters_) clReleaseMemObject(counters_);
}

cl_kernel Lane::kernel(Family family, const char* name, Precision precision, Failure& failure) {
  cl_kernel& kernel = kernels_[{name, precision}];
  if (kernel) return kernel;
  const cl_program program = programs_->get(family, precision, failure);
  if (!program) return nullptr;
  cl_int error = CL_SUCCESS;
  kernel = clCreateKernel(program, name, &error);
  if (error != CL_SUCCESS) {
    failure = {error, std::string(name) + ": " + error_name(error)};
    return kernel = nullptr;
  }
  if (std::string why = too_large(kernel, name, device_); !why.empty()) {
    failure.words = std::move(why);
    clReleaseKernel(std::exchange(kernel, nullptr));
  }
  return kernel;
}

cl_mem Lane::buffer(int purpose, std::size_t bytes, cl_int& error) {
  Kept& k = kept_[purpose];
  if (k.bytes >= bytes && k.memory) return k.memory;
  if (k.memory) clReleaseMemObject(k.memory);
  k = {};
  const std::size_t size = std::max<std::size_t>(bytes, 1 << 16);
  const cl_mem memory = clCreateBuffer(context(), CL_MEM_READ_WRITE, size, nullptr, &error);
  if (error != CL_SUCCESS) return nullptr;
  k = {memory, size};
  return memory;
}

void Lane::release_buffers() {
  for (Kept& k : kept_) {
    if (k.memory) clReleaseMemObject(k.memory);
    k = {};
  }
}

cl_mem Lane::counters(cl_int& error) {
  unsigned char zeros[counters_bytes] = {};
  if (!counters_)
    counters_ = clCreateBuffer(context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, &error);
  return counters_;
}

// clFinish need not say that a command has failed (PoCL does not), and later ones may run all the same.
void Lane::settle() {
  auto event = watched_.begin();
  for (; event != watched_.end(); ++event) {
    if (!*event) continue;
    const auto status = value_of<cl_int>(clGetEventInfo, *event, CL_EVENT_COMMAND_EXECUTION_STATUS);
    if (status > CL_COMPLETE) break;
    clReleaseEvent(*event);
    if (status == CL_COMPLETE) continue;
    if (failed_ == CL_SUCCESS) failed_ = status;
    // A launch that ended halfway has not left them as zeros.
    if (counters_) clReleaseMemObject(std::exchange(counters_, nullptr));
  }
  watched_.erase(watched_.begin(), event);
}

std::string Lane::failure() {
  settle();
  const cl_int status = std::exchange(failed_, CL_SUCCESS);
  if (status == CL_SUCCESS) return {};
  return "a command has failed on " + device_.name + ", or what it waited for: its status is " + std::to_string(status);
}

}  // namespace trigon::opencl
