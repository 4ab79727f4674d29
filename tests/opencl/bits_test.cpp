// TRIGON_REPRODUCIBLE=1: the same bits on any number of compute units, which on PoCL are threads.
#include "support/child.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace trigon::test {
namespace {

using Environment = std::map<std::string, std::string>;

/// A hash and a call in each line. Of the small calls there is one of each variant: they have a unit for themselves.
std::vector<std::string> probe(Environment e, const char* units) {
  e["TRIGON_BACKEND"] = "opencl";
  e["POCL_MAX_PTHREAD_COUNT"] = units;
  const Finished run = run_program(sibling("bits_probe"), {"0", "1", "8"}, e);
  EXPECT_EQ(run.exit_code, 0) << run.output;
  std::vector<std::string> lines;
  std::istringstream in(run.output);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  EXPECT_GT(lines.size(), 500u);
  return lines;
}

/// Calls whose bits are others; the first one is told.
std::vector<std::string> differing(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  EXPECT_EQ(a.size(), b.size());
  std::vector<std::string> list;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] != b[i]) list.push_back(a[i]);
  return list;
}

/// On one unit and on several.
void expect_same_on(const char* units, Environment e) {
  e["TRIGON_REPRODUCIBLE"] = "1";
  const auto others = differing(probe(e, "1"), probe(e, units));
  EXPECT_TRUE(others.empty()) << others.size() << " calls, the first: " << others[0];
}

/// Seven have few right-hand sides where a triangle of 300 meets 40, by vectors of 4 and more; two cut results up.
TEST(Bits, AreTheSameOnAnyNumberOfUnits) { expect_same_on("7", {}); }

/// With blocks so small that the calls cross many, as long ones do.
TEST(Bits, AreTheSameOfManyBlocks) { expect_same_on("3", {{"TRIGON_TUNING", SMALL_BLOCKS}}); }

}  // namespace
}  // namespace trigon::test
