// The calls behind each entry of OpenCL's table: the shapes of factorisations, squares, k = 16 and 32, few right-hand
// sides.
#include <string>

#include "trigon/tune/study.hpp"

namespace trigon::tune {
namespace {

std::vector<Trial> trials(char precision, std::initializer_list<const char*> calls) {
  std::vector<Trial> list;
  for (const char* words : calls) list.push_back({parse_call(precision + std::string(words)), 0});
  return list;
}

Study choice(char p, const std::string& entry, std::vector<index> values, std::vector<Trial> calls, int threads) {
  return {entry + "." + p, Kind::Choice, std::move(values), std::move(calls), threads};
}

std::vector<Trial> products(char p) {
  return trials(p, {"gemm m=512 n=512 k=512", "gemm m=1000 n=1000 k=32 transb=T", "syrk n=1000 k=16",
                    "syrk n=700 k=700", "symm m=500 n=500", "gemm m=1500 n=24 k=1500"});
}

}  // namespace

std::vector<Study> opencl_studies(const std::string& precisions, int threads) {
  std::vector<Study> list;
  for (const char p : precisions) {
    list.push_back(choice(p, "opencl.gemm_k", {64, 128, 256, 512}, products(p), threads));
    list.push_back(choice(p, "opencl.gemm_m", {48, 96, 192, 384}, products(p), threads));
    list.push_back(choice(p, "opencl.gemm_n", {96, 240, 480, 960}, products(p), threads));
    list.push_back(choice(p, "opencl.leaf", {128, 256, 512, 1024, 2048},
                          trials(p, {"trsm m=700 n=700", "trsm m=1500 n=600 side=R", "trmm m=700 n=700",
                                     "symm m=1200 n=600", "trmm m=1500 n=300 uplo=U"}),
                          threads));
    list.push_back(choice(p, "opencl.leaf_few", {64, 128, 256, 512, 1024},
                          trials(p, {"trsm m=600 n=16", "trsm m=1500 n=16 uplo=U transa=T", "trsm m=1500 n=4"}),
                          threads));
  }
  return list;
}

std::vector<Study> studies_of(const std::string& backend, const std::string& precisions, int threads) {
  return backend == "cpu" ? cpu_studies(precisions, threads) : opencl_studies(precisions, threads);
}

}  // namespace trigon::tune
