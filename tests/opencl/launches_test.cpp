// How many launches calls are, counted where they enter the driver, and that work shared out in them is done once.
#include "opencl/launched.hpp"
#include "opencl/on_device.hpp"

#include <trigon/inspect.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace trigon::test {
namespace {

/// A queue and operands for orders up to 200.
struct Launches : testing::Test {
  const Queue queue{"opencl"};
  const DeviceMemory a{queue, 200 * 200 * 16}, b{queue, 200 * 200 * 16}, c{queue, 200 * 200 * 16};

  /// No process ends while PoCL compiles what it was asked to launch: it would crash.
  void TearDown() override { queue.finish(); }

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
}

TEST_F(Launches, InvertingTakesThree) { EXPECT_EQ(of(parse_call("dtrsm m=128 n=128"), Solve::Inverted), 3); }

/// Packing and computing are one launch on PoCL, and two where the tuning table of the test says so.
TEST_F(Launches, PackAndComputeAtOnce) {
  const int expected = std::getenv("TRIGON_TUNING") ? 2 : 1;
  for (const char* text : {"dtrsm m=128 n=40", "ctrsm m=128 n=128", "sgemm m=128 n=128 k=128", "ztrmm m=128 n=100"})
    EXPECT_EQ(of(parse_call(text)), expected) << text;
}

/// Where there are many right-hand sides for two threads, each work-item packs a triangle of its own. Of complex
/// numbers that is so in place alone.
TEST_F(Launches, OfManyRightHandSidesPackNothingFirst) {
  for (const char* text : {"dtrsm m=128 n=200", "strmm side=R m=200 n=128", "dtrmm m=100 n=200", "ctrmm m=100 n=200"})
    EXPECT_EQ(of(parse_call(text)), 1) << text;
}

/// Factors that have contiguous lines or steps are read where they lie, but for what is left of panels: unless these
/// are in few sets of the caches.
TEST_F(Launches, DoNotPackWhatIsReadWhereItLies) {
  const int packing = std::getenv("TRIGON_TUNING") ? 2 : 1;
  for (const char* text : {"sgemm m=192 n=50 k=70", "dgemm m=192 n=170 k=64 beta=1", "sgemm m=192 n=9 k=100 transb=T",
                           "dsyrk n=192 k=70 trans=N", "sgemm layout=R m=200 n=192 k=40"})
    EXPECT_EQ(of(parse_call(text)), 1) << text;
  for (const char* text : {"sgemm m=192 n=200 k=70 transa=T", "sgemm m=193 n=200 k=64", "cgemm m=192 n=200 k=64",
                           "dgemm m=192 n=200 k=64 lda=256", "dsyrk n=192 k=70 trans=T", "sgemm m=200 n=192 k=40"})
    EXPECT_EQ(of(parse_call(text)), packing) << text;
}

/// Launch after launch on one queue, none waited for: what is packed is read when it is there, and nothing is done
/// twice.
TEST_F(Launches, OneAfterTheOtherDoTheirWorkOnce) {
  constexpr index n = 96;
  const auto memory = [](const DeviceMemory& m) { return static_cast<cl_mem>(m.handle()); };
  const auto commands = static_cast<cl_command_queue>(queue.native());
  std::vector<double> x(n * (n + 1)), result(n * n, 0), expected(n, 0);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * i % 31);
  const auto write = [&](const DeviceMemory& m, const std::vector<double>& from) {
    must(clEnqueueWriteBuffer(commands, memory(m), CL_TRUE, 0, from.size() * sizeof(double), from.data(), 0, nullptr,
                              nullptr),
         "write");
  };
  write(a, x), write(b, std::vector<double>(n * n, 1)), write(c, result);
  // Every call's A and depth are others, so that what an earlier one has left in the workspace would be wrong. C is
  // their sum, of integers, and all of its columns are the same.
  for (index call = 0; call < 4000; ++call) {
    const index k = 8 + call % 89, at = call % 61;
    for (index i = 0; i < n; ++i)
      for (index l = 0; l < k; ++l)
        expected[static_cast<std::size_t>(i)] += x[static_cast<std::size_t>(at + i + l * n)];
    gemm<double>(Layout::ColMajor, Op::NoTrans, Op::NoTrans, n, n, k, 1.0, {a.handle(), at}, n, {b.handle(), 0}, n, 1.0,
                 {c.handle(), 0}, n, queue);
  }
  queue.finish();
  must(clEnqueueReadBuffer(commands, memory(c), CL_TRUE, 0, result.size() * sizeof(double), result.data(), 0, nullptr,
                           nullptr),
       "read");
  for (index j = 0; j < n; ++j)
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), result.begin() + j * n)) << "column " << j;
}

TEST_F(Launches, VectorsTakeOneOrTwo) {
  EXPECT_LE(of(parse_call("dtrmv n=200")), 2);
  EXPECT_EQ(of(parse_call("dtrsv n=200")), 1);
}

}  // namespace
}  // namespace trigon::test
