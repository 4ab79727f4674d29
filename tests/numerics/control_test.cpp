// The floating-point environment is the caller's: whatever it is, a call leaves it as it was, works in it, and
// traps nothing that the data do not explain.
#include "support/harness.hpp"
#include "support/variants.hpp"

#include <gtest/gtest.h>

#include <cfenv>

namespace trigon::test {
namespace {

class Control : public testing::TestWithParam<Operation> {
 protected:
  void TearDown() override { std::fesetenv(FE_DFL_ENV); }

  static std::vector<Call> calls(Operation op) {
    std::vector<Call> list;
    for (const Precision p : all_precisions)
      for (Call c : variants(op, p))
        for (const auto& [order, others] : {std::pair<index, index>{5, 3}, {70, 30}, {300, 5}}) {
          if (order == 300 && c.layout == Layout::RowMajor) continue;
          set_sizes(c, order, others, others);
          c.beta = 0.5;
          list.push_back(c);
        }
    return list;
  }
};

TEST_P(Control, RoundingModesSurvive) {
  for (const Call& c : calls(GetParam()))
    for (const int mode : {FE_UPWARD, FE_TOWARDZERO}) {
      Operands o(c);
      ASSERT_EQ(std::fesetround(mode), 0);
      const std::vector<unsigned> before = control_state();
      execute(o.call());
      const std::vector<unsigned> after = control_state();
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(before, after) << to_text(c);
      // A directed rounding errs by up to twice the unit roundoff.
      EXPECT_LE(o.verify({.lines = 3}).ratio, 2) << to_text(c);
    }
}

#if defined(__GLIBC__) && defined(__x86_64__)
TEST_P(Control, TrapsDoNotFire) {
  for (const Call& c : calls(GetParam())) {
    Operands o(c);
    std::feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);  // as -ffpe-trap does for Fortran programs
    execute(o.call());
    fedisableexcept(FE_ALL_EXCEPT);
    EXPECT_TRUE(o.verify({.lines = 3}).ok()) << to_text(c);
  }
}
#endif

TEST_P(Control, FlagsThatWereSetStaySet) {
  Operands o(calls(GetParam()).front());
  std::feclearexcept(FE_ALL_EXCEPT);
  std::feraiseexcept(FE_DIVBYZERO);
  execute(o.call());
  EXPECT_TRUE(std::fetestexcept(FE_DIVBYZERO));
}

INSTANTIATE_TEST_SUITE_P(All, Control, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace trigon::test
