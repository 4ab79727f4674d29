// Calls that the doors hand to the kernels of triangles in registers themselves, and those just beyond: every variant,
// judged like any result. At the first call of a process there are no such ways yet, so each has one before it.
#include "caller.hpp"

#include "core/at_once.hpp"
#include "support/variants.hpp"

#include <trigon/inspect.hpp>
#include <trigon/operands.hpp>

#include <gtest/gtest.h>

#include <random>

namespace trigon::test {
namespace {

class HeldTriangles : public testing::TestWithParam<Operation> {};

void expect_right(Door door, const trigon::Operands& o) {
  const std::string wrong = o.intrusion();
  const Verdict verdict = o.verify();
  EXPECT_TRUE(verdict.ok() && wrong.empty()) << symbol(door, o.call()) << ": " << to_text(o.call()) << " " << wrong;
}

TEST_P(HeldTriangles, AreRightAtEveryDoor) {
  std::mt19937 random{11};
  constexpr index others[] = {1, 2, 3, 4, 7, 8, 9, 13, 15, 16, 17, 40, 65};
  constexpr std::complex<double> alphas[] = {0.0, 1.0, 1.0, -0.5};
  execute(trigon::Operands(parse_call("dtrmm m=2 n=2")).call());
  for (const Precision p : all_precisions)
    for (Call c : variants(GetParam(), p))
      for (index order = 0; order <= 17; ++order) {
        set_sizes(c, order, others[random() % std::size(others)], 1);
        c.alpha = alphas[random() % std::size(alphas)];
        if (is_vector(c.operation)) c.incx = static_cast<index>(random() % 7) - 3, c.incx += c.incx == 0;
        for (const Door door : {Door::Fortran, Door::Cblas}) {
          if (door == Door::Fortran && c.layout == Layout::RowMajor) continue;
          trigon::Operands o(
              c, {.seed = random(), .padding = static_cast<index>(random() % 4), .ill_conditioned = order % 4 == 3});
          invoke(door, o.call());
          expect_right(door, o);
        }
      }
}

template <Operation op>
bool has_kernel(core::Lie lie, index order, index rhs) {
  return core::tiny_kernel<double, op>(lie, order, rhs) != nullptr;
}

/// Without them results would be right and late.
TEST(KernelsOfHeldTriangles, AreThereAfterAFirstCall) {
  using enum Operation;
  if (cpu_info().target == "scalar") GTEST_SKIP() << "plain loops have none";
  execute(trigon::Operands(parse_call("dtrmm m=2 n=2")).call());
  for (index order = 1; order <= 8; ++order) {
    EXPECT_TRUE(has_kernel<Trsm>(core::Lie::Across, order, 7) && has_kernel<Trmm>(core::Lie::Across, order, 7))
        << order;
    EXPECT_TRUE(has_kernel<Trsm>(core::Lie::Along, order, 7) && has_kernel<Trmm>(core::Lie::Along, order, 7)) << order;
    EXPECT_TRUE(has_kernel<Trsv>(core::Lie::Single, order, 1) && has_kernel<Trmv>(core::Lie::Single, order, 1))
        << order;
  }
  EXPECT_FALSE(has_kernel<Trsm>(core::Lie::Across, 0, 7));
  EXPECT_FALSE(has_kernel<Trsm>(core::Lie::Across, 8, 0));
  EXPECT_FALSE(has_kernel<Trsm>(core::Lie::Across, 8, 1000)) << "threads may share them";
}

INSTANTIATE_TEST_SUITE_P(All, HeldTriangles,
                         testing::Values(Operation::Trmm, Operation::Trsm, Operation::Trmv, Operation::Trsv),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace trigon::test
