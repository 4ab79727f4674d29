// The table of the plug-in, and its queues.
#include "core/plugin.hpp"

#include "opencl/execute.hpp"

#include <trigon/error.hpp>

#include <algorithm>
#include <new>

namespace trigon::opencl {
namespace {

using core::Message;
using core::Path;
using core::Plan;
using core::Request;
using core::Status;

const char* unavailable() {
  static const std::string& why =
      *new std::string(!devices().empty()        ? ""
                       : unfit_devices().empty() ? "no OpenCL device was found (no driver in /etc/OpenCL/vendors?)"
                                                 : "no OpenCL device can be used: " + unfit_devices());
  return why.empty() ? nullptr : why.c_str();
}

const char* no_device() {
  static const std::string& why =
      *new std::string(host_device() ? "" : "no OpenCL device is like TRIGON_DEVICE=" + host()->environment.device);
  return why.empty() ? nullptr : why.c_str();
}

const char* device() { return host_device()->words.c_str(); }

std::vector<std::string> all_devices() {
  std::vector<std::string> list;
  for (const Device* d : devices()) list.push_back(d->words);
  return list;
}

std::vector<std::string> words(const Request& r, const Plan& p) {
  const Device& d = r.memory == core::Memory::Device ? static_cast<Lane*>(r.queue)->device() : *host_device();
  const Settings& s = d.settings_of(r.precision);
  const bool tiles = s.kernels == Kernels::Tiles;
  std::vector<std::string> lines{"device: " + d.words};
  switch (p.path) {
    case Path::Nothing: lines.push_back("path: nothing to do"); return lines;
    case Path::Scale: lines.push_back("path: scale, the result is cleared or multiplied by beta"); break;
    case Path::Recursion:
      lines.push_back("path: recursion, halved down to triangles of at most " + std::to_string(p.leaf) +
                      ", each of them " + (tiles || s.launches == 1 ? "one launch" : "two launches") +
                      ", GEMM between them");
      break;
    case Path::Narrow:
      lines.push_back("path: narrow, one right-hand side; the triangle is read where it lies, by vectors of " +
                      std::to_string(s.shape.width));
      break;
    default:
      lines.push_back(tiles             ? "path: one launch, operands are read as they are stored"
                      : s.launches == 1 ? "path: packed, one launch that packs and computes"
                                        : "path: packed, one launch that packs and one that computes, or one for both "
                                          "where there is one work-item");
      break;
  }
  if (p.path != Path::Narrow) lines.push_back("kernels: " + in_words(s));
  if (!s.wrong.empty()) lines.push_back("no call is made: tuning entry " + s.wrong);
  const bool solves = r.operation == Operation::Trsm || r.operation == Operation::Trsv;
  if (solves && r.solve == Solve::Inverted && p.path != Path::Scale) {
    if (p.path == Path::Narrow)
      lines.push_back("solve: exact, one right-hand side is substituted");
    else if (tiles)
      lines.push_back("solve: exact, these kernels invert no blocks");
    else
      lines.push_back("solve: by inverses of diagonal blocks of order " + std::to_string(s.invert) +
                      ", which take a launch more");
  }
  if (r.memory == core::Memory::Host) lines.push_back("operands: copied to the device and back");
  return lines;
}

Status status_of(cl_int error, Message message) {
  if (error == CL_SUCCESS) return Status::Success;
  message(error_name(error).c_str());
  return failed_with(error);
}

/// Null does not tell a want of memory from all else: that is thrown.
template <class Open>
void* opened(Message message, Open&& open) {
  try {
    Failure failure;
    if (std::unique_ptr<Lane> lane = open(failure)) return lane.release();
    if (wants_memory(failure.error)) throw out_of_memory("opencl: " + failure.words);
    message(failure.words.c_str());
  } catch (const std::bad_alloc&) {
    throw out_of_memory("opencl: out of memory");
  }
  return nullptr;
}

void* adopt(void* native, Message message) {
  return opened(message, [&](Failure& failure) { return Lane::adopt(static_cast<cl_command_queue>(native), failure); });
}

void* create(const char* which, Message message) {
  return opened(message, [&](Failure& failure) -> std::unique_ptr<Lane> {
    const Device* const d = find_device(which);
    if (d) return Lane::create(*d, failure);
    failure.words = std::string("there is no OpenCL device '") + which + "'";
    return nullptr;
  });
}

void* native(void* queue) { return static_cast<Lane*>(queue)->queue(); }

// Calls of other threads may be submitted meanwhile; what of them is not done yet is not asked about.
Status finish(void* queue, Message message) {
  Lane& lane = *static_cast<Lane*>(queue);
  if (const Status status = status_of(clFinish(lane.queue()), message); status != Status::Success) return status;
  const std::lock_guard lock(lane.mutex());
  const std::string why = lane.failure();
  if (why.empty()) return Status::Success;
  message(why.c_str());
  return Status::DeviceError;
}

void close(void* queue) { delete static_cast<Lane*>(queue); }

Status allocate(void* queue, std::size_t bytes, void** memory, Message message) {
  cl_int error = CL_SUCCESS;
  const cl_context context = static_cast<Lane*>(queue)->context();
  *memory = clCreateBuffer(context, CL_MEM_READ_WRITE, std::max<std::size_t>(bytes, 1), nullptr, &error);
  return status_of(error, message);
}

void release(void*, void* memory) { clReleaseMemObject(static_cast<cl_mem>(memory)); }

Status write(void* queue, void* memory, std::size_t at, const void* from, std::size_t bytes, Message message) {
  if (bytes == 0) return Status::Success;
  cl_event done = nullptr;
  const cl_int error = clEnqueueWriteBuffer(static_cast<Lane*>(queue)->queue(), static_cast<cl_mem>(memory), CL_TRUE,
                                            at, bytes, from, 0, nullptr, &done);
  return status_of(outcome(error, done), message);
}

Status read(void* queue, void* memory, std::size_t at, void* to, std::size_t bytes, Message message) {
  if (bytes == 0) return Status::Success;
  cl_event done = nullptr;
  const cl_int error = clEnqueueReadBuffer(static_cast<Lane*>(queue)->queue(), static_cast<cl_mem>(memory), CL_TRUE, at,
                                           bytes, to, 0, nullptr, &done);
  return status_of(outcome(error, done), message);
}

constexpr core::Queues queues{adopt, create, native, finish, close, allocate, release, write, read};

}  // namespace
}  // namespace trigon::opencl

extern "C" __attribute__((visibility("default"))) const trigon::core::Plugin* trigon_plugin(
    const trigon::core::Host& host) {
  using namespace trigon;
  static constexpr core::Plugin table{.name = "opencl",
                                      .unavailable = opencl::unavailable,
                                      .device = opencl::device,
                                      .plan = opencl::plan,
                                      .workspace_size = opencl::workspace_size,
                                      .execute = opencl::execute,
                                      .execute_timed = opencl::execute_timed,
                                      .words = opencl::words,
                                      .devices = opencl::all_devices,
                                      .queues = &opencl::queues,
                                      .no_device = opencl::no_device};
  if (host.abi == core::plugin_abi) opencl::host() = &host;
  return &table;
}
