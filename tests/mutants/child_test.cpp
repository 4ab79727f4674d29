// What starts programs of tests: one that ran none has failed.
#include "support/child.hpp"

#include <gtest/gtest.h>

namespace trigon::test {
namespace {

TEST(Child, ThatRanNoTestHasFailed) {
  const Finished none = run_program("/proc/self/exe", {"--gtest_filter=NoSuchTest"});
  EXPECT_NE(none.exit_code, 0) << none.output;
  EXPECT_EQ(
      run_program("/proc/self/exe", {"--gtest_also_run_disabled_tests", "--gtest_filter=*DISABLED_Passes"}).exit_code,
      0);
}
TEST(Child, DISABLED_Passes) {}

}  // namespace
}  // namespace trigon::test
