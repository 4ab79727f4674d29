// Lines more than 2^31 reals apart, in device memory: whatever kernels count in 31 bits goes astray. (Operands of host
// calls are copied to the device densely.)
#include "support/harness.hpp"
#include "support/variants.hpp"

#include <trigon/device.hpp>

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace trigon::test {
namespace {

/// One operand of a call, its lines so far apart. Of all this memory only what is touched exists.
template <class T>
class Far {
 public:
  static constexpr index apart = ((index{1} << 31) + 128) / (is_complex<T> ? 2 : 1);
  static constexpr index lines = 100;

  Far() : place_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Far() {
    if (exists()) munmap(place_, bytes);
  }
  Far(const Far&) = delete;
  Far& operator=(const Far&) = delete;

  bool exists() const { return place_ != MAP_FAILED; }
  T* line(index l) { return static_cast<T*>(place_) + l * apart; }

 private:
  static constexpr std::size_t bytes = static_cast<std::size_t>(lines * apart) * sizeof(T);
  void* place_;
};

template <class T>
class Strides : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Strides, Types);

/// Small whole numbers: every result is exact, so that it is that of the same call on dense operands.
TYPED_TEST(Strides, BeyondThirtyOneBits) {
  using T = TypeParam;
  const Queue queue("cuda_shim");
  Far<T> a, b, c;
  if (!a.exists() || !b.exists() || !c.exists()) GTEST_SKIP() << "there are no such addresses";
  constexpr index n = Far<T>::lines;
  std::vector<T> near_a(n * n), near_b(n * n), near_c(n * n);

  std::mt19937 random(3);
  const auto fill = [&](std::vector<T>& near, Far<T>& far, bool triangle, bool vector) {
    for (T& value : near) value = static_cast<real_t<T>>(static_cast<int>(random() % 3) - 1);
    // Few entries beside ones on the diagonal: solutions remain small numbers.
    for (index i = 0; i < n * n && triangle; ++i)
      if (i % (n + 1) == 0 || random() % 64 != 0) near[static_cast<std::size_t>(i)] = i % (n + 1) == 0;
    for (index l = 0; l < n; ++l)
      std::memcpy(far.line(l), near.data() + (vector ? l : l * n),
                  static_cast<std::size_t>(vector ? 1 : n) * sizeof(T));
  };
  for (const Operation op : all_operations()) {
    const auto all = variants(op, precision_of<T>);
    for (std::size_t v = 0; v < all.size(); v += 1 + all.size() / 9) {
      Call call = all[v];
      const bool vector = is_vector(op), in_b = is_triangular(op);
      call.m = call.n = call.k = call.lda = call.ldb = call.ldc = n;
      call.alpha = 1, call.beta = 1, call.incx = 1;
      fill(near_a, a, in_b, false), fill(near_b, b, false, vector), fill(near_c, c, false, false);
      call.a = near_a.data(), call.b = near_b.data(), call.c = near_c.data();
      execute(call, {}, queue);
      call.a = a.line(0), call.b = b.line(0), call.c = c.line(0);
      call.lda = call.ldb = call.ldc = call.incx = Far<T>::apart;
      execute(call, {}, queue);
      queue.finish();
      const std::vector<T>& expected = in_b ? near_b : near_c;
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
