#include "doors/clblas/kernels.hpp"

#include <trigon/error.hpp>

#include <algorithm>
#include <mutex>
#include <new>

namespace trigon::clblas {

extern const char* const vectors_source;

void must(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return;
  if (error == CL_OUT_OF_HOST_MEMORY) throw std::bad_alloc();
  const std::string words = std::string(what) + ": OpenCL error " + std::to_string(error);
  if (error == CL_OUT_OF_RESOURCES || error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_INVALID_BUFFER_SIZE)
    throw out_of_memory(words);
  throw backend_error(words);
}

namespace {

template <class T>
T queue_info(cl_command_queue queue, cl_command_queue_info what) {
  T value{};
  must(clGetCommandQueueInfo(queue, what, sizeof value, &value, nullptr), "the queue");
  return value;
}

template <class T>
T device_info(cl_device_id device, cl_device_info what) {
  T value{};
  clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
  return value;
}

cl_uint count(std::span<const cl_event> events) { return static_cast<cl_uint>(events.size()); }
const cl_event* list(std::span<const cl_event> events) { return events.empty() ? nullptr : events.data(); }

}  // namespace

/// The programs of one device in one context, a precision each; shared by its queues.
class VectorPrograms {
 public:
  VectorPrograms(cl_context context, cl_device_id device) : context_(context), device_(device) {
    clRetainContext(context_);
  }
  ~VectorPrograms() {
    for (const auto& [precision, program] : programs_) clReleaseProgram(program);
    clReleaseContext(context_);
  }
  VectorPrograms(const VectorPrograms&) = delete;
  VectorPrograms& operator=(const VectorPrograms&) = delete;

  static std::shared_ptr<VectorPrograms> of(cl_context context, cl_device_id device) {
    static auto& mutex = *new std::mutex;
    static auto& known = *new std::map<std::pair<cl_context, cl_device_id>, std::weak_ptr<VectorPrograms>>;
    const std::lock_guard lock(mutex);
    std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
    auto& entry = known[{context, device}];
    if (auto living = entry.lock()) return living;
    auto fresh = std::make_shared<VectorPrograms>(context, device);
    entry = fresh;
    return fresh;
  }

  cl_program get(Precision p) {
    const std::lock_guard lock(mutex_);
    if (const auto found = programs_.find(p); found != programs_.end()) return found->second;
    std::string options = "-w -cl-std=CL1.2";
    const bool is_double = p == Precision::Double || p == Precision::ComplexDouble;
    if (is_double) options += " -DDOUBLE";
    if (p == Precision::ComplexSingle || p == Precision::ComplexDouble) options += " -DCOMPLEX";
    const auto single = device_info<cl_device_fp_config>(device_, CL_DEVICE_SINGLE_FP_CONFIG);
    if (!is_double && (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT))
      options += " -cl-fp32-correctly-rounded-divide-sqrt";
    cl_int error = CL_SUCCESS;
    const char* source = vectors_source;
    const cl_program program = clCreateProgramWithSource(context_, 1, &source, nullptr, &error);
    must(error, "the kernels of Level 1");
    error = clBuildProgram(program, 1, &device_, options.c_str(), nullptr, nullptr);
    if (error != CL_SUCCESS) {
      std::size_t size = 0;
      clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
      std::string log(size, '\0');
      clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
      clReleaseProgram(program);
      if (error == CL_OUT_OF_HOST_MEMORY || error == CL_OUT_OF_RESOURCES) must(error, "the kernels of Level 1");
      const std::string name =
          error == CL_COMPILER_NOT_AVAILABLE ? "CL_COMPILER_NOT_AVAILABLE" : "OpenCL error " + std::to_string(error);
      throw backend_error("the kernels of Level 1 cannot be built: " + name + " " + log);
    }
    programs_[p] = program;
    return program;
  }

 private:
  cl_context context_;
  cl_device_id device_;
  std::mutex mutex_;
  std::map<Precision, cl_program> programs_;
};

Kernels::Kernels(cl_command_queue queue, Watched& watched)
    : queue_(queue), watched_(watched), context_(queue_info<cl_context>(queue, CL_QUEUE_CONTEXT)) {
  const auto device = queue_info<cl_device_id>(queue, CL_QUEUE_DEVICE);
  in_order_ =
      !(queue_info<cl_command_queue_properties>(queue, CL_QUEUE_PROPERTIES) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  gpu_ = device_info<cl_device_type>(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU;
  programs_ = VectorPrograms::of(context_, device);
}

Kernels::~Kernels() {
  for (const auto& [key, kernel] : kernels_)
    if (kernel) clReleaseKernel(kernel);
  for (const auto& s : scratch_)
    if (s.memory) clReleaseMemObject(s.memory);
}

cl_kernel Kernels::kernel(Precision p, const char* name) {
  cl_kernel& kernel = kernels_[{name, p}];
  if (kernel) return kernel;
  cl_int error = CL_SUCCESS;
  kernel = clCreateKernel(programs_->get(p), name, &error);
  must(error, name);
  return kernel;
}

void Kernels::prepare(Precision p, const char* name) { kernel(p, name); }

cl_mem Kernels::scratch(int purpose, std::size_t bytes) {
  auto& kept = scratch_[purpose];
  if (kept.memory && kept.bytes >= bytes) return kept.memory;
  if (kept.memory) clReleaseMemObject(kept.memory);
  kept = {};
  const std::size_t size = std::max<std::size_t>(bytes, 1 << 14);
  cl_int error = CL_SUCCESS;
  const cl_mem memory = clCreateBuffer(context_, CL_MEM_READ_WRITE, size, nullptr, &error);
  must(error, "memory for a vector");
  kept.memory = memory, kept.bytes = size;
  return memory;
}

void Kernels::barrier(std::span<const cl_event> waits) {
  must(clEnqueueBarrierWithWaitList(queue_, count(waits), list(waits), &watched_.next()), "a barrier");
}

void Kernels::begin(const Submission& on) {
  waits_ = {reinterpret_cast<const cl_event*>(on.wait_list.data()), on.wait_list.size()};
  launched_ = false;
  if (!in_order_) barrier({});
}

Submission Kernels::part(const Submission& on) {
  return {on.queue, on.wait_list, reinterpret_cast<void**>(&watched_.next())};
}

/// A GPU's items take turns, others neighbours.
Kernels::Share Kernels::share(std::size_t n, std::size_t most) const {
  if (gpu_) return {std::min(most, (n + 63) / 64 * 64), 0};
  const std::size_t block = std::max<std::size_t>(1024, (n + most - 1) / most);
  return {(n + block - 1) / block, static_cast<cl_long>(block)};
}

void Kernels::set(cl_kernel kernel, cl_uint at, std::size_t size, const void* value) {
  must(clSetKernelArg(kernel, at, size, value), "a kernel's argument");
}

void Kernels::enqueue(cl_kernel kernel, std::size_t items) {
  const std::size_t group = !gpu_ || items % 64 != 0 ? 1 : 64;
  must(
      clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, &group, count(waits_), list(waits_), &watched_.next()),
      "a kernel");
  launched_ = true;
  if (!in_order_) barrier({});
}

void Kernels::end(const Submission& on) {
  // What has no work comes after its wait list, too.
  if (!launched_ && !waits_.empty()) barrier(waits_);
  if (on.event) {
    // It fails with any of them.
    const auto all = watched_.of_call();
    cl_event& done = watched_.next();
    must(clEnqueueMarkerWithWaitList(queue_, count(all), list(all), &done), "the event");
    clRetainEvent(done);
    *on.event = done;
  }
  must(clFlush(queue_), "the queue");
}

}  // namespace trigon::clblas
