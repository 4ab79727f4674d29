#include "cuda/runtime.hpp"

#include "cuda/check.hpp"

namespace trigon::cuda {
namespace {

cudaStream_t native(const Stream& s) { return static_cast<cudaStream_t>(s.handle); }

Stream on(cudaStream_t handle, int device) {
  Stream s{handle, device, 1};
  check(cudaDeviceGetAttribute(&s.multiprocessors, cudaDevAttrMultiProcessorCount, device), "asking a device");
  return s;
}

}  // namespace

std::vector<std::string> devices() {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    (void)cudaGetLastError();
    int driver = 0;
    if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
      throw failure(core::Status::Unavailable, "there is no NVIDIA driver (libcuda.so.1)");
    throw failure(core::Status::Unavailable, cudaGetErrorString(error));
  }
  if (count == 0) throw failure(core::Status::Unavailable, "the driver sees no device");
  std::vector<std::string> list;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp p;
    check(cudaGetDeviceProperties(&p, device), "asking a device");
    list.push_back(std::string(p.name) + ", " + std::to_string(p.multiProcessorCount) + " multiprocessors, " +
                   std::to_string(p.totalGlobalMem >> 20) + " MiB, sm_" + std::to_string(p.major) +
                   std::to_string(p.minor));
  }
  return list;
}

Stream open_stream(int device) {
  const OnDevice scope(Stream{nullptr, device, 1});
  cudaStream_t handle = nullptr;
  check(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking), "making a stream");
  return on(handle, device);
}

Stream adopt_stream(void* handle) {
  const auto stream = static_cast<cudaStream_t>(handle);
  int device = 0;
  check(handle ? cudaStreamGetDevice(stream, &device) : cudaGetDevice(&device), "asking a stream for its device");
  return on(stream, device);
}

void close_stream(const Stream& s, bool adopted) noexcept {
  if (!adopted) (void)cudaStreamDestroy(native(s));  // what was submitted is still carried out
}

OnDevice::OnDevice(const Stream& s) {
  int now = 0;
  check(cudaGetDevice(&now), "asking for the device");
  if (now == s.device) return;
  check(cudaSetDevice(s.device), "choosing a device");
  before_ = now;
}
OnDevice::~OnDevice() {
  if (before_ >= 0) (void)cudaSetDevice(before_);
}

void* allocate(const Stream& s, std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, bytes, native(s)), "allocating device memory");
  return memory;
}
void release(const Stream& s, void* memory) noexcept { (void)cudaFreeAsync(memory, native(s)); }

void copy_in(const Stream& s, void* device, const void* host, std::size_t bytes) {
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, native(s)), "copying to the device");
}
void copy_out(const Stream& s, void* host, const void* device, std::size_t bytes) {
  check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, native(s)), "copying from the device");
}

bool capturing(const Stream& s) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(native(s), &status), "asking a stream");
  return status != cudaStreamCaptureStatusNone;
}

void wait(const Stream& s) { check(cudaStreamSynchronize(native(s)), "on the device"); }

void wait_for_event(const Stream& s, void* event) {
  check(cudaStreamWaitEvent(native(s), static_cast<cudaEvent_t>(event), 0), "waiting for an event");
}

void* record_event(const Stream& s) {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "making an event");
  if (const cudaError_t error = cudaEventRecord(event, native(s)); error != cudaSuccess) {
    (void)cudaEventDestroy(event);
    check(error, "recording an event");
  }
  return event;
}

const char* objection(const void* address) {
  cudaPointerAttributes a;
  if (cudaPointerGetAttributes(&a, address) != cudaSuccess) {
    (void)cudaGetLastError();
    return "the driver does not know the address";
  }
  return a.type == cudaMemoryTypeUnregistered ? "is an ordinary address of the host" : nullptr;
}

}  // namespace trigon::cuda
