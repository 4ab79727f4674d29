// The runtime of the CPU shim: one device, whose memory is the host's, and streams that are done at once.
#include "cuda/runtime.hpp"

#include "cuda/shim/stream.hpp"

#include <cstdlib>
#include <cstring>

namespace trigon::cuda {

namespace {

/// Null where a test made none.
simt::NativeStream* native(const Stream& s) { return static_cast<simt::NativeStream*>(s.handle); }

void copy(const Stream& s, void* to, const void* from, std::size_t bytes) {
  if (native(s)) ++native(s)->copies;
  std::memcpy(to, from, bytes);
}

}  // namespace

std::vector<std::string> devices() { return {"CPU shim: device code executed by fibres, for tests"}; }

Stream open_stream(int device) {
  if (device != 0) throw failure(core::Status::Unavailable, "the shim has one device");
  return {nullptr, 0, 2};
}
Stream adopt_stream(void* handle) { return {handle, 0, 2}; }
void close_stream(const Stream&, bool) noexcept {}

OnDevice::OnDevice(const Stream&) {}
OnDevice::~OnDevice() = default;

/// Fresh memory is NaN.
void* allocate(const Stream& s, std::size_t bytes) {
  if (capturing(s)) throw failure(core::Status::DeviceError, "memory was asked for while a graph is captured");
  void* const memory = std::malloc(bytes);
  if (!memory) throw failure(core::Status::OutOfMemory, "allocating device memory: there is no more");
  return std::memset(memory, 0xff, bytes);
}
void release(const Stream&, void* memory) noexcept { std::free(memory); }
void copy_in(const Stream& s, void* device, const void* host, std::size_t bytes) { copy(s, device, host, bytes); }
void copy_out(const Stream& s, void* host, const void* device, std::size_t bytes) { copy(s, host, device, bytes); }

bool capturing(const Stream& s) { return native(s) && native(s)->capturing; }
void wait(const Stream& s) {
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
