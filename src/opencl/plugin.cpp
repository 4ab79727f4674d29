// The table of the plug-in, and its queues.
#include "core/plugin.hpp"

#include "opencl/execute.hpp"

#include <new>

namespace trigon::opencl {
namespace {

using core::Message;
using core::Path;
using core::Plan;
using core::Request;
using core::Status;

const char* unavailable() {
  if (devices().empty()) return "no OpenCL device was found (no driver in /etc/OpenCL/vendors?)";
  static const std::string& wrong =
      *new std::string(host_device() ? "" : "no OpenCL device is like TRIGON_DEVICE=" + host()->environment.device);
  return wrong.empty() ? nullptr : wrong.c_str();
}

const char* device() { return host_device()->words.c_str(); }

std::vector<std::string> all_devices() {
  std::vector<std::string> list;
  for (const Device* d : devices()) list.push_back(d->words);
  return list;
}

std::vector<std::string> words(const Request& r, const Plan& p) {
  const Device& d = r.memory == core::Memory::Device ? static_cast<Lane*>(r.queue)->device() : *host_device();
  std::vector<std::string> lines{"device: " + d.words};
  switch (p.path) {
    case Path::Nothing: lines.push_back("path: nothing to do"); return lines;
    case Path::Scale: lines.push_back("path: scale, the result is cleared or multiplied by beta"); break;
    case Path::Recursion:
      lines.push_back("path: recursion, halved down to triangles of at most " + std::to_string(p.leaf) +
                      ", each of them two launches, GEMM between them");
      break;
    default: lines.push_back("path: packed, one launch that packs and one that computes"); break;
  }
  const Shape& s = d.shape_of(r.precision);
  lines.push_back("register tile: " + std::to_string(s.rows) + " by " + std::to_string(s.columns()) + ", vectors of " +
                  std::to_string(s.width));
  if (r.memory == core::Memory::Host) lines.push_back("operands: copied to the device and back");
  return lines;
}

template <class Open>
void* opened(Message message, Open&& open) {
  try {
    std::string why;
    if (std::unique_ptr<Lane> lane = open(why)) return lane.release();
    message(why.c_str());
  } catch (const std::bad_alloc&) {
    message("out of memory");
  }
  return nullptr;
}

void* adopt(void* native, Message message) {
  return opened(message, [&](std::string& why) { return Lane::adopt(static_cast<cl_command_queue>(native), why); });
}

void* create(const char* which, Message message) {
  return opened(message, [&](std::string& why) -> std::unique_ptr<Lane> {
    const Device* const d = find_device(which);
    if (d) return Lane::create(*d, why);
    why = std::string("there is no OpenCL device '") + which + "'";
    return nullptr;
  });
}

void* native(void* queue) { return static_cast<Lane*>(queue)->queue(); }

Status finish(void* queue, Message message) {
  const cl_int error = clFinish(static_cast<Lane*>(queue)->queue());
  if (error == CL_SUCCESS) return Status::Success;
  message(error_name(error).c_str());
  return Status::DeviceError;
}

void close(void* queue) { delete static_cast<Lane*>(queue); }

constexpr core::Queues queues{adopt, create, native, finish, close};

}  // namespace
}  // namespace trigon::opencl

extern "C" __attribute__((visibility("default"))) const trigon::core::Plugin* trigon_plugin(
    const trigon::core::Host& host) {
  using namespace trigon;
  static constexpr core::Plugin table{
      core::plugin_abi,       "opencl",        opencl::unavailable,   opencl::device, opencl::plan,
      opencl::workspace_size, opencl::execute, opencl::execute_timed, nullptr,        opencl::words,
      opencl::all_devices,    &opencl::queues};
  if (host.abi == core::plugin_abi) opencl::host() = &host;
  return &table;
}
