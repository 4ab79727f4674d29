#include "device.hpp"

#include <cuda_runtime_api.h>

#include <memory>
#include <stdexcept>

namespace trigon::gpu {
namespace {

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

cudaStream_t the_stream() {
  static const cudaStream_t s = [] {
    cudaStream_t made = nullptr;
    check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "making a stream");
    return made;
  }();
  return s;
}

struct Clock {
  cudaEvent_t start = nullptr, stop = nullptr;
  Clock() {
    check(cudaEventCreate(&start), "making an event");
    check(cudaEventCreate(&stop), "making an event");
  }
};
Clock& the_clock() {
  static Clock c;
  return c;
}

}  // namespace

std::string backend() { return "cuda"; }

std::string device_name() {
  cudaDeviceProp p;
  check(cudaGetDeviceProperties(&p, 0), "asking the device");
  return p.name;
}

void* stream() { return the_stream(); }

void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "allocating device memory");
  return memory;
}
void release(void* memory) { (void)cudaFree(memory); }
void upload(void* device, const void* host, std::size_t bytes) {
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, the_stream()), "copying to the device");
  wait();
}
void download(void* host, const void* device, std::size_t bytes) {
  check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, the_stream()), "copying from the device");
  wait();
}
void copy(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, the_stream()), "copying on the device");
}
void wait() { check(cudaStreamSynchronize(the_stream()), "on the device"); }

std::function<void()> captured(const std::function<void()>& work) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(the_stream(), cudaStreamCaptureModeThreadLocal), "beginning a graph");
  work();
  check(cudaStreamEndCapture(the_stream(), &graph), "ending a graph");
  cudaGraphExec_t made = nullptr;
  check(cudaGraphInstantiate(&made, graph, 0), "making a graph");
  check(cudaGraphDestroy(graph), "letting go of a graph");
  const std::shared_ptr<CUgraphExec_st> kept(made, [](cudaGraphExec_t g) { (void)cudaGraphExecDestroy(g); });
  return [kept] { check(cudaGraphLaunch(kept.get(), the_stream()), "starting a graph"); };
}
bool has_memory_of_its_own() { return true; }

void start_clock() { check(cudaEventRecord(the_clock().start, the_stream()), "recording an event"); }
double stop_clock() {
  check(cudaEventRecord(the_clock().stop, the_stream()), "recording an event");
  check(cudaEventSynchronize(the_clock().stop), "on the device");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, the_clock().start, the_clock().stop), "reading the clock");
  return milliseconds * 1e-3;
}

}  // namespace trigon::gpu
