#include "device.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>

namespace trigon::gpu {
namespace {

std::chrono::steady_clock::time_point started;

}  // namespace

std::string backend() { return "cuda_shim"; }
std::string device_name() { return "CPU shim"; }
void* stream() { return nullptr; }

void* allocate(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void release(void* memory) { std::free(memory); }
void upload(void* device, const void* host, std::size_t bytes) { std::memcpy(device, host, bytes); }
void download(void* host, const void* device, std::size_t bytes) { std::memcpy(host, device, bytes); }
void copy(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void wait() {}

std::function<void()> captured(const std::function<void()>& work) { return work; }
bool has_memory_of_its_own() { return false; }

void start_clock() { started = std::chrono::steady_clock::now(); }
double stop_clock() { return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count(); }

}  // namespace trigon::gpu
