// The backend that docs/adding-a-backend.md shows, held to the promises that every backend is held to.
#include "core/canonical.hpp"
#include "docs/loops.hpp"
#include "support/variants.hpp"

#include <trigon/operands.hpp>

#include <gtest/gtest.h>

namespace trigon::test {
namespace {

// [judge]
class Loops : public testing::TestWithParam<Operation> {
 protected:
  static void expect_right(const Call& call) {
    Operands o(call);
    const core::Request request = core::canonical(o.call());
    const core::Plugin& backend = loops::plugin();
    const core::Plan plan = backend.plan(request);
    if (plan.path != core::Path::Nothing) {
      EXPECT_EQ(backend.execute(request, plan), core::Status::Success);
    }
    const Verdict verdict = o.verify();
    EXPECT_TRUE(verdict.ok()) << to_text(o.call()) << "\n" << verdict.words;
    EXPECT_EQ(o.intrusion(), "");
  }
};

TEST_P(Loops, IsRight) {
  for (const Precision p : all_precisions)
    for (Call c : variants(GetParam(), p))
      for (const index order : {1, 2, 3, 7, 16, 21})
        for (const double alpha : {0.0, 1.0, -0.5})
          for (const double beta : {0.0, 1.0, 0.75}) {
            set_sizes(c, order, 4, 5);
            c.alpha = alpha, c.beta = beta;
            c.incx = order % 2 ? 2 : -1;
            expect_right(c);
          }
}
// [judge]

TEST_P(Loops, RecordsTheTasksOfTheCall) {
  for (Call c : variants(GetParam(), Precision::ComplexDouble)) {
    set_sizes(c, 9, 4, 5);
    Operands o(c);
    const core::Request request = core::canonical(o.call());
    std::vector<Task> tasks;
    EXPECT_EQ(loops::plugin().execute_timed(request, loops::plugin().plan(request), tasks), core::Status::Success);
    double flops = 0;
    for (const Task& t : tasks) flops += t.flops;
    EXPECT_GT(flops, 0);
    EXPECT_TRUE(o.verify().ok());
    if (GetParam() != Operation::Gemm) {
      EXPECT_GT(tasks.size(), 9u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Loops, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace trigon::test
