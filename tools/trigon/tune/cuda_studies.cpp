// The calls behind each entry of CUDA's table, which is HIP's as well. Each scale reaches from what a tool that counts
// operations can carry out to what fills a large device.
#include <initializer_list>
#include <string>

#include "trigon/tune/study.hpp"

namespace trigon::tune {
namespace {

constexpr index never = index{1} << 40;

std::string sizes(index m, index n) { return " m=" + std::to_string(m) + " n=" + std::to_string(n); }

Call call(char precision, const std::string& words) { return parse_call(precision + words); }

Study leaves(char p) {
  Study s{std::string("cuda.leaf.") + p, Kind::Choice, {32, 64, 128, 256, 512}, {}, 1};
  for (const index n : {160, 700, 2000, 6000})
    for (const char* words : {"trsm", "trmm uplo=U", "trsm side=R transa=T"})
      s.trials.push_back({call(p, words + sizes(n, n)), 0});
  for (const char* words : {"trsm m=4000 n=200", "trmm m=200 n=4000"}) s.trials.push_back({call(p, words), 0});
  return s;
}

Study narrow_rhs(char p) {
  Study s{std::string("cuda.narrow_rhs.") + p, Kind::UpTo, {0, never}, {}, 1};
  for (const index rhs : {8, 16, 32, 48, 64, 96, 128, 192, 256})
    for (const index n : {96, 1000, 4000, 16000})
      for (const char* words : {"trsm", "trsm transa=T", "trmm uplo=U"})
        s.trials.push_back({call(p, words + sizes(n, rhs)), rhs});
  return s;
}

/// Tiles as products.cuh has them: 128 × 128, if complex 64 × 64.
Study large_tiles(const std::string& precisions) {
  Study s{"cuda.large_tiles", Kind::From, {0, never}, {}, 1};
  for (const char p : precisions) {
    const index side = p == 'c' || p == 'z' ? 64 : 128;
    for (const index across : {1, 4, 8, 12, 16, 24})
      for (const char* words : {"gemm k=150", "gemm transa=T k=2000"})
        s.trials.push_back({call(p, words + sizes(across * side, across * side)), across * across});
  }
  return s;
}

/// Products of large matrices: general ones, and perhaps those of a symmetric one or for half a result.
Study products(const std::string& entry, char p, std::vector<index> values, bool formed) {
  Study s{entry + "." + p, Kind::Choice, std::move(values), {}, 1};
  for (const index n : {96, 1000, 4000}) {
    const std::string depth = " k=" + std::to_string(n);
    for (const char* words : {"gemm", "gemm transa=T"}) s.trials.push_back({call(p, words + sizes(n, n) + depth), 0});
    for (const char* words : {"syrk", "syr2k transa=T"})
      if (formed) s.trials.push_back({call(p, words + (" n=" + std::to_string(n)) + depth), 0});
    if (formed) s.trials.push_back({call(p, "symm uplo=U" + sizes(n, n)), 0});
  }
  return s;
}

Study panel_warps(char p) {
  Study s{std::string("cuda.panel_warps.") + p, Kind::Choice, {2, 4, 8}, {}, 1};
  for (const char* words : {"trsm m=120 n=70", "trsm m=120 n=1000", "trmm m=120 n=6000 uplo=U", "trsm m=3000 n=3000"})
    s.trials.push_back({call(p, words), 0});
  return s;
}

/// Few right-hand sides.
Study chains(const std::string& entry, char p, std::vector<index> values) {
  Study s{entry + "." + p, Kind::Choice, std::move(values), {}, 1};
  for (const index n : {70, 2000, 8000, 16000})
    for (const char* words : {"trsm", "trsm transa=T", "trmm uplo=U"})
      for (const index rhs : {1, 10}) s.trials.push_back({call(p, words + sizes(n, rhs)), 0});
  return s;
}

Study provider_work(char p) {
  Study s{std::string("cuda.provider_work.") + p, Kind::From, {1, never}, {}, 1, true};
  for (const index n : {96, 256, 512, 1024, 2048, 4096, 8192})
    for (const char* words : {"gemm", "gemm transa=T"})
      s.trials.push_back({call(p, words + sizes(n, n) + " k=" + std::to_string(n)), n * n * n});
  return s;
}

}  // namespace

std::vector<Study> cuda_studies(const std::string& precisions) {
  std::vector<Study> list{large_tiles(precisions)};
  for (const char p : precisions) {
    const index columns = p == 'c' || p == 'z' ? 64 : 128;
    if (p == 'd' || p == 'z') list.push_back(products("cuda.tensor_units", p, {0, 1}, true));
    list.push_back(products("cuda.tile_n", p, {columns / 2, columns}, false));
    list.push_back(provider_work(p));
    list.push_back(panel_warps(p));
    list.push_back(leaves(p));
    list.push_back(chains("cuda.chain_warps", p, {4, 8}));
    list.push_back(chains("cuda.chain_blocks", p, {1, 2, 4, 8}));
    list.push_back(narrow_rhs(p));
  }
  return list;
}

}  // namespace trigon::tune
