// Operands whose lines are more than 2^31 reals apart, for backends whose operands lie in device memory: whatever
// kernels count in 31 bits goes astray. (Operands of host calls are copied to a device densely.)
#pragma once

#include "support/variants.hpp"

#include <trigon/device.hpp>

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace trigon::test {

/// One operand of a call, its lines so far apart. Of all this memory only what is touched exists.
template <class T>
class FarLines {
 public:
  static constexpr index apart = ((index{1} << 31) + 128) / (is_complex<T> ? 2 : 1);
  static constexpr index lines = 100;
  static constexpr std::size_t bytes = static_cast<std::size_t>(lines * apart) * sizeof(T);

  FarLines()
      : place_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~FarLines() {
    if (exists()) munmap(place_, bytes);
  }
  FarLines(const FarLines&) = delete;
  FarLines& operator=(const FarLines&) = delete;

  bool exists() const { return place_ != MAP_FAILED; }
  void* handle() const { return place_; }
  T* line(index l) { return static_cast<T*>(place_) + l * apart; }

 private:
  void* place_;
};

/// Calls of every operation with operands in `a`, `b`, `c`, each FarLines or something like it, held against the same
/// calls on dense operands. Small whole numbers: every result is exact.
template <class T, class Far>
void expect_right_on(const Queue& queue, Far& a, Far& b, Far& c) {
  constexpr index n = Far::lines, elements = n * n;
  DeviceMemory near_a(queue, elements * sizeof(T)), near_b(queue, elements * sizeof(T)),
      near_c(queue, elements * sizeof(T));
  std::mt19937 random(3);
  const auto fill = [&](DeviceMemory& near, Far& far, bool triangle, bool vector) {
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
      Call call = all[v];
      const bool vector = is_vector(op), in_b = is_triangular(op);
      call.m = call.n = call.k = call.lda = call.ldb = call.ldc = n;
      call.alpha = 1, call.beta = 1, call.incx = 1;
      fill(near_a, a, in_b, false), fill(near_b, b, false, vector), fill(near_c, c, false, false);
      call.a = near_a.handle(), call.b = near_b.handle(), call.c = near_c.handle();
      execute(call, {}, queue);
      call.a = a.handle(), call.b = b.handle(), call.c = c.handle();
      call.lda = call.ldb = call.ldc = call.incx = Far::apart;
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

}  // namespace trigon::test
