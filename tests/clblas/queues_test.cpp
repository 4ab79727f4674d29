// Queues, events and sessions: what waits for what, and what is let go of when.
#include "clblas/world.hpp"
#include "support/child.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace trigon::test {
namespace {

cl_int state(cl_event event) {
  cl_int status = 0;
  must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), "status");
  return status;
}

cl_uint references(cl_command_queue queue) {
  cl_uint count = 0;
  must(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, nullptr), "references");
  return count;
}

/// Whether its owner alone holds the queue, now or soon: a driver lets go of a command a little after it says that the
/// command is complete.
bool only_its_owners(cl_command_queue queue) {
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + std::chrono::seconds(10); Clock::now() < end;) {
    if (references(queue) == 1) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

constexpr cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

class Queues : public testing::Test {
 protected:
  const Session session_;
  World world_;
};

TEST_F(Queues, NothingWaitsButTheWork) {
  cl_command_queue queue = world_.queue();
  DeviceVector<double> two(queue, {2}, 1, 0), x(queue, {1, 2, 3}, 1, 0), y(queue, {1, 2, 3}, -1, 0);
  const cl_event gate = world_.gate();
  cl_event events[3] = {};
  ASSERT_EQ(doubled(two, x, 3, {1, &queue, 1, &gate, &events[0]}), clblasSuccess);
  ASSERT_EQ(clblasDscal(3, 2, x.memory, 0, 1, 1, &queue, 1, &gate, &events[1]), clblasSuccess);
  // Vectors that are copied there and back.
  ASSERT_EQ(clblasDgemv(clblasColumnMajor, clblasNoTrans, 1, 1, 3, two.memory, 0, 1, x.memory, 1, -1, 1, y.memory, 2,
                        -1, 1, &queue, 1, &gate, &events[2]),
            clblasSuccess);
  for (const cl_event e : events) EXPECT_NE(state(e), CL_COMPLETE);
  must(clSetUserEventStatus(gate, CL_COMPLETE), "gate");
  must(clWaitForEvents(3, events), "wait");
  EXPECT_EQ(x.read(), (std::vector<double>{4, 8, 12}));
  EXPECT_EQ(y.read(), (std::vector<double>{1 + 6 * 8, 2, 3}));
  for (const cl_event e : {gate, events[0], events[1], events[2]}) clReleaseEvent(e);
}

TEST_F(Queues, EveryQueueOfACallFollows) {
  cl_command_queue queues[] = {world_.queue(), world_.queue(), world_.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  DeviceVector<double> two(queues[0], {2}, 1, 0), x(queues[1], {1, 2, 3}, 1, 0);
  const cl_event gate = world_.gate();
  cl_event events[3] = {};
  ASSERT_EQ(doubled(two, x, 3, {3, queues, 1, &gate, events}), clblasSuccess);
  double seen = 0;
  cl_event read = nullptr;
  // What comes on the second queue comes after, with no event.
  must(clEnqueueReadBuffer(queues[1], x.memory, CL_FALSE, 0, sizeof seen, &seen, 0, nullptr, &read), "read");
  must(clFlush(queues[1]), "flush");
  for (const cl_event e : events) {
    ASSERT_NE(e, nullptr);
    EXPECT_NE(state(e), CL_COMPLETE);
  }
  EXPECT_NE(state(read), CL_COMPLETE);
  must(clSetUserEventStatus(gate, CL_COMPLETE), "gate");
  must(clWaitForEvents(3, events), "wait");
  must(clWaitForEvents(1, &read), "wait");
  EXPECT_EQ(seen, 2);
  for (const cl_event e : {gate, read, events[0], events[1], events[2]}) clReleaseEvent(e);
  // Events are no duty, with several queues either.
  ASSERT_EQ(doubled(two, x, 3, {2, queues, 0, nullptr, nullptr}), clblasSuccess);
  must(clFinish(queues[1]), "finish");
  EXPECT_EQ(x.read(), (std::vector<double>{4, 8, 12}));
}

TEST_F(Queues, WithoutAnOrderKeepThatOfTheCalls) {
  cl_command_queue queue = world_.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  DeviceVector<double> two(queue, {2}, 1, 0), x(queue, {1, 2}, -3, 0), sum(queue, {0}, 1, 0);
  const cl_event gate = world_.gate();
  const double ones[] = {1, 0, 0, 1};
  must(clEnqueueWriteBuffer(queue, x.memory, CL_FALSE, 0, sizeof ones, ones, 1, &gate, nullptr), "write");
  cl_event done = nullptr;
  for (int i = 0; i < 10; ++i)
    ASSERT_EQ(clblasDgemv(clblasRowMajor, clblasNoTrans, 1, 1, 1, two.memory, 0, 1, x.memory, 0, -3, 0, x.memory, 3, -3,
                          1, &queue, 0, nullptr, nullptr),
              clblasSuccess);
  ASSERT_EQ(clblasDdot(2, sum.memory, 0, x.memory, 0, 3, x.memory, 0, 3, nullptr, 1, &queue, 0, nullptr, &done),
            clblasSuccess);
  EXPECT_NE(state(done), CL_COMPLETE);
  must(clSetUserEventStatus(gate, CL_COMPLETE), "gate");
  must(clWaitForEvents(1, &done), "wait");
  EXPECT_EQ(sum.read()[0], 1 + 2.0 * 2.0);
  clReleaseEvent(done), clReleaseEvent(gate);
}

TEST_F(Queues, DoNotWaitForWhatHasFailed) {
  cl_command_queue queue = world_.queue();
  DeviceVector<double> two(queue, {2}, 1, 0), x(queue, {1, 2, 3}, 1, 0);
  const cl_event gate = world_.gate();
  must(clSetUserEventStatus(gate, -1), "gate");
  EXPECT_EQ(clblasDscal(3, 2, x.memory, 0, 1, 1, &queue, 1, &gate, nullptr), clblasInvalidEventWaitList);
  EXPECT_EQ(doubled(two, x, 3, {1, &queue, 1, &gate, nullptr}), clblasInvalidEventWaitList);
  EXPECT_NE(std::string(trigon_clblas_message()).find("event 0 of the wait list has failed"), std::string::npos);
  must(clFinish(queue), "finish");
  EXPECT_EQ(x.read(), (std::vector<double>{1, 2, 3}));
  clReleaseEvent(gate);
}

/// With events that the program keeps and without, on one queue and on two.
TEST_F(Queues, DoNoWorkWhereWhatItWaitsForFails) {
  for (const cl_command_queue_properties order : {cl_command_queue_properties{0}, out_of_order})
    for (const cl_uint count : {1u, 2u})
      for (const bool kept : {false, true}) {
        cl_command_queue queues[] = {world_.queue(order), world_.queue()};
        DeviceVector<double> two(queues[0], {2}, 1, 0), x(queues[0], {1, 2, 3}, 1, 0), y(queues[0], {1, 2}, -2, 0);
        cl_event events[5][2] = {};
        const auto rest = [&](int call) { return kept ? events[call] : nullptr; };
        const cl_event gate = world_.gate();
        ASSERT_EQ(doubled(two, x, 3, {count, queues, 1, &gate, rest(0)}), clblasSuccess);
        ASSERT_EQ(clblasDscal(3, 2, x.memory, 0, 1, count, queues, 1, &gate, rest(1)), clblasSuccess);
        ASSERT_EQ(clblasDaxpy(3, 0, x.memory, 0, 1, x.memory, 0, 1, count, queues, 1, &gate, rest(2)), clblasSuccess);
        ASSERT_EQ(clblasDdot(3, y.memory, 0, x.memory, 0, 1, x.memory, 0, 1, nullptr, count, queues, 1, &gate, rest(3)),
                  clblasSuccess);
        ASSERT_EQ(clblasDgemv(clblasColumnMajor, clblasNoTrans, 2, 1, 1, x.memory, 0, 2, two.memory, 0, 1, 1, y.memory,
                              0, -2, count, queues, 1, &gate, rest(4)),
                  clblasSuccess);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until nothing else is left to wait for
        must(clSetUserEventStatus(gate, -1), "gate");
        must(clFinish(queues[0]), "finish");
        must(clFinish(queues[1]), "finish");
        EXPECT_TRUE(x.untouched() && y.untouched());
        for (const auto& call : events)
          for (cl_uint i = 0; kept && i < count; ++i) {
            EXPECT_LT(state(call[i]), 0);
            clReleaseEvent(call[i]);
          }
        ASSERT_EQ(clblasDscal(3, 2, x.memory, 0, 1, count, queues, 0, nullptr, nullptr), clblasSuccess);
        EXPECT_EQ(x.read(), (std::vector<double>{2, 4, 6}));
        clReleaseEvent(gate);
      }
}

/// (Of what fails PoCL 3.1 tells nobody, and keeps the queue.)
TEST_F(Queues, AreLetGoOfWhenWorkIsDoneAfterTheSession) {
  for (const cl_command_queue_properties order : {cl_command_queue_properties{0}, out_of_order})
    for (const cl_int outcome : {CL_COMPLETE, -1}) {
      cl_command_queue queue = world_.queue(order);
      const cl_event gate = world_.gate();
      {
        DeviceVector<double> two(queue, {2}, 1, 0), x(queue, {1, 2, 3}, 1, 0), y(queue, {1, 2}, -2, 0);
        ASSERT_EQ(doubled(two, x, 3, {1, &queue, 1, &gate, nullptr}), clblasSuccess);
        ASSERT_EQ(clblasDscal(3, 2, x.memory, 0, 1, 1, &queue, 1, &gate, nullptr), clblasSuccess);
        ASSERT_EQ(clblasDgemv(clblasColumnMajor, clblasNoTrans, 2, 1, 1, x.memory, 0, 2, two.memory, 0, 1, 1, y.memory,
                              0, -2, 1, &queue, 1, &gate, nullptr),
                  clblasSuccess);
        clblasTeardown();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        must(clSetUserEventStatus(gate, outcome), "gate");
        must(clFinish(queue), "finish");
        EXPECT_EQ(x.read()[0], outcome == CL_COMPLETE ? 4 : 1);
        EXPECT_EQ(y.read()[0], outcome == CL_COMPLETE ? 9 : 1);
      }
      clReleaseEvent(gate);
      if (outcome == CL_COMPLETE) EXPECT_TRUE(only_its_owners(queue));
      clblasSetup();
    }
}

TEST_F(Queues, AreLetGoOf) {
  const auto used = [&](cl_command_queue queue) {
    DeviceVector<double> two(queue, {2}, 1, 0), x(queue, {1, 2}, -2, 0);
    ASSERT_EQ(doubled(two, x, 1, {1, &queue, 0, nullptr, nullptr}), clblasSuccess);
    ASSERT_EQ(clblasDdot(2, two.memory, 0, x.memory, 0, -2, x.memory, 0, -2, nullptr, 1, &queue, 0, nullptr, nullptr),
              clblasSuccess);
    EXPECT_EQ(two.read()[0], 4 * 4 + 1);
  };
  // The least recently used go first.
  for (int i = 0; i < 20; ++i) used(world_.queue());
  for (const std::size_t gone : {0, 3}) EXPECT_TRUE(only_its_owners(world_.queues[gone])) << gone;
  for (const std::size_t kept : {4, 19}) EXPECT_GT(references(world_.queues[kept]), 1u) << kept;
  used(world_.queues[4]);
  used(world_.queues[0]);
  EXPECT_GT(references(world_.queues[4]), 1u);
  EXPECT_TRUE(only_its_owners(world_.queues[5]));
  clblasTeardown();
  for (const cl_command_queue queue : world_.queues) EXPECT_TRUE(only_its_owners(queue)) << "after the last teardown";
  clblasSetup();
  // A queue that comes to have the handle of another.
  for (int i = 0; i < 40; ++i) {
    cl_int error = CL_SUCCESS;
    const cl_command_queue queue = clCreateCommandQueue(
        world_.context, world_.devices[0], i % 3 == 0 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &error);
    must(error, "queue");
    used(queue);
    clReleaseCommandQueue(queue);
  }
}

TEST_F(Queues, SessionsCount) {
  cl_command_queue queue = world_.queue();
  DeviceVector<double> two(queue, {2}, 1, 0), x(queue, {1}, 1, 0);
  const Submitted q{1, &queue, 0, nullptr, nullptr};
  EXPECT_EQ(clblasSetup(), clblasSuccess);
  EXPECT_EQ(clAmdBlasSetup(), clblasSuccess);
  clblasTeardown();
  clblasTeardown();
  EXPECT_EQ(doubled(two, x, 1, q), clblasSuccess);
  for (int i = 0; i < 20; ++i) {
    clblasTeardown();
    EXPECT_EQ(doubled(two, x, 1, q), clblasNotInitialized);
    clblasTeardown();  // one too many
    clblasSetup();
    EXPECT_EQ(doubled(two, x, 1, q), clblasSuccess);
  }
  EXPECT_EQ(x.read()[0], 1 << 21);
  cl_uint version[3] = {};
  EXPECT_EQ(clblasGetVersion(&version[0], &version[1], &version[2]), clblasSuccess);
  EXPECT_EQ(version[0], static_cast<cl_uint>(clblasVersionMajor));
  EXPECT_EQ(clAmdBlasGetVersion(&version[0], nullptr, nullptr), clblasSuccess);
}

TEST_F(Queues, AnyThreadMayCall) {
  cl_command_queue shared = world_.queue();
  DeviceVector<double> two(shared, {2}, 1, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      const Session session;  // begins and ends among the others
      cl_int error = CL_SUCCESS;
      for (int round = 0; round < 5; ++round) {
        cl_command_queue own = clCreateCommandQueue(world_.context, world_.devices[0], 0, &error);
        must(error, "queue");
        DeviceVector<double> x(shared, {1, 2, 3}, 1, 0), y(own, {1, 2, 3}, -2, 0), out(shared, {0}, 1, 0);
        for (int i = 0; i < 5; ++i) {
          EXPECT_EQ(doubled(two, x, 3, {1, &shared, 0, nullptr, nullptr}), clblasSuccess);
          EXPECT_EQ(clblasDgemv(clblasColumnMajor, clblasNoTrans, 1, 1, 1, two.memory, 0, 1, y.memory, 0, -2, 0,
                                y.memory, 0, -2, 1, &own, 0, nullptr, nullptr),
                    clblasSuccess);
          EXPECT_EQ(
              clblasDdot(3, out.memory, 0, x.memory, 0, 1, x.memory, 0, 1, nullptr, 1, &shared, 0, nullptr, nullptr),
              clblasSuccess);
        }
        EXPECT_EQ(x.read(), (std::vector<double>{32, 64, 96}));
        EXPECT_EQ(y.read(), (std::vector<double>{1, 2, 3 * 32}));
        EXPECT_EQ(out.read()[0], 32 * 32 * 14);
        clReleaseCommandQueue(own);
      }
    });
  for (std::thread& t : threads) t.join();
}

/// y += x by copies of y (its increment is 2), and by none, to entries beside each other of one queue.
TEST_F(Queues, CallsAreOneStepForOtherThreads) {
  cl_command_queue queue = world_.queue();
  constexpr size_t n = 64;
  constexpr int rounds = 3000;
  DeviceVector<double> one(queue, {1}, 1, 0), x(queue, std::vector<double>(n, 1), 1, 0),
      y(queue, std::vector<double>(2 * n, 0), 1, 0);
  std::atomic<int> failed{0};
  const auto add = [&](size_t entries, int increment) {
    for (int i = 0; i < rounds; ++i)
      failed += clblasDgemv(clblasColumnMajor, clblasTrans, 1, entries, 1, x.memory, 0, 1, one.memory, 0, 1, 1,
                            y.memory, 0, increment, 1, &queue, 0, nullptr, nullptr) != clblasSuccess;
  };
  std::thread other([&] { add(n, 2); });
  add(n, 1);
  other.join();
  must(clFinish(queue), "finish");
  EXPECT_EQ(failed, 0);
  const std::vector<double> sums = y.read();
  for (size_t i = 0; i < 2 * n; ++i) ASSERT_EQ(sums[i], rounds * ((i % 2 == 0) + (i < n))) << "entry " << i;
}

TEST_F(Queues, DISABLED_OfTwoDevices) {
  ASSERT_EQ(world_.devices.size(), 2u);
  cl_command_queue queues[] = {world_.queue(0, 0), world_.queue(0, 1)};
  DeviceVector<double> two(queues[0], {2}, 1, 0), x(queues[0], {1, 2, 3}, 1, 0), y(queues[1], {1}, -1, 0);
  cl_event events[2] = {}, last = nullptr;
  ASSERT_EQ(doubled(two, x, 3, {2, queues, 0, nullptr, events}), clblasSuccess);
  ASSERT_EQ(doubled(two, x, 3, {1, queues + 1, 1, events + 1, &last}), clblasSuccess);
  ASSERT_EQ(clblasDgemv(clblasColumnMajor, clblasNoTrans, 1, 1, 1, two.memory, 0, 1, x.memory, 2, -1, 1, y.memory, 0,
                        -1, 1, queues, 1, &last, nullptr),
            clblasSuccess);
  must(clFinish(queues[0]), "finish");
  EXPECT_EQ(x.read(), (std::vector<double>{4, 8, 12}));
  EXPECT_EQ(y.read()[0], 25);
  for (const cl_event e : {events[0], events[1], last}) clReleaseEvent(e);
}

TEST(Processes, UseTwoDevices) {
  const Finished done =
      run_program(sibling("clblas_queues_test"), {"--gtest_also_run_disabled_tests", "--gtest_filter=*OfTwoDevices"},
                  {{"POCL_DEVICES", "pthread pthread"}});
  EXPECT_EQ(done.exit_code, 0) << done.output;
}

}  // namespace
}  // namespace trigon::test
