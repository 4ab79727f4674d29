// Calls on device memory: right at any offset, asynchronous, in order, refused in words where they are wrong.
#include "opencl/again.hpp"
#include "opencl/launched.hpp"
#include "opencl/on_device.hpp"

#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <random>
#include <thread>

namespace trigon::test {
namespace {

/// A case of any variant, of sizes about the edges of tiles, chunks and leaves.
Case some_case(const Call& variant, std::mt19937_64& random, index most) {
  constexpr index sizes[] = {1, 2, 3, 5, 7, 8, 9, 12, 16, 17, 23, 24, 25, 31, 33, 47, 48, 49, 65, 97, 130, 191, 260};
  const auto size = [&] {
    index n = 0;
    do n = sizes[random() % std::size(sizes)];
    while (n > most);
    return n;
  };
  constexpr double scalars[] = {1, 1, -1, 0.75, 0};
  Case c{variant};
  set_sizes(c.call, size(), size(), size());
  const bool complex = is_complex_precision(variant.precision), herk = variant.operation == Operation::Herk;
  const auto scalar = [&](bool real) {
    const double re = scalars[random() % 5], im = scalars[random() % 5];
    return std::complex<double>(re, complex && !real ? im : 0);
  };
  c.call.alpha = scalar(herk), c.call.beta = scalar(herk || variant.operation == Operation::Her2k);
  constexpr index increments[] = {1, -1, 2, -3};
  c.call.incx = increments[random() % 4];
  c.operands.seed = random();
  c.operands.protect = false;
  c.operands.padding = static_cast<index>(random() % 4);
  c.operands.ill_conditioned = random() % 4 == 0;
  c.sample = {6, random()};
  c.check_flags = false;
  return c;
}

/// A queue without an order, on the first device.
struct Loose {
  Queue own{"opencl"};
  cl_context context = nullptr;
  cl_command_queue native = nullptr;

  Loose() {
    cl_device_id device = nullptr;
    const auto ordered = static_cast<cl_command_queue>(own.native());
    must(clGetCommandQueueInfo(ordered, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr), "context");
    must(clGetCommandQueueInfo(ordered, CL_QUEUE_DEVICE, sizeof device, &device, nullptr), "device");
    cl_int error = CL_SUCCESS;
    native = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    must(error, "queue");
  }
  ~Loose() { clReleaseCommandQueue(native); }
  Loose(const Loose&) = delete;
  Loose& operator=(const Loose&) = delete;
};

class OnDevice : public testing::TestWithParam<Operation> {};

TEST_P(OnDevice, MeetsItsBoundAtAnyOffset) {
  const Queue queue("opencl");
  std::mt19937_64 random(7 + static_cast<unsigned>(GetParam()));
  for (const Precision p : all_precisions)
    for (const Call& variant : variants(GetParam(), p)) {
      expect_right(queue, some_case(variant, random, 260), static_cast<unsigned>(random()));
      if (HasFailure()) return;
    }
}

// Small enough for an interpreter of kernels that looks for races.
TEST_P(OnDevice, MeetsItsBoundWhenTiny) {
  const Queue queue("opencl");
  std::mt19937_64 random(17 + static_cast<unsigned>(GetParam()));
  for (const Precision p : all_precisions) {
    const auto all = variants(GetParam(), p);
    if (!all.empty()) expect_right(queue, some_case(all[random() % all.size()], random, 24), 1);
  }
}

TEST_P(OnDevice, MeetsItsBoundOnAnOutOfOrderQueue) {
  const Loose loose;
  const Queue queue("opencl", loose.native);
  EXPECT_EQ(queue.native(), loose.native);
  std::mt19937_64 random(11);
  for (const Precision p : all_precisions) {
    const auto all = variants(GetParam(), p);
    if (!all.empty()) expect_right(queue, some_case(all[random() % all.size()], random, 130), 1);
  }
}

// Once a loop that never ended: one tile cannot be shared out, however deep its sums are.
TEST(Deep, SumsOfATile) {
  const Queue queue("opencl");
  for (const char* text : {"dgemm m=1 n=1 k=1100", "csyr2k n=3 k=700", "dgemm m=100 n=2 k=3000", "zherk n=5 k=2000"}) {
    Case c{parse_call(text)};
    c.operands.protect = false;
    c.check_flags = false;
    c.call.lda = c.call.ldb = c.call.ldc = 0;
    expect_right(queue, c, 2);
  }
}

// Factors that are read where they lie: whole panels and tiles and what is left of them, sums of several blocks, few
// rows and many, steps or lines contiguous.
TEST(Long, ProductsOfWhatLies) {
  const Queue queue("opencl");
  for (const char* routine : {"sgemm", "dgemm"})
    for (const char* sizes :
         {"m=192 n=16 k=1100", "m=301 n=9 k=530 lda=303", "m=100 n=130 k=700 lda=128 beta=1", "m=203 n=97 k=600",
          "layout=R m=130 n=211 k=520", "m=1025 n=100 k=1030", "m=50 n=203 k=1060 transb=T", "m=5 n=700 k=600",
          "m=210 n=205 k=530 transa=T", "m=1 n=2100 k=70", "layout=R m=103 n=60 k=530 transa=T transb=T"}) {
      Case c{parse_call(std::string(routine) + " " + sizes)};
      c.operands.protect = false;
      c.check_flags = false;
      if (c.call.lda < c.call.m) c.call.lda = 0;
      c.call.ldb = c.call.ldc = 0;
      expect_right(queue, c, 5);
      if (HasFailure()) return;
    }
}

// Of long triangles, what all work-items have had as many panels of leaves vectors over, which are shared by all.
TEST(Long, TrianglesShareWhatIsLeft) {
  const Queue queue("opencl");
  for (const char* routine : {"strsm", "dtrsm", "ctrsm", "ztrsm", "strmm", "dtrmm", "ctrmm", "ztrmm"})
    for (const char* sizes : {"m=392 n=8", "m=384 n=90", "m=401 n=203", "side=R m=203 n=401", "side=R m=90 n=384",
                              "side=R m=131 n=390 uplo=U transa=T"}) {
      Case c{parse_call(std::string(routine) + " " + sizes)};
      c.operands.protect = false;
      c.check_flags = false;
      c.call.lda = c.call.ldb = 0;
      expect_right(queue, c, 3);
      if (HasFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(All, OnDevice, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

/// A matrix of doubles on the device, all equal to `value`.
class Filled {
 public:
  Filled(const Queue& queue, std::size_t elements, double value)
      : queue_(static_cast<cl_command_queue>(queue.native())), values_(elements, value) {
    cl_context context = nullptr;
    must(clGetCommandQueueInfo(queue_, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr), "context");
    cl_int error = CL_SUCCESS;
    memory_ = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, elements * 8, values_.data(), &error);
    must(error, "buffer");
  }
  ~Filled() { clReleaseMemObject(memory_); }
  Filled(const Filled&) = delete;
  Filled& operator=(const Filled&) = delete;
  cl_mem get() const { return memory_; }
  void write(const double* values) {
    must(clEnqueueWriteBuffer(queue_, memory_, CL_TRUE, 0, values_.size() * 8, values, 0, nullptr, nullptr), "write");
  }
  std::vector<double> read() {
    must(clEnqueueReadBuffer(queue_, memory_, CL_TRUE, 0, values_.size() * 8, values_.data(), 0, nullptr, nullptr),
         "read");
    return values_;
  }

 private:
  cl_command_queue queue_;
  std::vector<double> values_;
  cl_mem memory_ = nullptr;
};

constexpr auto C = Layout::ColMajor;
constexpr auto N = Op::NoTrans;

// Whoever solves for it, and beside which others, if they are not so few that the triangle is cut up for them.
TEST(Long, ARightHandSideHasItsBitsInAnyShare) {
  const Queue queue("opencl");
  constexpr index n = 400, cols = 203, some_of_them = 90;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> some(-1, 1);
  std::vector<double> triangle(n * n), sides(n * cols);
  for (double& x : triangle) x = some(random);
  for (index i = 0; i < n; ++i) triangle[static_cast<std::size_t>(i * (n + 1))] += 30;
  for (double& x : sides) x = some(random);
  Filled a(queue, triangle.size(), 0), b(queue, sides.size(), 0), alone(queue, n * some_of_them, 0);
  a.write(triangle.data());
  for (const bool solves : {true, false}) {
    const auto run = [&](Filled& x, index count) {
      if (solves)
        trsm<double>(C, Side::Left, Uplo::Lower, N, Diag::NonUnit, n, count, 1.0, a.get(), n, x.get(), n, queue);
      else
        trmm<double>(C, Side::Left, Uplo::Lower, N, Diag::NonUnit, n, count, 1.0, a.get(), n, x.get(), n, queue);
      queue.finish();
      return x.read();
    };
    b.write(sides.data());
    const std::vector<double> all = run(b, cols);
    for (const index from : {index{0}, index{3}, index{46}, index{95}, cols - some_of_them}) {
      alone.write(sides.data() + from * n);
      const std::vector<double> these = run(alone, some_of_them);
      EXPECT_TRUE(std::equal(these.begin(), these.end(), all.begin() + from * n)) << solves << ", from " << from;
    }
  }
}

TEST(Queues, CallsReadLikeThoseOfTheCpu) {
  const Queue queue("opencl");
  Filled a(queue, 16, 2), b(queue, 8, 6), c(queue, 8, 1);
  trsm<double>(C, Side::Left, Uplo::Lower, N, Diag::NonUnit, 1, 2, 1.0, a.get(), 4, b.get(), 4, queue);
  gemm<double>(C, N, N, 1, 2, 1, 1.0, {a.get(), 3}, 4, b.get(), 4, -1.0, {c.get(), 4}, 1, queue);
  queue.finish();
  EXPECT_EQ(b.read(), (std::vector<double>{3, 6, 6, 6, 3, 6, 6, 6}));
  EXPECT_EQ(c.read(), (std::vector<double>{1, 1, 1, 1, 5, 5, 1, 1}));
}

TEST(Queues, CallsWaitForTheirListAndNobodyWaitsForThem) {
  const Queue queue("opencl");
  cl_context context = nullptr;
  must(clGetCommandQueueInfo(static_cast<cl_command_queue>(queue.native()), CL_QUEUE_CONTEXT, sizeof context, &context,
                             nullptr),
       "context");
  Filled a(queue, 64 * 64, 1), x(queue, 64, 2);
  cl_int error = CL_SUCCESS;
  const cl_event gate = clCreateUserEvent(context, &error);
  must(error, "event");
  void* list[] = {gate};
  void *done = nullptr, *nothing = nullptr;
  // These return although the gate is closed.
  trmv<double>(C, Uplo::Lower, N, Diag::NonUnit, 64, a.get(), 64, x.get(), 1, Submission(queue, list, &done));
  trmv<double>(C, Uplo::Lower, N, Diag::NonUnit, 0, a.get(), 64, x.get(), 1, Submission(queue, list, &nothing));
  ASSERT_NE(done, nullptr);
  ASSERT_NE(nothing, nullptr);
  const auto state = [](void* event) {
    cl_int status = 0;
    must(clGetEventInfo(static_cast<cl_event>(event), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                        nullptr),
         "status");
    return status;
  };
  EXPECT_NE(state(done), CL_COMPLETE);
  EXPECT_NE(state(nothing), CL_COMPLETE);
  must(clSetUserEventStatus(gate, CL_COMPLETE), "gate");
  const cl_event both[] = {static_cast<cl_event>(done), static_cast<cl_event>(nothing)};
  must(clWaitForEvents(2, both), "wait");
  EXPECT_EQ(x.read()[63], 128);
  for (const cl_event e : {gate, both[0], both[1]}) clReleaseEvent(e);
}

TEST(Queues, TakeTheirCallersWorkspace) {
  const Queue queue("opencl");
  Filled a(queue, 100 * 100, 1), b(queue, 100 * 100, 1);
  const Call call = parse_call("dtrmm side=R m=100 n=100");
  Call mine = call;
  mine.a = a.get(), mine.b = b.get();
  const std::size_t bytes = workspace_bytes(mine, queue);
  EXPECT_GT(bytes, 100 * 100 * 8u);
  Filled work(queue, bytes / 8 + 1, 0);
  Submission on(queue);
  on.workspace = work.get();
  on.workspace_bytes = bytes - 1;
  EXPECT_THROW(execute(mine, {}, on), backend_error);
  queue.finish();
  EXPECT_EQ(b.read()[0], 1) << "a refused call has written";
  on.workspace_bytes = bytes;
  execute(mine, {}, on);
  queue.finish();
  EXPECT_EQ(b.read()[0], 100);

  // A solve of several blocks needs as much for the last as for all; what is claimed has to be there, and usable.
  Call solve = parse_call("dtrsv n=600");
  Filled t(queue, 600 * 600, 1), x(queue, 600, 1);
  solve.a = t.get(), solve.b = x.get();
  const std::size_t needed = workspace_bytes(solve, queue);
  Filled small(queue, needed / 8 / 2, 0);
  on.workspace = small.get();
  for (const std::size_t claimed : {needed / 2, needed}) {
    on.workspace_bytes = claimed;
    EXPECT_THROW(execute(solve, {}, on), backend_error);
  }
  const Queue other("opencl");
  Filled foreign(other, needed / 8 + 1, 0);
  on.workspace = foreign.get();
  EXPECT_THROW(execute(solve, {}, on), backend_error);
  queue.finish();
  for (const double value : x.read()) ASSERT_EQ(value, 1) << "a refused call has written";
}

// Callers ask for their largest call and keep the memory.
TEST(Queues, TakeSmallerCallsInTheWorkspaceOfALargerOne) {
  const Queue queue("opencl");
  const DeviceMemory a(queue, 1000 * 1000 * 16), b(queue, 1000 * 1000 * 16), c(queue, 1000 * 1000 * 16);
  for (const Operation op : all_operations())
    for (const Precision p : all_precisions) {
      if (is_hermitian(op) && !is_complex_precision(p)) continue;
      const auto of = [&](index m, index n, index k) {
        Call call;
        call.operation = op, call.precision = p, call.diag = Diag::Unit;
        call = sized(call, m, n, k);
        call.a = a.handle(), call.b = b.handle(), call.c = c.handle();
        return call;
      };
      for (const auto& [m, n, k] : {std::array<index, 3>{500, 16, 100}, {2, 1000, 1000}, {37, 37, 100}}) {
        const std::size_t bytes = workspace_bytes(of(m, n, k), queue);
        const DeviceMemory work(queue, bytes);
        Submission on(queue);
        on.workspace = work.handle(), on.workspace_bytes = bytes;
        for (const auto& [rows, columns, steps] :
             {std::array{m, n, k}, {m / 2 + 1, n, k}, {m - 1, n, k}, {m, n / 2 + 1, k}, {m, n - 4, k}, {m, n, k / 3}})
          EXPECT_NO_THROW(execute(of(rows, columns, steps), {}, on)) << routine(of(rows, columns, steps)) << " " << m;
        queue.finish();
      }
    }
}

// Where they lie is not known when workspace is asked for.
TEST(Queues, TakeTwoOperandsInOneBuffer) {
  const Queue queue("opencl");
  constexpr index n = 512;
  const DeviceMemory ab(queue, 2 * n * n * 8), c(queue, n * n * 8);
  Call call = parse_call("dgemm m=512 n=512 k=512 transb=T");
  call.a = call.b = ab.handle(), call.c = c.handle();
  const std::size_t bytes = workspace_bytes(call, queue);
  const DeviceMemory work(queue, bytes);
  Submission on(queue);
  on.workspace = work.handle(), on.workspace_bytes = bytes;
  EXPECT_NO_THROW(execute(call, {0, n * n, 0}, on));
  EXPECT_NO_THROW(execute(call, {}, on));
  queue.finish();
}

TEST(Queues, WithoutAnOrderKeepThatOfTheCalls) {
  const Loose loose;
  const Queue queue("opencl", loose.native);
  Filled a(queue, 1, 2), b(queue, 1, 6);
  // What the caller has put on the queue is still waiting for something else.
  cl_int error = CL_SUCCESS;
  const cl_event gate = clCreateUserEvent(loose.context, &error);
  must(error, "event");
  const double twelve = 12;
  must(clEnqueueWriteBuffer(loose.native, b.get(), CL_FALSE, 0, 8, &twelve, 1, &gate, nullptr), "write");
  trsm<double>(C, Side::Left, Uplo::Lower, N, Diag::NonUnit, 1, 1, 1.0, a.get(), 1, b.get(), 1, queue);
  must(clSetUserEventStatus(gate, CL_COMPLETE), "gate");
  queue.finish();
  EXPECT_EQ(b.read()[0], 6);
  clReleaseEvent(gate);
}

/// No factor at all: 1 + 0i would make a NaN of it.
TEST(Queues, AUnitDiagonalLeavesInfinitiesAlone) {
  using Z = std::complex<double>;
  const Queue queue("opencl");
  const double infinity = std::numeric_limits<double>::infinity();
  Filled a(queue, 8, 1), x(queue, 4, 0);
  const Z values[] = {{1, infinity}, {2, 3}};
  must(clEnqueueWriteBuffer(static_cast<cl_command_queue>(queue.native()), x.get(), CL_TRUE, 0, sizeof values, values,
                            0, nullptr, nullptr),
       "write");
  trmv<Z>(C, Uplo::Lower, N, Diag::Unit, 2, a.get(), 2, x.get(), 1, queue);
  queue.finish();
  EXPECT_EQ(x.read()[0], 1);
  EXPECT_EQ(x.read()[1], infinity);
}

std::string refusal(const Submission& on, const Call& call, const Offsets& offsets) {
  try {
    execute(call, offsets, on);
  } catch (const backend_error& error) {
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return {};
}

TEST(Queues, RefuseWhatDoesNotFit) {
  const Queue queue("opencl"), other("opencl");
  Filled a(queue, 100, 1), b(queue, 100, 1), foreign(other, 100, 1);
  Call call = parse_call("dtrsm m=10 n=10");
  call.a = a.get(), call.b = b.get();
  expect_says(refusal(queue, call, {1, 0}), "dtrsm: A takes elements 1 to 100 of a buffer of 100");
  expect_says(refusal(queue, call, {0, 1}), "B takes elements 1 to 100");
  expect_says(refusal(queue, call, {-1, 0}), "A takes elements -1 to 98");
  constexpr index most = std::numeric_limits<index>::max();
  expect_says(refusal(queue, call, {0, most - 9}), "B takes elements 9223372036854775798 to beyond 2^63");
  Call backwards = parse_call("dtrsv n=10 incx=-2");
  backwards.a = a.get(), backwards.b = b.get();
  expect_says(refusal(queue, backwards, {0, most}), "the offset 9223372036854775807 is beyond any buffer");
  call.b = foreign.get();
  expect_says(refusal(queue, call, {}), "B is a buffer of another context");
  call.b = b.get();
  cl_context context = nullptr;
  must(clGetCommandQueueInfo(static_cast<cl_command_queue>(other.native()), CL_QUEUE_CONTEXT, sizeof context, &context,
                             nullptr),
       "context");
  cl_int error = CL_SUCCESS;
  const cl_event elsewhere = clCreateUserEvent(context, &error);
  must(error, "event");
  must(clSetUserEventStatus(elsewhere, CL_COMPLETE), "event");
  void* const list[] = {elsewhere};
  expect_says(refusal(Submission(queue, list), call, {}), "an event of the wait list is of another context");
  clReleaseEvent(elsewhere);
  Call vector = parse_call("dtrsv n=10 incx=-12");
  vector.a = a.get(), vector.b = b.get();
  expect_says(refusal(queue, vector, {}), "x takes elements 0 to 108");
  call.b = b.get();
  call.lda = 9;
  EXPECT_THROW(execute(call, {}, queue), argument_error);
  call.lda = 10, call.a = nullptr;
  EXPECT_THROW(execute(call, {}, queue), argument_error);
  queue.finish();
  for (const double x : b.read()) EXPECT_EQ(x, 1);
}

/// Drivers need not refuse an image where a kernel takes a buffer (PoCL 3.1 does not).
TEST(Queues, RefuseImages) {
  const Queue queue("opencl");
  cl_context context = nullptr;
  must(clGetCommandQueueInfo(static_cast<cl_command_queue>(queue.native()), CL_QUEUE_CONTEXT, sizeof context, &context,
                             nullptr),
       "context");
  const cl_image_format format{CL_RGBA, CL_FLOAT};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D, shape.image_width = 64, shape.image_height = 64;
  cl_int error = CL_SUCCESS;
  const cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &shape, nullptr, &error);
  if (error != CL_SUCCESS) GTEST_SKIP() << "the device has no images";
  Filled a(queue, 100, 1), b(queue, 100, 1);
  Call call = parse_call("dtrmm m=10 n=10");
  call.a = image, call.b = b.get();
  expect_says(refusal(queue, call, {}), "A is no buffer");
  call.a = a.get(), call.b = image;
  expect_says(refusal(queue, call, {}), "B is no buffer");
  call.b = b.get();
  Submission on(queue);
  on.workspace = image, on.workspace_bytes = 64 * 64 * 16;
  expect_says(refusal(on, call, {}), "the workspace is no buffer");
  queue.finish();
  for (const double x : b.read()) EXPECT_EQ(x, 1);
  clReleaseMemObject(image);
}

TEST(Queues, ServeManyThreads) {
  const Queue shared("opencl");
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      const Queue own("opencl");
      std::mt19937_64 random(t);
      for (int round = 0; round < 6; ++round)
        for (const Operation op : {Operation::Trsm, Operation::Gemm, Operation::Her2k}) {
          const auto all = variants(op, Precision::ComplexDouble);
          expect_right(round % 2 ? shared : own, some_case(all[random() % all.size()], random, 65), t);
        }
    });
  for (std::thread& t : threads) t.join();
}

TEST(Queues, DISABLED_OnTheSecondDevice) {
  const Queue first("opencl:0"), second("opencl:1");
  std::mt19937_64 random(3);
  for (const Operation op : all_operations()) {
    const auto all = variants(op, Precision::ComplexSingle);
    expect_right(second, some_case(all[random() % all.size()], random, 130), 5);
    expect_right(first, some_case(all[random() % all.size()], random, 130), 5);
  }
}

TEST(Queues, DISABLED_OnBothDevicesAtOnce) {
  std::vector<std::thread> threads;
  for (const unsigned t : {0u, 1u, 2u, 3u})
    threads.emplace_back([t] {
      const Queue own("opencl:" + std::to_string(t % 2));
      std::mt19937_64 random(t);
      for (int round = 0; round < 6; ++round)
        for (const Operation op : {Operation::Trsm, Operation::Symm, Operation::Trmv}) {
          const auto all = variants(op, Precision::Double);
          expect_right(own, some_case(all[random() % all.size()], random, 130), t);
        }
    });
  for (std::thread& t : threads) t.join();
}

TEST(Queues, WorkOnTwoDevices) {
  for (const char* test : {"OnTheSecondDevice", "OnBothDevicesAtOnce"})
    expect_again(test, {{"POCL_DEVICES", "pthread pthread"}});
}

/// Bytes of workspace on a part of the first device that lives only here.
std::size_t on_a_part(cl_device_partition_property units) {
  const Queue whole("opencl");
  cl_device_id device = nullptr, part = nullptr;
  must(clGetCommandQueueInfo(static_cast<cl_command_queue>(whole.native()), CL_QUEUE_DEVICE, sizeof device, &device,
                             nullptr),
       "device");
  const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, units,
                                                 CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  must(clCreateSubDevices(device, counts, 1, &part, nullptr), "sub-device");
  cl_int error = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &part, nullptr, nullptr, &error);
  must(error, "context");
  const cl_command_queue native = clCreateCommandQueue(context, part, 0, &error);
  must(error, "queue");
  Call call = parse_call("dtrmm m=200 n=200");
  call.a = call.b = part;  // neither is looked at
  const std::size_t bytes = workspace_bytes(call, Queue("opencl", native));
  clReleaseCommandQueue(native);
  clReleaseContext(context);
  clReleaseDevice(part);
  return bytes;
}

TEST(Queues, DISABLED_OnPartsOfADevice) {
  const std::size_t one = on_a_part(1), two = on_a_part(2);
  EXPECT_LT(one, two);
  EXPECT_EQ(on_a_part(1), one);
  EXPECT_EQ(on_a_part(2), two);
}

// A part may have the handle of another that is no more.
TEST(Queues, KnowPartsOfADeviceApart) { expect_again("OnPartsOfADevice", {{"POCL_MAX_PTHREAD_COUNT", "3"}}); }

/// What Queue(arguments…) says that it cannot be made of.
template <class... Arguments>
std::string refusal(Arguments... arguments) {
  try {
    const Queue queue(arguments...);
  } catch (const backend_error& error) {
    return error.what();
  }
  return "made";
}

TEST(Queues, AreNotMadeOfDevicesThatCannotBeUsed) {
  const Queue queue("opencl");
  EXPECT_EQ(refusal("opencl", queue.native()), "made");
  no_compiler = true;
  expect_says(refusal("opencl", queue.native()), ": its driver has no compiler");
  no_compiler = false, opencl_version = "OpenCL 1.1 of a vendor";
  expect_says(refusal("opencl", queue.native()), ": its driver is of 'OpenCL 1.1 of a vendor', OpenCL 1.2 is needed");
  opencl_version = "OpenCL 1.2";
  EXPECT_EQ(refusal("opencl", queue.native()), "made");
  opencl_version = nullptr;
  for (const char* test : {"WithoutACompiler", "OfAnEarlierOpenCl"}) expect_again(test, {});
}

TEST(Queues, DISABLED_WithoutACompiler) {
  no_compiler = true;
  expect_says(refusal("opencl"), "no OpenCL device can be used: ");
  expect_says(refusal("opencl"), ": its driver has no compiler");
}

TEST(Queues, DISABLED_OfAnEarlierOpenCl) {
  opencl_version = "OpenCL 1.0 ";
  expect_says(refusal("opencl"), ": its driver is of 'OpenCL 1.0 ', OpenCL 1.2 is needed");
}

TEST(Queues, SayThatMemoryIsOut) {
  const Queue queue("opencl");
  EXPECT_THROW(DeviceMemory(queue, std::size_t{1} << 60), out_of_memory);
  const auto kind = [&](int error) -> std::string {
    buffers_fail = error;
    std::string thrown = "nothing";
    try {
      const DeviceMemory memory(queue, 8);
    } catch (const out_of_memory&) {
      thrown = "memory";
    } catch (const backend_error&) {
      thrown = "error";
    }
    buffers_fail = CL_SUCCESS;
    return thrown;
  };
  EXPECT_EQ(kind(CL_MEM_OBJECT_ALLOCATION_FAILURE), "memory");
  EXPECT_EQ(kind(CL_INVALID_CONTEXT), "error") << "more memory would not cure it";
  EXPECT_EQ(kind(CL_SUCCESS), "nothing");
}

}  // namespace
}  // namespace trigon::test
