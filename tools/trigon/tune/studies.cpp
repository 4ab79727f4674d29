#include <algorithm>

#include "trigon/tune/study.hpp"

namespace trigon::tune {
namespace {

/// The plug-in, and what its tests make of it.
bool is_cuda(const std::string& backend) { return backend == "hip" || backend.starts_with("cuda"); }

}  // namespace

bool has_studies(const std::string& backend) { return backend == "cpu" || backend == "opencl" || is_cuda(backend); }

std::vector<Study> studies_of(const std::string& backend, const std::string& precisions, int threads) {
  if (backend == "cpu") return cpu_studies(precisions, threads);
  return is_cuda(backend) ? cuda_studies(precisions) : opencl_studies(precisions, threads);
}

void leave_out_larger(std::vector<Study>& studies, index most) {
  for (Study& s : studies)
    std::erase_if(s.trials, [&](const Trial& t) { return std::max({t.call.m, t.call.n, t.call.k}) > most; });
  std::erase_if(studies, [](const Study& s) { return s.trials.empty(); });
}

}  // namespace trigon::tune
