#include "opencl/commands.hpp"

#include <algorithm>
#include <utility>

namespace trigon::opencl {

using core::Status;

namespace {

/// What more memory would cure, on the device or in the host.
bool wants_memory(cl_int error) {
  return error == CL_OUT_OF_RESOURCES || error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_INVALID_BUFFER_SIZE ||
         error == CL_OUT_OF_HOST_MEMORY;
}

}  // namespace

Commands::Commands(Lane& lane, const core::Request& r)
    : device_(lane.device()),
      lane_(&lane),
      lock_(lane.mutex()),
      wait_list_(r.wait_list),
      waits_(r.waits),
      own_workspace_(static_cast<cl_mem>(r.workspace)),
      own_bytes_(r.workspace_bytes),
      message_(r.message) {}

bool Commands::begin() {
  if (failed()) return false;
  if (most_workspace_ > 0) workspace(most_workspace_);
  const cl_command_queue queue = lane_->queue();
  // What was put on the queue before comes before, also where the queue knows no order.
  if (!failed() && !lane_->in_order()) check(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), "a barrier");
  if (!failed() && waits_ > 0)
    check(clEnqueueBarrierWithWaitList(queue, waits_, reinterpret_cast<const cl_event*>(wait_list_), nullptr),
          "the wait list");
  return !failed();
}

void Commands::fail(Status status, const std::string& words) {
  if (failed()) return;
  status_ = status;
  message_(words.c_str());
}

bool Commands::check(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return !failed();
  fail(wants_memory(error) ? Status::OutOfMemory : Status::DeviceError,
       std::string(what) + ": " + error_name(error) + " on " + device_.name);
  return false;
}

cl_kernel Commands::kernel(Family family, const char* name, Precision p) {
  if (failed()) return nullptr;
  std::string why;
  const cl_kernel kernel = lane_->kernel(family, name, p, why);
  if (!kernel) fail(Status::DeviceError, "the kernel " + std::string(name) + " cannot be built: " + why);
  return kernel;
}

void Commands::argument(cl_kernel kernel, cl_uint at, std::size_t size, const void* value) {
  if (!failed()) check(clSetKernelArg(kernel, at, size, value), "a kernel's argument");
}

void Commands::enqueue(cl_kernel kernel, const char* name, const Grid& grid) {
  if (failed()) return;
  if (!check(clEnqueueNDRangeKernel(lane_->queue(), kernel, 3, nullptr, grid.items.data(), grid.group.data(), 0,
                                    nullptr, nullptr),
             name))
    return;
  if (!lane_->in_order()) check(clEnqueueBarrierWithWaitList(lane_->queue(), 0, nullptr, nullptr), "a barrier");
}

cl_mem Commands::workspace(std::size_t bytes) {
  most_workspace_ = std::max(most_workspace_, bytes);
  if (failed() || !lane_ || rehearsing_) return nullptr;
  if (own_workspace_) {
    if (bytes <= own_bytes_) return own_workspace_;
    fail(Status::InvalidArgument,
         "the workspace has " + std::to_string(own_bytes_) + " bytes, the call takes " + std::to_string(bytes));
    return nullptr;
  }
  cl_int error = CL_SUCCESS;
  const cl_mem memory = lane_->buffer(Lane::workspace, bytes, error);
  check(error, "workspace");
  return memory;
}

cl_mem Commands::counters() {
  if (failed() || !lane_) return nullptr;
  cl_int error = CL_SUCCESS;
  const cl_mem memory = lane_->counters(error);
  check(error, "counters");
  return memory;
}

void Commands::finish_with(void** event) {
  if (failed()) return;
  if (event &&
      !check(clEnqueueMarkerWithWaitList(lane_->queue(), 0, nullptr, reinterpret_cast<cl_event*>(event)), "the event"))
    return;
  if (!check(clFlush(lane_->queue()), "the queue") && event)
    clReleaseEvent(static_cast<cl_event>(std::exchange(*event, nullptr)));
}

void Commands::wait() {
  if (!failed()) check(clFinish(lane_->queue()), "the queue");
}

}  // namespace trigon::opencl
