// Lines more than 2^31 reals apart, in device memory.
#include "opencl/on_device.hpp"
#include "support/far.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <map>

namespace {
std::map<cl_mem, std::size_t> claims;
}

// In front of the loader's. Drivers make no buffer of as many bytes as these lines take; the memory is there.
extern "C" __attribute__((visibility("default"))) cl_int clGetMemObjectInfo(cl_mem memory, cl_mem_info what,
                                                                            size_t bytes, void* value, size_t* length) {
  static const auto real = reinterpret_cast<decltype(&clGetMemObjectInfo)>(dlsym(RTLD_NEXT, "clGetMemObjectInfo"));
  const auto claim = claims.find(memory);
  if (what != CL_MEM_SIZE || claim == claims.end()) return real(memory, what, bytes, value, length);
  std::memcpy(value, &claim->second, sizeof claim->second);
  return CL_SUCCESS;
}

namespace trigon::test {
namespace {

/// A buffer over such lines.
template <class T>
class Far : public FarLines<T> {
 public:
  explicit Far(cl_context context) {
    if (!this->exists()) return;
    cl_int error = CL_SUCCESS;
    memory_ = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 4096, FarLines<T>::handle(), &error);
    must(error, "buffer");
    claims[memory_] = this->bytes;
  }
  ~Far() {
    if (!memory_) return;
    claims.erase(memory_);
    clReleaseMemObject(memory_);
  }

  cl_mem handle() const { return memory_; }

 private:
  cl_mem memory_ = nullptr;
};

template <class T>
class Strides : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Strides, Types);

TYPED_TEST(Strides, BeyondThirtyOneBits) {
  using T = TypeParam;
  const Queue queue("opencl");
  const auto native = static_cast<cl_command_queue>(queue.native());
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_device_type type = 0;
  must(clGetCommandQueueInfo(native, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr), "context");
  must(clGetCommandQueueInfo(native, CL_QUEUE_DEVICE, sizeof device, &device, nullptr), "device");
  must(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr), "type");
  if (!(type & CL_DEVICE_TYPE_CPU)) GTEST_SKIP() << "a buffer is no more than the device has";
  Far<T> a(context), b(context), c(context);
  if (!a.exists() || !b.exists() || !c.exists()) GTEST_SKIP() << "there are no such addresses";
  expect_right_on<T>(queue, a, b, c);
}

}  // namespace
}  // namespace trigon::test
