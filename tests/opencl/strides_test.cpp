// Lines more than 2^31 reals apart, in device memory: whatever kernels count in 31 bits goes astray.
#include "opencl/on_device.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <map>
#include <random>

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

/// One operand of a call, its lines so far apart. Of all this memory only what is touched exists.
template <class T>
class Far {
 public:
  static constexpr index apart = ((index{1} << 31) + 128) / (is_complex<T> ? 2 : 1);
  static constexpr index lines = 100;

  explicit Far(cl_context context) : bytes_(static_cast<std::size_t>(lines * apart) * sizeof(T)) {
    place_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place_ == MAP_FAILED) return;
    cl_int error = CL_SUCCESS;
    memory_ = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 4096, place_, &error);
    must(error, "buffer");
    claims[memory_] = bytes_;
  }
  ~Far() {
    if (!memory_) return;
    claims.erase(memory_);
    clReleaseMemObject(memory_);
    munmap(place_, bytes_);
  }
  Far(const Far&) = delete;
  Far& operator=(const Far&) = delete;

  bool exists() const { return memory_ != nullptr; }
  cl_mem memory() const { return memory_; }
  T* line(index l) { return static_cast<T*>(place_) + l * apart; }

 private:
  std::size_t bytes_;
  void* place_;
  cl_mem memory_ = nullptr;
};

template <class T>
class Strides : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Strides, Types);

/// Small whole numbers: every result is exact, so that it is that of the same call on dense operands.
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
  constexpr index n = Far<T>::lines, elements = n * n;
  DeviceMemory near_a(queue, elements * sizeof(T)), near_b(queue, elements * sizeof(T)),
      near_c(queue, elements * sizeof(T));

  std::mt19937 random(3);
  const auto fill = [&](DeviceMemory& near, Far<T>& far, bool triangle, bool vector) {
    std::vector<T> x(elements);
    for (T& value : x) value = static_cast<real_t<T>>(static_cast<int>(random() % 3) - 1);
    // Few entries beside ones on the diagonal: solutions remain small numbers.
    for (index i = 0; i < elements && triangle; ++i)
      if (i % (n + 1) == 0 || random() % 64 != 0) x[static_cast<std::size_t>(i)] = i % (n + 1) == 0;
    near.write(x.data(), x.size() * sizeof(T));
    for (index l = 0; l < n; ++l)
      std::memcpy(far.line(l), x.data() + (vector ? l : l * n), static_cast<std::size_t>(vector ? 1 : n) * sizeof(T));
  };
  for (const Operation op : all_operations()) {
    const auto all = variants(op, precision_of<T>);
    for (std::size_t v = 0; v < all.size(); v += 1 + all.size() / 9) {
      Call call = sized(all[v], n, n, n);
      const bool vector = is_vector(op), in_b = is_triangular(op);
      call.alpha = 1, call.beta = 1, call.incx = 1;
      fill(near_a, a, in_b, false), fill(near_b, b, false, vector), fill(near_c, c, false, false);
      call.a = near_a.handle(), call.b = near_b.handle(), call.c = near_c.handle();
      execute(call, {}, queue);
      call.a = a.memory(), call.b = b.memory(), call.c = c.memory();
      call.lda = call.ldb = call.ldc = call.incx = Far<T>::apart;
      execute(call, {}, queue);
      queue.finish();
      std::vector<T> expected(elements);
      (in_b ? near_b : near_c).read(expected.data(), elements * sizeof(T));
      const index length = vector ? 1 : n;
      for (index l = 0; l < n; ++l)
        ASSERT_TRUE(
            std::equal(expected.begin() + l * length, expected.begin() + (l + 1) * length, (in_b ? b : c).line(l)))
            << to_text(call) << ", line " << l;
    }
  }
}

}  // namespace
}  // namespace trigon::test
