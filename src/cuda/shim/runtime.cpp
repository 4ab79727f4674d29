// The runtime of the CPU shim: one device, whose memory is the host's, and streams that are done at once.
#include "cuda/runtime.hpp"

#include "cuda/shim/stream.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace trigon::cuda {

namespace {

/// Null where a test made none.
simt::NativeStream* native(const Stream& s) { return static_cast<simt::NativeStream*>(s.handle); }

void refuse_capture(const Stream& s, const char* what) {
  if (capturing(s)) throw failure(core::Status::DeviceError, std::string(what) + " while a graph is captured");
}

void copy(const Stream& s, void* to, const void* from, std::size_t bytes) {
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
Stream adopt_stream(void* handle) { return on(handle, handle ? static_cast<simt::NativeStream*>(handle)->device : 0); }
void close_stream(const Stream&, bool) noexcept {}

OnDevice::OnDevice(const Stream&) {}
OnDevice::~OnDevice() = default;

/// Fresh memory is NaN.
void* allocate(const Stream& s, std::size_t bytes) {
  refuse_capture(s, "memory was asked for");
  void* const memory = std::malloc(bytes);
  if (!memory) throw failure(core::Status::OutOfMemory, "allocating device memory: there is no more");
  return std::memset(memory, 0xff, bytes);
}
void release(const Stream&, void* memory) noexcept { std::free(memory); }
void copy_in(const Stream& s, void* device, const void* host, std::size_t bytes) { copy(s, device, host, bytes); }
void copy_out(const Stream& s, void* host, const void* device, std::size_t bytes) { copy(s, host, device, bytes); }

bool capturing(const Stream& s) { return native(s) && native(s)->capturing; }
/// The real one also makes the capture useless.
void wait(const Stream& s) {
  refuse_capture(s, "a wait");
  if (native(s)) native(s)->copies = 0;
}
void wait_for_event(const Stream& s, void*) {
  if (native(s)) ++native(s)->events;
}
void* record_event(const Stream&) { return nullptr; }
std::string objection(const Stream& s, const void* address) {
  return native(s) && address == native(s)->unknown ? "an address that the device cannot use" : "";
}

}  // namespace trigon::cuda
