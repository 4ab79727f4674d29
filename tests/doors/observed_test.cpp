// Small calls take a short way that makes no plan. From the moment on that calls are observed none of them does,
// through whichever door, and afterwards they do so again; what they compute is the same.
#include "core/direct.hpp"
#include "doors_and_layouts.hpp"

#include <gtest/gtest.h>
#include <trigon/inspect.hpp>

#include <algorithm>

namespace trigon::test {
namespace {

unsigned long long counted() {
  unsigned long long sum = 0;
  for (const PathCount& p : path_counts()) sum += p.calls;
  return sum;
}

class Observed : public testing::TestWithParam<DoorAndLayout> {};

TEST_P(Observed, FromTheMomentOnThatItIsAsked) {
  const auto [door, layout] = GetParam();
  Operands operands;
  for (const Call& call : every_routine(layout, operands)) {
    SCOPED_TRACE(symbol(door, call));
    const auto result = [&, door = door] {
      for (std::vector<double>* v : {&operands.a, &operands.b, &operands.c}) std::fill(v->begin(), v->end(), 2.0);
      invoke(door, call);
      return operands;
    };
    const Operands unobserved = result();
    for (int time = 0; time < 2; ++time) {
      const unsigned long long before = counted();
      EXPECT_TRUE(result().same_bits(unobserved));
      EXPECT_EQ(counted(), before);
      EXPECT_NE(core::ways_in_force.load(), nullptr) << "no call has a short way";
      count_paths(true);
      EXPECT_TRUE(result().same_bits(unobserved));
      EXPECT_EQ(counted(), before + 1);
      count_paths(false);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Doors, Observed, doors_and_layouts(), door_and_layout);

}  // namespace
}  // namespace trigon::test
