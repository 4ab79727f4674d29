// alpha = 0 and beta = 0 overwrite without reading; empty problems touch nothing. The operands that may not
// be read are inaccessible pages or NaN, so reading one is a crash or a NaN in the result.
#include "support/harness.hpp"
#include "support/variants.hpp"

#include <gtest/gtest.h>

namespace trigon::test {
namespace {

class Scalars : public testing::TestWithParam<Operation> {};

TEST_P(Scalars, ZeroMeansUnread) {
  for (const Precision p : all_precisions)
    for (const Call& v : variants(GetParam(), p))
      for (const double alpha : {0.0, 1.0, -0.5})
        for (const double beta : {0.0, 1.0, 2.0})
          for (const index order : {1, 7, 40}) {
            if (is_triangular(v.operation) && beta != 0) continue;
            Case c{v};
            set_sizes(c.call, order, 5, 6);
            c.call.alpha = alpha;
            c.call.beta = beta;
            const Outcome outcome = run_case([](const Call& call) { execute(call); }, c);
            ASSERT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
          }
}

TEST_P(Scalars, EmptyProblemsTouchNothing) {
  for (const Precision p : all_precisions)
    for (const Call& v : variants(GetParam(), p))
      for (const index m : {0, 3})
        for (const index n : {0, 4})
          for (const index k : {0, 2})
            for (const double beta : {0.0, 1.0, 0.5}) {
              if (m * n * k != 0) continue;
              Case c{v};
              c.call.m = m, c.call.n = n, c.call.k = k;
              c.call.beta = beta;
              const Outcome outcome = run_case([](const Call& call) { execute(call); }, c);
              ASSERT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
            }
}

INSTANTIATE_TEST_SUITE_P(All, Scalars, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace trigon::test
