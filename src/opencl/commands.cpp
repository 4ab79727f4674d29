#include "opencl/commands.hpp"

#include <algorithm>

namespace trigon::opencl {

using core::Status;

Commands::Commands(Lane& lane, const core::Request& r)
    : device_(lane.device()),
      lane_(&lane),
      lock_(lane.mutex()),
      wait_list_(reinterpret_cast<const cl_event*>(r.wait_list)),
      waits_(r.waits),
      own_workspace_(static_cast<cl_mem>(r.workspace)),
      own_bytes_(r.workspace_bytes),
      message_(r.message) {
  lane.settle();
}

bool Commands::begin() {
  if (failed()) return false;
  // What waits for an event that has failed already may do so for ever (PoCL 3.1).
  for (unsigned i = 0; i < waits_ && !failed(); ++i) {
    cl_int status = CL_COMPLETE;
    cl_context context = lane_->context();
    check(clGetEventInfo(wait_list_[i], CL_EVENT_CONTEXT, sizeof context, &context, nullptr), "the wait list");
    if (context != lane_->context())
      fail(Status::InvalidArgument, "an event of the wait list is of another context than the queue");
    check(clGetEventInfo(wait_list_[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
          "the wait list");
    if (status < 0)
      fail(Status::DeviceError, "an event of the wait list has failed: its status is " + std::to_string(status));
  }
  if (most_workspace_ > 0) workspace(most_workspace_);
  // Each with a barrier; two more barriers and the event; what the host has mapped, three operands and the result.
  lane_->expect(2 * rehearsed_ + 3 + 4);
  // What was put on the queue before comes before, also where the queue knows no order.
  if (!lane_->in_order()) barrier("a barrier", 0, nullptr);
  return !failed();
}

bool Commands::barrier(const char* what, cl_uint waits, const cl_event* list) {
  if (failed() || !check(clEnqueueBarrierWithWaitList(lane_->queue(), waits, list, &lane_->watched()), what))
    return false;
  ++submitted_;
  return true;
}

void Commands::fail(Status status, const std::string& words, cl_int error) {
  if (failed()) return;
  status_ = status, error_ = error;
  message_(words.c_str());
}

bool Commands::check(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return !failed();
  fail(failed_with(error), std::string(what) + ": " + error_name(error) + " on " + device_.name, error);
  return false;
}

cl_kernel Commands::kernel(Family family, const char* name, Precision p) {
  if (failed()) return nullptr;
  Failure failure;
  const cl_kernel kernel = lane_->kernel(family, name, p, failure);
  if (!kernel)
    fail(failed_with(failure.error), "the kernel " + std::string(name) + " cannot be built: " + failure.words,
         failure.error);
  return kernel;
}

void Commands::argument(cl_kernel kernel, cl_uint at, std::size_t size, const void* value) {
  if (!failed()) check(clSetKernelArg(kernel, at, size, value), "a kernel's argument");
}

void Commands::enqueue(cl_kernel kernel, const char* name, const Grid& grid) {
  if (failed()) return;
  // Each waits for the whole list: where it fails, whether launches after the first would run is left to the driver.
  if (!check(clEnqueueNDRangeKernel(lane_->queue(), kernel, 3, nullptr, grid.items.data(), grid.group.data(), waits_,
                                    wait_list(), &lane_->watched()),
             name))
    return;
  ++submitted_, launched_ = true;
  if (!lane_->in_order()) barrier("a barrier", 0, nullptr);
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
  // A call without launches comes after its wait list, too.
  if (!launched_ && waits_ > 0 && !barrier("the wait list", waits_, wait_list())) return;
  if (!event) {
    check(clFlush(lane_->queue()), "the queue");
    return;
  }
  // The event fails with any of them.
  cl_event& done = lane_->watched();
  std::span<const cl_event> all = lane_->last_watched(submitted_ + 1);
  all = all.first(all.size() - 1);
  if (!check(clEnqueueMarkerWithWaitList(lane_->queue(), static_cast<cl_uint>(all.size()),
                                         all.empty() ? nullptr : all.data(), &done),
             "the event") ||
      !check(clFlush(lane_->queue()), "the queue"))
    return;
  clRetainEvent(done);
  *event = done;
}

void Commands::wait() {
  if (failed() || !check(clFinish(lane_->queue()), "the queue")) return;
  if (const std::string why = lane_->failure(); !why.empty()) fail(Status::DeviceError, why);
}

}  // namespace trigon::opencl
