// TRSM by inverses of diagonal blocks, on request.
#include "opencl/on_device.hpp"

#include "support/harness.hpp"

#include <trigon/inspect.hpp>

#include <gtest/gtest.h>

#include <random>

namespace trigon::test {
namespace {

/// Where no block is ill-conditioned, the bound of substitution holds.
TEST(Inverted, MeetsTheBoundOnWellConditionedTriangles) {
  const Queue queue("opencl");
  std::mt19937_64 random(17);
  constexpr index sizes[] = {1, 3, 8, 9, 31, 32, 33, 49, 65, 130, 191, 260};
  for (const Precision p : all_precisions)
    for (const Call& variant : variants(Operation::Trsm, p)) {
      Case c{variant};
      set_sizes(c.call, sizes[random() % std::size(sizes)], sizes[random() % std::size(sizes)], 0);
      c.call.alpha = {random() % 2 ? 1 : -0.75, is_complex_precision(p) && random() % 2 ? 0.5 : 0};
      c.operands.seed = random();
      c.operands.protect = false;
      c.operands.padding = static_cast<index>(random() % 4);
      c.sample = {6, random()};
      c.check_flags = false;
      const auto seed = static_cast<unsigned>(random());
      const Outcome outcome =
          run_case([&](const Call& call) { execute_on_device(queue, call, seed, Solve::Inverted); }, c);
      ASSERT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
    }
}

/// It is another computation than the default, which stays within the bound where inverses do not.
TEST(Inverted, IsChosenByTheCallerAlone) {
  const Queue queue("opencl");
  Case c{parse_call("strsm m=129 n=60")};
  c.call.lda = c.call.ldb = 129;
  c.operands.protect = false, c.operands.ill_conditioned = true, c.check_flags = false;
  const auto ratio = [&](Solve solve) {
    return run_case([&](const Call& call) { execute_on_device(queue, call, 3, solve); }, c).ratio;
  };
  EXPECT_LE(ratio(Solve::Default), 1);
  EXPECT_LE(ratio(Solve::Exact), 1);
  EXPECT_GT(ratio(Solve::Inverted), 1);
}

TEST(Inverted, TakesMoreWorkspace) {
  const Queue queue("opencl");
  const DeviceMemory a(queue, 300 * 300 * 8), b(queue, 300 * 100 * 8);
  Call call = parse_call("dtrsm m=300 n=100");
  call.a = a.handle(), call.b = b.handle();
  EXPECT_GT(workspace_bytes(call, queue, Solve::Inverted), workspace_bytes(call, queue, Solve::Exact));
}

}  // namespace
}  // namespace trigon::test
