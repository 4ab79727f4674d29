// What fails on the device after it was submitted: told by whoever waits, and no result is taken for one. And before:
// that memory is out.
#include "opencl/again.hpp"
#include "opencl/launched.hpp"
#include "opencl/on_device.hpp"

#include <trigon/error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <utility>

namespace trigon::test {
namespace {

constexpr index n = 64;

/// x := A x on a queue, with A of ones; x is ones before.
class Failures : public testing::TestWithParam<bool> {
 protected:
  Failures() {
    const auto ordered = static_cast<cl_command_queue>(own_.native());
    cl_device_id device = nullptr;
    must(clGetCommandQueueInfo(ordered, CL_QUEUE_CONTEXT, sizeof context_, &context_, nullptr), "context");
    must(clGetCommandQueueInfo(ordered, CL_QUEUE_DEVICE, sizeof device, &device, nullptr), "device");
    cl_int error = CL_SUCCESS;
    native_ = clCreateCommandQueue(context_, device, GetParam() ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    must(error, "queue");
    queue_ = Queue("opencl", native_);
    a_.write(std::vector<double>(n * n, 1).data(), n * n * 8);
    begin();
  }
  ~Failures() override {
    until_failure = -1;
    clReleaseEvent(gate_);
    clReleaseCommandQueue(native_);
  }

  /// Another gate, and ones in x.
  void begin() {
    if (gate_) clReleaseEvent(gate_);
    cl_int error = CL_SUCCESS;
    gate_ = clCreateUserEvent(context_, &error);
    must(error, "event");
    x_.write(std::vector<double>(n, 1).data(), n * 8);
  }
  /// When nothing else is left to wait for (launched.cpp).
  void fail_gate() {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    must(clSetUserEventStatus(gate_, -1), "gate");
  }
  void call(std::span<void* const> wait_list = {}, void** event = nullptr, index order = n) {
    trmv<double>(Layout::ColMajor, Uplo::Lower, Op::NoTrans, Diag::NonUnit, order, a_.handle(), n, x_.handle(), 1,
                 Submission(queue_, wait_list, event));
  }
  double last() const {
    double x[n];
    x_.read(x, sizeof x);
    return x[n - 1];
  }
  void expect_told() {
    try {
      queue_.finish();
      FAIL() << "not told";
    } catch (const backend_error& error) {
      EXPECT_NE(std::string(error.what()).find("a command has failed"), std::string::npos) << error.what();
    }
    EXPECT_NO_THROW(queue_.finish()) << "told twice";
  }
  void expect_usable() {
    begin();
    call();
    EXPECT_NO_THROW(queue_.finish());
    EXPECT_EQ(last(), n);
  }

  Queue own_{"opencl"}, queue_ = own_;
  cl_context context_ = nullptr;
  cl_command_queue native_ = nullptr;
  DeviceMemory a_{own_, n*n * 8}, x_{own_, n * 8};
  cl_event gate_ = nullptr;
};

TEST_P(Failures, OfWhatACallWaitsFor) {
  for (const index order : {n, index{0}}) {
    void *list[] = {gate_}, *event = nullptr;
    call(list, &event, order);
    fail_gate();
    expect_told();
    EXPECT_EQ(last(), 1) << "it has been carried out";
    cl_int status = 0;
    clGetEventInfo(static_cast<cl_event>(event), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    EXPECT_LT(status, 0);
    clReleaseEvent(static_cast<cl_event>(event));
    expect_usable();
    begin();
  }
}

/// Nobody is told, and nothing else happens.
TEST_P(Failures, OfWhatACallOfAQueueThatIsNoMoreWaitsFor) {
  void* list[] = {gate_};
  for (int i = 0; i < 3; ++i) call(list);
  queue_ = own_;
  fail_gate();
  must(clFinish(native_), "queue");
  EXPECT_EQ(last(), 1) << "it has been carried out";
  queue_ = Queue("opencl", native_);
  expect_usable();
}

TEST_P(Failures, BeforeTheCallRefuseIt) {
  fail_gate();
  void* list[] = {gate_};
  EXPECT_THROW(call(list), backend_error);
  EXPECT_NO_THROW(queue_.finish()) << "nothing was submitted";
  EXPECT_EQ(last(), 1);
  expect_usable();
}

TEST_P(Failures, AreNotForgottenForALaterSuccess) {
  until_failure = 0;
  call();
  for (int i = 0; i < 3; ++i) call();
  expect_told();
  expect_usable();
}

TEST_P(Failures, OfACopy) {
  reads_fail = true;
  EXPECT_THROW(last(), backend_error);
  reads_fail = false;
  EXPECT_EQ(last(), 1);
}

INSTANTIATE_TEST_SUITE_P(, Failures, testing::Bool(),
                         [](const auto& info) { return info.param ? "InOrder" : "WithoutAnOrder"; });

/// Not that of buffers alone: of copies, new queues, and kernels that are built.
TEST(Memory, ThatIsOutIsSaidWhereverItIs) {
  const Queue queue("opencl");
  DeviceMemory memory(queue, 16);
  double x = 1;
  copies_refused = CL_OUT_OF_RESOURCES;
  EXPECT_THROW(memory.write(&x, sizeof x), out_of_memory);
  EXPECT_THROW(memory.read(&x, sizeof x), out_of_memory);
  copies_refused = CL_SUCCESS;
  failing_queues = 1;
  EXPECT_THROW(Queue("opencl"), out_of_memory);
  EXPECT_EQ(failing_queues, 0);
  const auto twice = [&] {
    trmm<double>(Layout::ColMajor, Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, 1, 1, 2.0, {memory.handle(), 0},
                 1, {memory.handle(), 1}, 1, queue);
  };
  for (const int error : {CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY}) {
    builds_fail = error;
    EXPECT_THROW(twice(), out_of_memory);
  }
  builds_fail = CL_SUCCESS;
  EXPECT_NO_THROW(twice());
  queue.finish();
}

std::vector<double> ones(index count) { return std::vector<double>(static_cast<std::size_t>(count), 1); }

/// The second launch as well: what the first has packed is no result. Two are needed where right-hand sides are few.
TEST(HostOperands, DISABLED_FailWithTheirKernels) {
  constexpr index few = 16;
  const std::vector<double> a = ones(n * n);
  for (const int launch : {0, 1}) {
    std::vector<double> b = ones(n * few);
    const auto multiply = [&] {
      trmm(Layout::ColMajor, Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, n, few, 1.0, a.data(), n, b.data(),
           n);
    };
    until_failure = launch;
    EXPECT_THROW(multiply(), backend_error);
    EXPECT_EQ(b, ones(n * few));
    multiply();
    EXPECT_EQ(b[n - 1], n);
  }
}

void multiply(const std::vector<double>& a, std::vector<double>& b) {
  trmm(Layout::ColMajor, Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, n, n, 1.0, a.data(), n, b.data(), n);
}

/// The result is in its place: a call that threw now would have been carried out. Before, nothing has been written.
TEST(HostOperands, DISABLED_AreDoneWhenTheResultIsThere) {
  const std::vector<double> a = ones(n * n);
  for (const int accepted : {0, 1, 2}) {
    std::vector<double> b = ones(n * n);
    until_kept_mapped = accepted;
    const bool there = accepted == 2;
    if (there)
      EXPECT_NO_THROW(multiply(a, b));
    else
      EXPECT_THROW(multiply(a, b), backend_error);
    EXPECT_EQ(until_kept_mapped, -1) << "another number of copies";
    EXPECT_EQ(b[n - 1], there ? n : 1);
    b = ones(n * n);
    multiply(a, b);
    EXPECT_EQ(b[n - 1], n);
  }
}

/// Nor does it fail where there is no memory to keep its queue with.
TEST(HostOperands, DISABLED_AreDoneWithoutMemoryToKeepTheQueue) {
  const std::vector<double> a = ones(n * n);
  std::vector<double> b = ones(n * n);
  until_starving = 2;  // two operands there, one back
  bool thrown = false;
  try {
    multiply(a, b);
  } catch (const std::exception&) {
    thrown = true;
  }
  EXPECT_TRUE(std::exchange(starving, false)) << "another number of copies";
  EXPECT_FALSE(thrown);
  EXPECT_EQ(b[n - 1], n);
  b = ones(n * n);
  multiply(a, b);
  EXPECT_EQ(b[n - 1], n);
}

/// What earlier calls have left on the device is not kept from later ones that want it.
TEST(HostOperands, DISABLED_AreTriedAgainWithoutWhatIsKept) {
  const std::vector<double> a = ones(n * n);
  std::vector<double> b = ones(n * n);
  buffers_fail = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  failing_buffers = 1;
  EXPECT_NO_THROW(multiply(a, b));
  EXPECT_EQ(failing_buffers, 0);
  EXPECT_EQ(b[n - 1], n);
  // Larger than what is kept, so that there is something to ask for.
  constexpr index larger = 3 * n;
  const std::vector<double> whole = ones(larger * larger);
  b = whole;
  const auto solve = [&] {
    trmm(Layout::ColMajor, Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, larger, larger, 1.0, whole.data(),
         larger, b.data(), larger);
  };
  failing_buffers = -1;
  EXPECT_THROW(solve(), out_of_memory);
  EXPECT_EQ(b, whole);
  buffers_fail = CL_SUCCESS;
  const int made = programs;
  solve();
  EXPECT_EQ(b[larger - 1], larger);
  EXPECT_GT(programs, made) << "in the context that may have failed, as drivers say by lack of memory";
}

/// Compilers want memory, too.
TEST(HostOperands, DISABLED_AreTriedAgainWhereAKernelHadNoMemory) {
  const std::vector<double> a = ones(n * n);
  std::vector<double> b = ones(n * n);
  builds_fail = CL_OUT_OF_RESOURCES;
  failing_builds = 1;
  EXPECT_NO_THROW(multiply(a, b));
  EXPECT_EQ(failing_builds, 0);
  EXPECT_EQ(b[n - 1], n);
}

/// What says nothing about the device: what has been compiled on it is kept.
TEST(HostOperands, DISABLED_KeepTheirProgramsWhereACallIsAtFault) {
  const std::vector<double> a = ones(n * n);
  std::vector<double> b = ones(n * n);
  multiply(a, b);
  builds_fail = CL_BUILD_PROGRAM_FAILURE;
  EXPECT_THROW(
      gemm(Layout::ColMajor, Op::NoTrans, Op::NoTrans, n, n, n, 1.0, a.data(), n, a.data(), n, 0.0, b.data(), n),
      backend_error);
  builds_fail = CL_SUCCESS;
  // Larger than what is kept, and than any buffer may be.
  constexpr index larger = 3 * n;
  const std::vector<double> whole = ones(larger * larger);
  std::vector<double> c = whole;
  buffers_fail = CL_INVALID_BUFFER_SIZE;
  EXPECT_THROW(trmm(Layout::ColMajor, Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, larger, larger, 1.0,
                    whole.data(), larger, c.data(), larger),
               out_of_memory);
  buffers_fail = CL_SUCCESS;
  EXPECT_EQ(c, whole);
  const int made = programs;
  b = ones(n * n);
  multiply(a, b);
  EXPECT_EQ(b[n - 1], n);
  EXPECT_EQ(programs, made);
}

/// On a device with memory of its own it is the unmapping that sends an operand. That of the result comes after it.
TEST(HostOperands, DISABLED_FailWithWhatSendsThem) {
  const std::vector<double> a = ones(n * n);
  for (const int accepted : {0, 1, 2}) {
    std::vector<double> b = ones(n * n);
    until_unmapping_fails = accepted;
    const bool there = accepted == 2;
    if (there)
      EXPECT_NO_THROW(multiply(a, b));
    else
      EXPECT_THROW(multiply(a, b), backend_error);
    EXPECT_EQ(until_unmapping_fails, -1) << "another number of copies";
    EXPECT_EQ(b[n - 1], there ? n : 1);
    b = ones(n * n);
    multiply(a, b);
    EXPECT_EQ(b[n - 1], n);
  }
}

/// A context in which no queue can be made any more is not kept.
TEST(HostOperands, DISABLED_HaveAnotherContextWhereTheirsHasNoQueues) {
  const std::vector<double> a = ones(n * n);
  std::vector<double> b = ones(n * n);
  multiply(a, b);
  // A call that has no memory at first, and lets go of the queue that waits.
  constexpr index larger = 3 * n;
  const std::vector<double> whole = ones(larger * larger);
  b = whole;
  const int made = programs;
  buffers_fail = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  failing_buffers = 1, failing_queues = 1;
  EXPECT_NO_THROW(trmm(Layout::ColMajor, Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, larger, larger, 1.0,
                       whole.data(), larger, b.data(), larger));
  buffers_fail = CL_SUCCESS;
  EXPECT_EQ(failing_queues, 0);
  EXPECT_GT(programs, made);
  EXPECT_EQ(b[larger - 1], larger);
}

/// Queues of several callers are in one context, so that a program is made once.
TEST(HostOperands, DISABLED_ShareTheirPrograms) {
  const std::vector<double> a = ones(n * n);
  std::vector<double> b = ones(n * n);
  multiply(a, b);
  const int made = programs;
  EXPECT_GT(made, 0);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        std::vector<double> own = ones(n * n);
        multiply(a, own);
        wrong += own[n - 1] != n;
      }
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(programs, made);
}

TEST(HostOperands, FailOrDoNot) {
  for (const char* test :
       {"AreDoneWhenTheResultIsThere", "AreDoneWithoutMemoryToKeepTheQueue", "AreTriedAgainWithoutWhatIsKept",
        "AreTriedAgainWhereAKernelHadNoMemory", "KeepTheirProgramsWhereACallIsAtFault", "FailWithWhatSendsThem",
        "HaveAnotherContextWhereTheirsHasNoQueues", "ShareTheirPrograms"})
    expect_again(test, {{"TRIGON_BACKEND", "opencl"}});
}

TEST(HostOperands, FailWithTheirKernels) {
  expect_again("FailWithTheirKernels", {{"TRIGON_BACKEND", "opencl"}, {"TRIGON_TUNING", TWO_LAUNCHES}});
}

}  // namespace
}  // namespace trigon::test
