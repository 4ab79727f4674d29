// What the CUDA backend plans, from the sizes alone.
#include "cuda/plan.hpp"
#include "core/canonical.hpp"

#include <trigon/error.hpp>

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
  return workspace_size(r, plan(r, {}), {});
}

/// A caller who asks for the largest call can use the answer for all smaller ones.
TEST(CudaPlan, WorkspaceIsMonotone) {
  const auto narrow = [](index m, index n) {
    return workspace(("dtrsm m=" + std::to_string(m) + " n=" + std::to_string(n)).c_str());
  };
  EXPECT_EQ(workspace("dgemm m=500 n=500 k=500"), 0u);
  EXPECT_EQ(narrow(33, 16), sizeof(int) * (1 + 2 * 4));
  EXPECT_EQ(narrow(33, 64), sizeof(int) * (1 + 2 * 16));
  EXPECT_EQ(narrow(33, 6400), narrow(33, 64));
  const index sizes[] = {0, 1, 2, 3, 4, 5, 31, 32, 33, 63, 64, 65, 66, 127, 128, 129, 200};
  for (const std::string routine : {"dtrsm", "ztrsm", "strmm side=R", "ctrmm transa=T"}) {
    const auto bytes = [&](index m, index n) {
      return workspace((routine + " m=" + std::to_string(m) + " n=" + std::to_string(n)).c_str());
    };
    for (std::size_t i = 0; i + 1 < std::size(sizes); ++i)
      for (std::size_t j = 0; j + 1 < std::size(sizes); ++j) {
        EXPECT_LE(bytes(sizes[i], sizes[j]), bytes(sizes[i + 1], sizes[j])) << routine << sizes[i] << " " << sizes[j];
        EXPECT_LE(bytes(sizes[i], sizes[j]), bytes(sizes[i], sizes[j + 1])) << routine << sizes[i] << " " << sizes[j];
      }
  }
  core::Tuning t;
  t.cuda_narrow_rhs.value = {0, 0, 0, 0};
  const core::Request r = core::canonical(parse_call("dtrsm m=500 n=500"));
  EXPECT_EQ(workspace_size(r, plan(r, t), t), 0u);
}

/// The call itself takes what it uses.
TEST(CudaPlan, NeedsWhatItUses) {
  const auto need = [](const char* text) {
    const core::Request r = core::canonical(parse_call(text));
    return needed_bytes(r, plan(r, {}));
  };
  EXPECT_EQ(need("dtrsm m=33 n=64"), sizeof(int) * (1 + 2 * 16));
  EXPECT_EQ(need("ztrsm m=33 n=64"), sizeof(int) * (1 + 2 * 32));  // two columns at a time
  EXPECT_EQ(need("dtrsm m=33 n=65"), 0u);
  EXPECT_EQ(need("dtrsv n=33"), sizeof(int) * (1 + 2));
}

/// What the table may say is what there are kernels for.
TEST(CudaPlan, TheTableNamesNoKernelThatThereIsNot) {
  const core::Tuning t = core::parse_tuning(
      "cuda.tensor_units 0 0 0 1\ncuda.tile_n.z 32\ncuda.panel_warps 2 4 8 2\n"
      "cuda.chain_warps.s 4\ncuda.chain_blocks 1 2 3 32\n",
      "here");
  const Choice z = choice(Precision::ComplexDouble, t, false), d = choice(Precision::Double, t, false);
  EXPECT_TRUE(z.tensor_units && !d.tensor_units);
  EXPECT_FALSE(choice(Precision::ComplexDouble, t, true).tensor_units) << "TRIGON_REPRODUCIBLE";
  EXPECT_EQ(z.tile_columns, 32);
  EXPECT_EQ(d.panel_warps, 4);
  EXPECT_EQ(choice(Precision::Single, t, false).chain_warps, 4);
  EXPECT_EQ(z.chain_blocks, 32);
  for (const char* line : {"cuda.tensor_units.s 1", "cuda.tensor_units 0 2 0 0", "cuda.tile_n.d 96", "cuda.tile_n.d 32",
                           "cuda.tile_n.z 128", "cuda.panel_warps.c 1", "cuda.panel_warps.c 16", "cuda.panel_warps.c 3",
                           "cuda.chain_warps.z 2", "cuda.chain_blocks.d 0", "cuda.chain_blocks.d 33"})
    EXPECT_THROW(core::parse_tuning(line, "here"), error) << line;
}

TEST(CudaPlan, IsTold) {
  const auto text = [](const char* call) {
    const core::Request r = core::canonical(parse_call(call));
    std::string all;
    for (const std::string& line : words(r, plan(r, {}), choice(r.precision, {}, false))) all += line + "\n";
    return all;
  };
  EXPECT_NE(text("dtrsv n=500").find("narrow, one launch"), std::string::npos);
  EXPECT_NE(text("dtrsv n=500").find("8 warps each, at most 4 per multiprocessor"), std::string::npos);
  EXPECT_NE(text("dtrsm m=500 n=500").find("panels of at most 128"), std::string::npos);
  EXPECT_NE(text("dtrsm m=500 n=500").find("panels: blocks of 8 warps"), std::string::npos);
  EXPECT_NE(text("dtrsm m=500 n=500").find("FP64 tensor units"), std::string::npos);
  EXPECT_EQ(text("dtrsm m=100 n=500").find("tiles"), std::string::npos) << "one panel";
  EXPECT_EQ(text("cgemm m=5 n=5 k=5").find("tensor"), std::string::npos);
  EXPECT_NE(text("dgemm m=5 n=5 k=5").find("128 columns, where a result has 128 of them"), std::string::npos);
  EXPECT_NE(text("dgemm m=5 n=5 k=5").find("copied to the device"), std::string::npos);
}

}  // namespace
}  // namespace trigon::cuda
