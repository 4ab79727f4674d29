// Tests that take an environment of their own, and what refusals say.
#pragma once

#include "support/child.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace trigon::test {

/// One test of this program, disabled otherwise, in another environment.
inline void expect_again(const std::string& test, const std::map<std::string, std::string>& environment) {
  const Finished done = run_program(
      sibling("opencl_test"), {"--gtest_also_run_disabled_tests", "--gtest_filter=*DISABLED_" + test}, environment);
  EXPECT_EQ(done.exit_code, 0) << done.output;
}

inline void expect_says(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace trigon::test
