// `trigon bench --peers gemm`: which GEMM stands beside a row, and at whose flop rate it is timed.
#include "trigon/bench/own_gemm.hpp"

#include <gtest/gtest.h>
#include <trigon/error.hpp>

namespace trigon::bench {
namespace {

/// Takes a second for whatever it is given.
struct Fake final : Contestant {
  Contender self{"trigon", "", "", Entry::Cpp, true};
  const Contender& who() const override { return self; }
  bool prepare(const Row&, std::uint64_t, std::string&) override { return true; }
  Checked check() override { return {true}; }
  double sample(int, bool) override { return 1; }
  PlanInfo plan() override { return {}; }
  Counted counted() override { return {}; }
  void release() override {}
};

TEST(OwnGemm, HasTheOperandsOfTheRow) {
  const auto is = [](const char* row, const char* gemm) {
    EXPECT_EQ(to_text(gemm_of(parse_call(row))), to_text(parse_call(gemm)));
  };
  is("dtrsm side=L transa=T m=5 n=3 lda=7 ldb=9", "dgemm transa=T m=5 n=3 k=5 lda=7 ldb=9 ldc=9 beta=1");
  is("ztrmm side=R transa=C m=5 n=3 lda=7 ldb=9", "zgemm transb=C m=5 n=3 k=3 lda=9 ldb=7 ldc=9 beta=1");
  is("ssymm side=R m=5 n=3 lda=7 ldb=9 ldc=8", "sgemm m=5 n=3 k=3 lda=9 ldb=7 ldc=8 beta=1");
  is("zsyrk trans=N n=5 k=3 lda=7 ldc=8", "zgemm transb=T m=5 n=5 k=3 lda=7 ldb=7 ldc=8 beta=1");
  is("zherk trans=N n=5 k=3 lda=7 ldc=8", "zgemm transb=C m=5 n=5 k=3 lda=7 ldb=7 ldc=8 beta=1");
  is("dsyr2k trans=T n=5 k=3 lda=7 ldb=9 ldc=8", "dgemm transa=T m=5 n=5 k=3 lda=7 ldb=9 ldc=8 beta=1");
  EXPECT_THROW(gemm_of(parse_call("dtrsv n=3")), error);
}

TEST(OwnGemm, IsTimedAtItsFlopRate) {
  const auto time = [](const char* row) {
    const auto gemm = as_gemm(std::make_unique<Fake>());
    std::string why;
    return gemm->prepare({parse_call(row), 1, ""}, 1, why) ? gemm->sample(1, false) : 0;
  };
  EXPECT_DOUBLE_EQ(time("dtrsm m=60 n=40"), 0.5);
  EXPECT_DOUBLE_EQ(time("dsymm m=60 n=40"), 1);
  EXPECT_EQ(time("dtrmv n=9"), 0);
  EXPECT_FALSE(as_gemm(std::make_unique<Fake>())->who().is_trigon);
}

}  // namespace
}  // namespace trigon::bench
