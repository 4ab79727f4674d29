// What lies between the lines of a matrix is anybody's: pages there may be inaccessible.
#include "support/harness.hpp"
#include "support/thinning.hpp"
#include "support/variants.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <random>

namespace trigon::test {
namespace {

class Padding : public testing::TestWithParam<Operation> {
 protected:
  std::mt19937 random_{17};

  void run(Call c) {
    Case it{c};
    it.operands.seed = random_();
    // Lines end where pages do, or begin there.
    it.operands.place = random_() % 2 ? GuardedMemory::Place::EndsAtGuard : GuardedMemory::Place::StartsAtGuard;
    it.hide_padding = true;
    it.repeat = false;
    const Outcome outcome = run_case([](const Call& call) { execute(call); }, it);
    EXPECT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
  }
};

TEST_P(Padding, MayBeInaccessible) {
  constexpr index sizes[] = {1, 2, 3, 5, 7, 9, 11, 13, 17, 19, 23, 27, 31, 33, 37, 45, 53, 65, 71, 99, 131};
  const auto any = [&](index most) {
    index size = 0;
    do size = sizes[random_() % std::size(sizes)];
    while (size > most);
    return size;
  };
  const int rounds = one_in("TRIGON_TEST_SWEEP") >= 10 ? 1 : 8;
  for (const Precision p : all_precisions)
    for (const Call& v : variants(GetParam(), p)) {
      const auto bytes = static_cast<index>(with_type(p, [](auto zero) { return sizeof zero; }));
      for (int round = 0; round < rounds; ++round) {
        Call c = v;
        const index order = any(131), others = any(order > 70 ? 40 : 131);
        set_sizes(c, order, others, any(40));
        c.alpha = 0.5;
        c.beta = random_() % 2 ? 0 : -1;
        c.lda = c.ldb = c.ldc = 2 * sysconf(_SC_PAGESIZE) / bytes;
        c.incx = random_() % 2 ? c.lda : -c.lda;
        run(c);
        if (HasFailure()) return;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Padding, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace trigon::test
