// Error handlers in a library that comes before the drop-in: the dynamic linker has chosen them, and where they go on
// to the default ones it is not their turn again.
#include "caller.hpp"

#include <gtest/gtest.h>

extern "C" int times_heard, goes_on;

namespace trigon::test {
namespace {

TEST(ChosenHandlers, GoOnToTheDefaultOneOnce) {
  Operands operands;
  Call call = parse_call("dtrsm m=3 n=2");
  call.a = operands.a.data(), call.b = operands.b.data();
  goes_on = 1;
  testing::internal::CaptureStderr();
  invoke(Door::Fortran, spoiled(call, Argument::Diag));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), " ** On entry to DTRSM parameter number  4 had an illegal value\n");
  EXPECT_EQ(times_heard, 1);
}

}  // namespace
}  // namespace trigon::test
