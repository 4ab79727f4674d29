// The calls behind each entry of OpenCL's table: the shapes of factorisations, squares, k = 16 and 32, few right-hand
// sides. Entries that only make sense together are tried as sets; what no device does well is not among them, what the
// device at hand cannot do it refuses itself.
#include <string>
#include <utility>

#include "trigon/tune/study.hpp"

namespace trigon::tune {
namespace {

std::vector<Trial> trials(char precision, std::initializer_list<const char*> calls) {
  std::vector<Trial> list;
  for (const char* words : calls) list.push_back({parse_call(precision + std::string(words)), 0});
  return list;
}

Study choice(char p, const std::string& entry, std::vector<index> values, std::vector<Trial> calls, int threads,
             const std::string& kernels = "") {
  return {entry + "." + p, Kind::Choice, std::move(values), std::move(calls), threads, false, {}, {}, kernels};
}

std::vector<Trial> products(char p) {
  return trials(p, {"gemm m=512 n=512 k=512", "gemm m=1000 n=1000 k=32 transb=T", "syrk n=1000 k=16",
                    "syrk n=700 k=700", "symm m=500 n=500", "gemm m=1500 n=24 k=1500"});
}

/// Sets of values of several entries, the first of which is the kernels that they belong to.
Study sets(char p, const std::string& name, std::initializer_list<const char*> entries,
           std::vector<std::vector<index>> values, int threads) {
  Study s{"opencl." + name + "." + p, Kind::Sets, {}, products(p), threads};
  s.trials.insert(s.trials.begin(), {parse_call(p + std::string("gemm m=256 n=256 k=256")), 0});
  for (const char* entry : entries) s.entries.push_back(std::string("opencl.") + entry + "." + p);
  s.sets = std::move(values);
  for (std::size_t i = 0; i < s.sets.size(); ++i) s.values.push_back(static_cast<index>(i));
  return s;
}

bool is_double(char p) { return p == 'd' || p == 'z'; }
bool is_complex(char p) { return p == 'c' || p == 'z'; }

/// The register tile of packed panels: its sums take at most thirty registers of the vector's width.
Study panels(char p, int threads) {
  std::vector<std::vector<index>> list;
  for (const index width : {2, 4, 8, 16})
    for (const index rows : {4, 8})
      for (const index vectors : {1, 2, 3, 4}) {
        const index sums = rows * vectors * (is_complex(p) ? 2 : 1), bytes = width * (is_double(p) ? 8 : 4);
        if (bytes >= 16 && bytes <= 64 && sums >= 4 && sums <= 30) list.push_back({1, width, rows, vectors});
      }
  return sets(p, "panels", {"kernels", "vector", "rows", "vectors"}, std::move(list), threads);
}

/// Tiles: work-groups of 64 to 256, 4 to 64 sums a work-item (half as many if complex), nearly square ones.
Study tiles(char p, int threads) {
  const index parts = is_complex(p) ? 2 : 1, bytes = (is_double(p) ? 8 : 4) * parts;
  std::vector<std::vector<index>> list;
  for (const auto& [down, across] : {std::pair<index, index>{8, 8}, {8, 16}, {16, 16}})
    for (const index item_m : {2, 4, 8})
      for (const index item_n : {2, 4, 8}) {
        const index m = down * item_m, n = across * item_n, sums = item_m * item_n * parts;
        if (sums < 4 || sums > 64 || m > 128 || n > 128 || m > 2 * n || n > 2 * m) continue;
        for (const index k : {8, 16})
          if ((m + n + 2) * k * bytes <= 48 << 10) list.push_back({2, m, n, k, item_m, item_n, 1});
        if (down * across == 64) list.push_back({2, m, n, 1, item_m, item_n, 2});
      }
  return sets(p, "tiles", {"kernels", "tile_m", "tile_n", "tile_k", "item_m", "item_n", "tile_local"}, std::move(list),
              threads);
}

}  // namespace

std::vector<Study> opencl_studies(const std::string& precisions, int threads) {
  std::vector<Study> list;
  for (const char p : precisions) {
    list.push_back(panels(p, threads));
    list.push_back(tiles(p, threads));
    list.push_back(choice(p, "opencl.gemm_k", {64, 128, 256, 512}, products(p), threads, "packed panels"));
    list.push_back(choice(p, "opencl.gemm_m", {24, 48, 96, 192}, products(p), threads, "packed panels"));
    list.push_back(choice(p, "opencl.gemm_n", {192, 768, 3072, 12288}, products(p), threads, "packed panels"));
    list.push_back(choice(p, "opencl.leaf", {128, 256, 512, 1024, 2048},
                          trials(p, {"trsm m=700 n=700", "trsm m=1500 n=600 side=R", "trmm m=700 n=700",
                                     "symm m=1200 n=600", "trmm m=1500 n=300 uplo=U"}),
                          threads));
    list.push_back(choice(p, "opencl.leaf_few", {64, 128, 256, 512, 1024},
                          trials(p, {"trsm m=600 n=16", "trsm m=1500 n=16 uplo=U transa=T", "trsm m=1500 n=4"}),
                          threads));
    list.push_back(choice(
        p, "opencl.strip", {4, 8, 16, 32},
        trials(p, {"trsm m=256 n=2000", "trmm m=256 n=2000 uplo=U", "trsm m=200 n=300 transa=T", "trsm m=600 n=16"}),
        threads, "tiles"));
  }
  return list;
}

}  // namespace trigon::tune
