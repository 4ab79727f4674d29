// A bad argument is thrown by name and position, as the routine of the right precision.
#pragma once

#include <trigon/error.hpp>
#include <trigon/types.hpp>

#include <gtest/gtest.h>

namespace trigon::test {

template <class T, class Routine>
void expect_refusal(const char* argument, int position, const Routine& call) {
  try {
    call();
    ADD_FAILURE() << "accepted a wrong " << argument;
  } catch (const argument_error& e) {
    EXPECT_EQ(e.name, argument);
    EXPECT_EQ(e.position, position);
    EXPECT_EQ(e.routine[0], static_cast<char>(precision_of<T>));
  }
}

}  // namespace trigon::test
