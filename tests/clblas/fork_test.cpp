// A child forked off a program that has used its device: refused at once, whatever the parent's threads were doing.
#include "clblas/world.hpp"

#include "support/forked.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace trigon::test {
namespace {

class Fork : public testing::Test {
 protected:
  const Session session_;
  World world_;
  cl_command_queue queue_ = world_.queue();
  DeviceVector<double> two_{queue_, {2}, 1, 0}, x_{queue_, {1, 2, 3}, 1, 0};

  clblasStatus scaled() { return clblasDscal(3, 2, x_.memory, 0, 1, 1, &queue_, 0, nullptr, nullptr); }
  clblasStatus multiplied() { return doubled(two_, x_, 3, {1, &queue_, 0, nullptr, nullptr}); }
  static bool refused(clblasStatus status) {
    return status == clblasInvalidOperation &&
           std::string(trigon_clblas_message()).find("a child forked off a process") != std::string::npos;
  }
};

TEST_F(Fork, ChildrenAreRefused) {
  ASSERT_EQ(scaled(), clblasSuccess);
  ASSERT_EQ(multiplied(), clblasSuccess);
  must(clFinish(queue_), "finish");
  EXPECT_EQ(in_child([&] {
              if (!refused(scaled())) return 1;
              if (!refused(multiplied())) return 2;
              if (!refused(clblasSetup())) return 3;
              clblasTeardown();
              return 0;
            }),
            0);
  // The parent goes on.
  EXPECT_EQ(scaled(), clblasSuccess);
  must(clFinish(queue_), "finish");
}

/// Whatever another thread had locked when the child was made.
TEST_F(Fork, ChildrenWaitForNoLock) {
  ASSERT_EQ(scaled(), clblasSuccess);
  std::atomic<bool> enough{false};
  std::thread busy([&] {
    while (!enough) {
      scaled();
      clblasSetup(), clblasTeardown();
    }
  });
  int wrong = 0;
  for (int i = 0; i < 30 && wrong == 0; ++i)
    wrong = in_child([&] {
      alarm(10);
      const bool all = refused(scaled()) && refused(multiplied()) && refused(clblasSetup());
      clblasTeardown();
      return all ? 0 : 1;
    });
  enough = true;
  busy.join();
  EXPECT_EQ(wrong, 0);
  must(clFinish(queue_), "finish");
}

}  // namespace
}  // namespace trigon::test
