// Every operation, variant and precision on the CUDA kernels, executed by the CPU shim, at sizes around every tile and
// under every schedule: judged like all other code, on guarded operands in which what may not be read is NaN.
#include "cuda/device_calls.hpp"
#include "support/variants.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <random>

namespace trigon::test {
namespace {

/// Around the tiles of 32 rows, of products (32, 64, 128) and of their steps (8, 16).
constexpr index orders[] = {1, 2, 7, 8, 15, 17, 31, 32, 33, 63, 64, 65, 96, 97, 127, 129};

std::complex<double> some_scalar(std::mt19937_64& random, bool complex) {
  constexpr double values[] = {1, 1, -1, 0.75, -2.5, 0};
  const double re = values[random() % 6];
  return {re, complex && random() % 2 ? values[random() % 6] : 0.0};
}

class Kernels : public testing::TestWithParam<Routine> {
 protected:
  std::mt19937_64 random{static_cast<unsigned>(std::get<0>(GetParam())) * 4 +
                         static_cast<unsigned>(std::get<1>(GetParam()))};

  Case some_case(const Call& variant, index order) {
    Case c{variant};
    const bool complex = is_complex_precision(variant.precision);
    set_sizes(c.call, order, orders[random() % (order > 64 ? 10 : 16)], orders[random() % 14]);
    c.call.alpha = some_scalar(random, complex && variant.operation != Operation::Herk);
    c.call.beta = some_scalar(random, complex && !is_hermitian(variant.operation));
    constexpr index increments[] = {1, 1, -1, 2, -3, 7};
    c.call.incx = increments[random() % 6];
    c.operands.seed = random();
    c.operands.padding = random() % 3 == 0 ? 0 : static_cast<index>(random() % 5);
    c.operands.place = random() % 2 ? GuardedMemory::Place::EndsAtGuard : GuardedMemory::Place::StartsAtGuard;
    c.operands.ill_conditioned = random() % 4 == 0;
    c.sample = {order <= 33 ? -1 : 6, random()};
    c.check_flags = false;  // devices have none; the shim's are those of unused lanes
    c.repeat = false;       // see SameBits
    return c;
  }

  Route some_route() {
    Route r;
    r.path = random() % 2 ? core::Path::Narrow : core::Path::Recursion;
    constexpr index leaves[] = {1, 32, 64, 1000};
    r.leaf = leaves[random() % 4];
    r.large_tiles = random() % 2;
    r.multiprocessors = 1 + static_cast<int>(random() % 3);
    r.wide = random() % 2;
    r.tensor_units = random() % 2;
    r.panel_warps = 2 << random() % 3;
    r.chain_warps = 4 << random() % 2;
    r.chain_blocks = random() % 2 ? 4 : 1;
    return r;
  }
};

TEST_P(Kernels, MeetTheirBounds) {
  const auto [operation, precision] = GetParam();
  const unsigned thin = thinning();
  double worst = 0;
  int cases = 0, failures = 0;
  std::size_t turn = 0, number = 0;
  for (const Call& variant : variants(operation, precision)) {
    ++number;
    for (std::size_t i = number % 2; i < std::size(orders); i += 2) {  // every other size, in turn
      const index order = orders[i];
      const Case c = some_case(variant, order);
      const Route route = some_route();
      if (random() % thin != 0) continue;
      const Scheduled as(schedules()[turn++ % schedules().size()]);
      const Outcome outcome = run_case(on_device(route), c);
      EXPECT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words << "\n  path " << core::name(route.path)
                                << ", leaf " << route.leaf << ", "
                                << (!route.large_tiles ? "small"
                                    : route.wide       ? "large"
                                                       : "half")
                                << (route.tensor_units ? " tiles on tensor units, " : " tiles, ") << route.panel_warps
                                << " and " << route.chain_warps << " warps, " << name(simt::settings());
      if (!outcome.ok() && ++failures == 10) FAIL() << "and perhaps more";
      worst = std::max(worst, outcome.ratio);
      ++cases;
    }
  }
  std::printf("%d cases, worst error / bound %.3f\n", cases, worst);
}

INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(all_routines()),
                         [](const auto& info) { return routine_name(info.param); });

}  // namespace
}  // namespace trigon::test
