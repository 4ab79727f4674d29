// What the CUDA backend plans, from the sizes alone.
#include "cuda/plan.hpp"
#include "core/canonical.hpp"

#include <gtest/gtest.h>

namespace trigon::cuda {
namespace {

using core::Path;

core::Plan planned(const char* text, const core::Tuning& t = {}) { return plan(core::canonical(parse_call(text)), t); }

TEST(CudaPlan, FollowsSizesAndTuning) {
  EXPECT_EQ(planned("dtrsm m=0 n=5").path, Path::Nothing);
  EXPECT_EQ(planned("dgemm m=5 n=5 k=0 beta=1").path, Path::Nothing);
  EXPECT_EQ(planned("dgemm m=5 n=5 k=0 beta=2").path, Path::Scale);
  EXPECT_EQ(planned("dtrmm m=500 n=500 alpha=0").path, Path::Scale);
  EXPECT_EQ(planned("dtrsm m=5000 n=64").path, Path::Narrow);
  EXPECT_EQ(planned("dtrsm m=5000 n=65").path, Path::Recursion);
  EXPECT_EQ(planned("dtrsm m=5000 n=64 side=R").path, Path::Packed);
  EXPECT_EQ(planned("ztrmm m=64 n=100").path, Path::Packed);
  EXPECT_EQ(planned("ztrmm m=65 n=100").path, Path::Recursion);
  EXPECT_EQ(planned("ztrmm m=65 n=100").leaf, 64);
  EXPECT_EQ(planned("strsv n=100000").path, Path::Narrow);
  EXPECT_EQ(planned("zher2k n=5000 k=5000").path, Path::Packed);
  core::Tuning t;
  t.cuda_narrow_rhs.value = {0, 0, 0, 0};
  EXPECT_EQ(planned("dtrsm m=5000 n=1", t).path, Path::Recursion);
  EXPECT_EQ(planned("dtrsv n=5000", t).path, Path::Narrow);
}

std::size_t workspace(const char* text) {
  const core::Request r = core::canonical(parse_call(text));
  return workspace_size(r, plan(r, {}));
}

/// A caller who asks for the largest call can use the answer for all smaller ones.
TEST(CudaPlan, WorkspaceIsMonotone) {
  const auto narrow = [](index m, index n) {
    return workspace(("dtrsm m=" + std::to_string(m) + " n=" + std::to_string(n)).c_str());
  };
  EXPECT_EQ(workspace("dgemm m=500 n=500 k=500"), 0u);
  EXPECT_EQ(narrow(33, 16), sizeof(int) * (1 + 2 * 4));
  for (index m = 1; m < 200; ++m)
    for (index n = 1; n <= 16; ++n) {
      EXPECT_LE(narrow(m, n), narrow(m + 1, n));
      EXPECT_LE(narrow(m, n), narrow(m, n + 1 > 16 ? 16 : n + 1)) << m << " " << n;
    }
}

TEST(CudaPlan, IsTold) {
  const auto text = [](const char* call) {
    const core::Request r = core::canonical(parse_call(call));
    std::string all;
    for (const std::string& line : words(r, plan(r, {}))) all += line + "\n";
    return all;
  };
  EXPECT_NE(text("dtrsv n=500").find("narrow, one launch"), std::string::npos);
  EXPECT_NE(text("dtrsm m=500 n=500").find("panels of at most 128"), std::string::npos);
  EXPECT_NE(text("dgemm m=5 n=5 k=5").find("copied to the device"), std::string::npos);
}

}  // namespace
}  // namespace trigon::cuda
