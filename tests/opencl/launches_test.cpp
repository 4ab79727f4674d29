// Small calls are at most two launches: counted where they enter the driver.
#include "opencl/on_device.hpp"

#include <trigon/inspect.hpp>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>

namespace {
std::atomic<int> launches{0};
}

// In place of the loader's, which it calls: the plug-in finds this one first.
extern "C" __attribute__((visibility("default"))) cl_int clEnqueueNDRangeKernel(
    cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset, const size_t* items,
    const size_t* group, cl_uint waits, const cl_event* list, cl_event* event) {
  static const auto real =
      reinterpret_cast<decltype(&clEnqueueNDRangeKernel)>(dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel"));
  ++launches;
  return real(queue, kernel, dimensions, offset, items, group, waits, list, event);
}

namespace trigon::test {
namespace {

/// A queue and operands for orders up to 200.
struct Launches : testing::Test {
  const Queue queue{"opencl"};
  const DeviceMemory a{queue, 200 * 200 * 16}, b{queue, 200 * 200 * 16}, c{queue, 200 * 200 * 16};

  int of(Call call, Solve solve = Solve::Exact) const {
    call.a = a.handle(), call.b = b.handle(), call.c = c.handle();
    Submission on(queue);
    on.solve = solve;
    launches = 0;
    execute(call, {}, on);
    return launches;
  }
};

TEST_F(Launches, AreAtMostTwoForSmallCalls) {
  for (const Operation op : all_operations())
    for (const Precision p : {Precision::Single, Precision::ComplexDouble})
      for (Call call : variants(op, p))
        for (const index n : {1, 128}) {
          if (call.layout == Layout::RowMajor) continue;
          set_sizes(call, n, n, n);
          call.lda = call.ldb = call.ldc = n;
          call.incx = 1;
          const int count = of(call);
          ASSERT_GE(count, 1) << routine(call) << n;
          ASSERT_LE(count, 2) << routine(call) << n;
        }
  queue.finish();
}

TEST_F(Launches, InvertingIsOneMore) {
  EXPECT_EQ(of(parse_call("dtrsm m=128 n=128"), Solve::Inverted), 3);
  EXPECT_EQ(of(parse_call("dtrsm m=128 n=128"), Solve::Exact), 2);
}

TEST_F(Launches, VectorsTakeOneOrTwo) {
  EXPECT_LE(of(parse_call("dtrmv n=200")), 2);
  EXPECT_EQ(of(parse_call("dtrsv n=200")), 1);
}

}  // namespace
}  // namespace trigon::test
