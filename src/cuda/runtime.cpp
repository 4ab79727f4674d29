#include "cuda/runtime.hpp"

#include "cuda/check.hpp"
#include "cuda/kernels.hpp"

namespace trigon::cuda {
namespace {

#if defined(TRIGON_HIP)
std::string why_none(hipError_t error) {
  if (error == hipErrorNoDevice) return "there is no AMD device, or no driver for it (/dev/kfd)";
  return hipGetErrorString(error);
}
constexpr auto multiprocessor_count = hipDeviceAttributeMultiprocessorCount;
using DeviceProperties = hipDeviceProp_t;
using PointerAttributes = hipPointerAttribute_t;
std::string architecture(const DeviceProperties& p) { return p.gcnArchName; }
bool too_old(const DeviceProperties&) { return false; }   // found out by a kernel
bool on_host(const PointerAttributes&) { return false; }  // what is not registered is an error
bool has_pools(int) { return true; }
bool on_device(const PointerAttributes& a) { return a.memoryType == hipMemoryTypeDevice && !a.isManaged; }
constexpr auto no_code = hipErrorNoBinaryForGpu;
/// HIP 5.2 does not tell: a caller's stream is on the current device.
int device_of(NativeStream) {
  int device = 0;
  check(hipGetDevice(&device), "asking for the device");
  return device;
}
#else
std::string why_none(cudaError_t error) {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0) return "there is no NVIDIA driver (libcuda.so.1)";
  return cudaGetErrorString(error);
}
constexpr auto multiprocessor_count = cudaDevAttrMultiProcessorCount;
using DeviceProperties = cudaDeviceProp;
using PointerAttributes = cudaPointerAttributes;
std::string architecture(const DeviceProperties& p) {
  return "sm_" + std::to_string(p.major) + std::to_string(p.minor);
}
bool too_old(const DeviceProperties& p) { return 10 * p.major + p.minor < least_architecture(); }
bool on_host(const PointerAttributes& a) { return a.type == cudaMemoryTypeUnregistered; }
/// All memory is allocated in the order of a stream.
bool has_pools(int device) {
  int supported = 0;
  check(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device), "asking a device");
  return supported != 0;
}
bool on_device(const PointerAttributes& a) { return a.type == cudaMemoryTypeDevice; }  // managed memory is another type
constexpr auto no_code = cudaErrorNoKernelImageForDevice;
int device_of(NativeStream stream) {
  int device = 0;
  check(stream ? cudaStreamGetDevice(stream, &device) : cudaGetDevice(&device), "asking a stream for its device");
  return device;
}
#endif

DeviceProperties properties(int device) {
  DeviceProperties p;
  check(TRIGON_VENDOR(GetDeviceProperties)(&p, device), "asking a device");
  return p;
}

std::string built_for_others(const DeviceProperties& p) {
  return "built for " TRIGON_CUDA_BUILT_FOR ", this is " + architecture(p);
}

NativeStream native(const Stream& s) { return static_cast<NativeStream>(s.handle); }

/// Whether the device has the kernels for FP64 tensor units. Another error is no answer.
bool has_tensor_code() {
  const auto error = static_cast<NativeError>(tensor_probe());
  if (error == no_code || error == TRIGON_VENDOR(ErrorInvalidDeviceFunction)) {
    (void)TRIGON_VENDOR(GetLastError)();
    return false;
  }
  check(error, "asking for a kernel");
  return true;
}

Stream on(NativeStream handle, int device) {
  if (const std::string why = why_not(device); !why.empty()) throw failure(core::Status::Unavailable, why);
  Stream s{handle, device, 1};
  check(TRIGON_VENDOR(DeviceGetAttribute)(&s.multiprocessors, multiprocessor_count, device), "asking a device");
  const OnDevice scope(s);
  s.tensor_units = has_tensor_code();
  return s;
}

}  // namespace

#if defined(TRIGON_HIP)
int tensor_probe() { return hipErrorNoBinaryForGpu; }
#endif

std::string lacks(int device) {
  try {
    const DeviceProperties p = properties(device);
    if (too_old(p)) return built_for_others(p);
    return has_pools(device) ? "" : "its driver has no memory pools";
  } catch (const failure& f) {
    return f.what();
  }
}

std::string why_not(int device) {
  try {
    if (std::string why = lacks(device); !why.empty()) return why;
    const OnDevice scope(Stream{nullptr, device, 1});
    const auto error = static_cast<NativeError>(probe());
    if (error == no_code || error == TRIGON_VENDOR(ErrorInvalidDeviceFunction)) {
      (void)TRIGON_VENDOR(GetLastError)();
      return built_for_others(properties(device));
    }
    check(error, "asking for a kernel");
    return {};
  } catch (const failure& f) {
    return f.what();
  }
}

std::vector<std::string> devices() {
  int count = 0;
  if (const NativeError error = TRIGON_VENDOR(GetDeviceCount)(&count); error != TRIGON_VENDOR(Success)) {
    (void)TRIGON_VENDOR(GetLastError)();
    throw failure(core::Status::Unavailable, why_none(error));
  }
  if (count == 0) throw failure(core::Status::Unavailable, "the driver sees no device");
  std::vector<std::string> list;
  for (int device = 0; device < count; ++device) {
    const DeviceProperties p = properties(device);
    list.push_back(std::string(p.name) + ", " + std::to_string(p.multiProcessorCount) + " multiprocessors, " +
                   std::to_string(p.totalGlobalMem >> 20) + " MiB, " + architecture(p));
  }
  return list;
}

Stream open_stream(int device) {
  Stream s = on(nullptr, device);
  const OnDevice scope(s);
  NativeStream handle = nullptr;
  check(TRIGON_VENDOR(StreamCreateWithFlags)(&handle, TRIGON_VENDOR(StreamNonBlocking)), "making a stream");
  s.handle = handle;
  return s;
}

Stream adopt_stream(void* handle) {
  const auto stream = static_cast<NativeStream>(handle);
  return on(stream, device_of(stream));
}

void close_stream(const Stream& s, bool adopted) noexcept {
  if (!adopted) (void)TRIGON_VENDOR(StreamDestroy)(native(s));  // what was submitted is still carried out
}

OnDevice::OnDevice(const Stream& s) {
  int now = 0;
  check(TRIGON_VENDOR(GetDevice)(&now), "asking for the device");
  if (now == s.device) return;
  const NativeError error = TRIGON_VENDOR(SetDevice)(s.device);
  if (error != TRIGON_VENDOR(Success)) {  // it may be the current one all the same: CUDA chooses, then begins to use it
    (void)TRIGON_VENDOR(SetDevice)(now);
    (void)TRIGON_VENDOR(GetLastError)();
  }
  check(error, "choosing a device");
  before_ = now;
}
OnDevice::~OnDevice() {
  // Where another process has that device for itself it is refused: that error is not the program's next one.
  if (before_ >= 0 && TRIGON_VENDOR(SetDevice)(before_) != TRIGON_VENDOR(Success)) (void)TRIGON_VENDOR(GetLastError)();
}

void* allocate(const Stream& s, std::size_t bytes) {
  void* memory = nullptr;
  check(TRIGON_VENDOR(MallocAsync)(&memory, bytes, native(s)), "allocating device memory");
  return memory;
}
void release(const Stream& s, void* memory) noexcept {
  // A stream that is captured refuses: that error is not the program's next one.
  if (TRIGON_VENDOR(FreeAsync)(memory, native(s)) != TRIGON_VENDOR(Success)) (void)TRIGON_VENDOR(GetLastError)();
}

void copy_in(const Stream& s, void* device, const void* host, std::size_t bytes) {
  check(TRIGON_VENDOR(MemcpyAsync)(device, host, bytes, TRIGON_VENDOR(MemcpyHostToDevice), native(s)),
        "copying to the device");
}
void copy_out(const Stream& s, void* host, const void* device, std::size_t bytes) {
  check(TRIGON_VENDOR(MemcpyAsync)(host, device, bytes, TRIGON_VENDOR(MemcpyDeviceToHost), native(s)),
        "copying from the device");
}

bool capturing(const Stream& s) {
  TRIGON_VENDOR(StreamCaptureStatus) status = TRIGON_VENDOR(StreamCaptureStatusNone);
  check(TRIGON_VENDOR(StreamIsCapturing)(native(s), &status), "asking a stream");
  return status != TRIGON_VENDOR(StreamCaptureStatusNone);
}

void wait(const Stream& s) { check(TRIGON_VENDOR(StreamSynchronize)(native(s)), "on the device"); }

void wait_for_event(const Stream& s, void* event) {
  check(TRIGON_VENDOR(StreamWaitEvent)(native(s), static_cast<NativeEvent>(event), 0), "waiting for an event");
}

void* record_event(const Stream& s) {
  NativeEvent event = nullptr;
  check(TRIGON_VENDOR(EventCreateWithFlags)(&event, TRIGON_VENDOR(EventDisableTiming)), "making an event");
  if (const NativeError error = TRIGON_VENDOR(EventRecord)(event, native(s)); error != TRIGON_VENDOR(Success)) {
    (void)TRIGON_VENDOR(EventDestroy)(event);
    check(error, "recording an event");
  }
  return event;
}

std::string objection(const Stream& s, const void* address) {
  PointerAttributes a;
  const NativeError error = TRIGON_VENDOR(PointerGetAttributes)(&a, address);
  if (error == TRIGON_VENDOR(ErrorInvalidValue)) {
    (void)TRIGON_VENDOR(GetLastError)();
    return "the driver does not know the address";
  }
  check(error, "asking for an address");  // of an earlier call, most likely
  if (on_host(a)) return "an ordinary address of the host";
  if (on_device(a) && a.device != s.device)
    return "memory of device " + std::to_string(a.device) + ", the queue is on " + std::to_string(s.device);
  return {};
}

}  // namespace trigon::cuda
