// The provider is asked for GEMM and for nothing else, and what is counted is what it was asked.
#include "support/forked.hpp"
#include "support/variants.hpp"

#include <trigon/inspect.hpp>
#include <trigon/operands.hpp>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace trigon::test {
namespace {

unsigned long long spied() {
  // The same file again is the same library.
  void* spy = dlopen(SPY_PROVIDER, RTLD_NOW | RTLD_LOCAL);
  auto* count = reinterpret_cast<unsigned long long (*)()>(dlsym(spy, "spy_gemms"));
  const unsigned long long calls = count();
  dlclose(spy);
  return calls;
}

bool is_update(Operation op) {
  return op == Operation::Syrk || op == Operation::Herk || op == Operation::Syr2k || op == Operation::Her2k;
}

/// Each choice of flags has one of the precisions that there are for it; with every flag by itself goes each of them.
Precision chosen_precision(const Call& c) {
  std::vector<Precision> choice;
  for (const Precision p : all_precisions)
    if (is_complex_precision(p) ? !(is_rank_k(c.operation) && !is_hermitian(c.operation) && c.transa == Op::ConjTrans)
                                : !is_hermitian(c.operation))
      choice.push_back(p);
  const auto number = [](Op op) { return op == Op::NoTrans ? 0u : op == Op::Trans ? 2u : 1u; };
  const unsigned transb = number(c.transb), which = (c.layout == Layout::RowMajor ? 1 : 0) ^
                                                    (c.side == Side::Right ? 2 : 0) ^ (c.uplo == Uplo::Upper ? 3 : 0) ^
                                                    (c.diag == Diag::Unit ? 2 : 0) ^ number(c.transa) ^
                                                    (transb ? transb + 1 : 0);
  return choice[which % choice.size()];
}

class Provider : public testing::TestWithParam<Operation> {};

TEST_P(Provider, GetsGemmOnly) {
  ASSERT_EQ(gemm_provider().path, SPY_PROVIDER) << gemm_provider().detail;
  count_paths(true);
  for (const Precision p : all_precisions)
    for (const Call& v : variants(GetParam(), p)) {
      if (chosen_precision(v) != p) continue;
      Call c = v;
      // More right-hand sides than the narrow path takes; the halves of a rank-k update are above any leaf too.
      set_sizes(c, is_update(GetParam()) ? 1040 : 520, 170, 30);
      c.alpha = 0.5;
      c.beta = 1;
      Operands o(c);
      const unsigned long long told = provider_gemm_calls(), asked = spied();
      execute(o.call());
      const Verdict verdict = o.verify({.lines = 2});
      EXPECT_TRUE(verdict.ok()) << to_text(c) << "\n" << verdict.words;
      EXPECT_EQ(provider_gemm_calls() - told, spied() - asked) << to_text(c);
      if (!is_vector(GetParam())) {
        EXPECT_GT(spied(), asked) << to_text(c) << ": no block went to the provider";
      }
    }
  count_paths(false);
}

TEST(ProviderOfAChild, HasDoneNothingYet) {
  count_paths(true);
  Call c = parse_call("dtrsm m=520 n=170 lda=520 ldb=520");
  Operands o(c);
  execute(o.call());
  const unsigned long long ours = provider_gemm_calls();
  EXPECT_GT(ours, 0u);
  EXPECT_EQ(in_child([] { return provider_gemm_calls() == 0 && path_counts().empty() ? 0 : 1; }), 0);
  EXPECT_EQ(provider_gemm_calls(), ours);
  count_paths(false);
}

/// A symmetric product is halved where a provider has the GEMM: two rectangles lie between the halves.
TEST(ProviderTasks, HaveTheLevelsOfTheRecursion) {
  Call c = parse_call("dsymm m=9000 n=300");
  const index leaf = explain(c).leaf;
  ASSERT_GT(leaf, 0);
  c.m = c.lda = c.ldb = c.ldc = 4 * leaf;
  std::vector<int> levels;
  for (const Task& t : tasks(c)) levels.push_back(t.level);
  std::sort(levels.begin(), levels.end());
  EXPECT_EQ(levels, (std::vector<int>{0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
}

INSTANTIATE_TEST_SUITE_P(All, Provider, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace trigon::test
