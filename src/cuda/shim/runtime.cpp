// The runtime of the CPU shim: devices whose memory is the host's, and streams that are done at once.
#include "cuda/runtime.hpp"

#include "cuda/shim/stream.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

namespace trigon::cuda {

namespace {

/// Of the calling thread, as after the start of a program.
thread_local int current_device = 0;

/// Null where a test made none.
simt::NativeStream* native(const Stream& s) { return static_cast<simt::NativeStream*>(s.handle); }

void note(const Stream& s, const char* word) {
  if (native(s)) native(s)->log.push_back(word);
}

void refuse_capture(const Stream& s, const char* what) {
  if (capturing(s)) throw failure(core::Status::DeviceError, std::string(what) + " while a graph is captured");
}

void copy(const Stream& s, void* to, const void* from, std::size_t bytes) {
  submit(s, "copy");
  refuse_capture(s, "a copy");
  if (native(s)) ++native(s)->copies;
  std::memcpy(to, from, bytes);
}

Stream on(void* handle, int device) {
  if (const std::string why = why_not(device); !why.empty()) throw failure(core::Status::Unavailable, why);
  return {handle, device, 2};
}

}  // namespace

/// Tests may ask for others: names with bars between them. One that ends in '!' is too old, '~' another process has for
/// itself, and '?' ends the process when it is opened.
std::vector<std::string> devices() {
  std::vector<std::string> list;
  const char* const asked = std::getenv("TRIGON_SHIM_DEVICES");
  std::istringstream names(asked ? asked : "CPU shim: device code executed by fibres, for tests");
  for (std::string name; std::getline(names, name, '|');) list.push_back(name);
  return list;
}

std::string lacks(int device) {
  return devices()[static_cast<std::size_t>(device)].ends_with('!') ? "too old for a test" : "";
}

std::string why_not(int device) {
  if (std::string why = lacks(device); !why.empty()) return why;
  const std::string name = devices()[static_cast<std::size_t>(device)];
  if (name.ends_with('?')) {
    std::fprintf(stderr, "%s was opened\n", name.c_str());
    std::abort();
  }
  return name.ends_with('~') ? "another process has it" : "";
}

Stream open_stream(int device) { return on(nullptr, device); }
Stream adopt_stream(void* handle) {
  return on(handle, handle ? static_cast<simt::NativeStream*>(handle)->device : current_device);
}
void close_stream(const Stream&, bool) noexcept {}

OnDevice::OnDevice(const Stream& s) {
  if (current_device != s.device) before_ = std::exchange(current_device, s.device);
}
OnDevice::~OnDevice() {
  if (before_ >= 0) current_device = before_;
}

/// Some of what the real runtime lets pass is refused as well: it is meant to be on that device.
void submit(const Stream& s, const char* what) {
  if (current_device == s.device) return note(s, what);
  throw failure(core::Status::DeviceError, std::string(what) + " on device " + std::to_string(s.device) +
                                               " from a thread on device " + std::to_string(current_device));
}

/// Fresh memory is NaN.
void* allocate(const Stream& s, std::size_t bytes) {
  submit(s, "allocate");
  refuse_capture(s, "memory was asked for");
  void* const memory = std::malloc(bytes);
  if (!memory) throw failure(core::Status::OutOfMemory, "allocating device memory: there is no more");
  return std::memset(memory, 0xff, bytes);
}
/// Ends the process where it throws.
void release(const Stream& s, void* memory) noexcept {
  submit(s, "release");
  std::free(memory);
}
void copy_in(const Stream& s, void* device, const void* host, std::size_t bytes) { copy(s, device, host, bytes); }
void copy_out(const Stream& s, void* host, const void* device, std::size_t bytes) { copy(s, host, device, bytes); }

bool capturing(const Stream& s) { return native(s) && native(s)->capturing; }
/// The real one also makes the capture useless.
void wait(const Stream& s) {
  refuse_capture(s, "a wait");
  note(s, "wait");
  if (native(s)) native(s)->copies = 0;
}
void wait_for_event(const Stream& s, void* event) {
  note(s, "event");
  if (!native(s)) return;
  ++native(s)->events;
  if (event && event == native(s)->captured) native(s)->capturing = true;
}
void* record_event(const Stream& s) {
  submit(s, "record");
  return nullptr;
}
std::string objection(const Stream& s, const void* address) {
  return native(s) && address == native(s)->unknown ? "an address that the device cannot use" : "";
}

}  // namespace trigon::cuda
