// Which instruction set runs. Highway compiles the kernels for each; the choice is ours, so that its
// run-time library, and the state other users of it share, are not needed.
#include "core/environment.hpp"
#include "core/once.hpp"
#include "cpu/kernels.hpp"

#include <hwy/detect_targets.h>

#include <cstdio>

namespace trigon::cpu {
namespace {

struct Candidate {
  std::int64_t target;
  const char* name;
};

// Best first; the static target is what the compiler may assume anyway.
constexpr Candidate candidates[] = {
#if HWY_ARCH_X86
    {HWY_AVX3, "avx512"},
    {HWY_AVX2, "avx2"},
#endif
    {HWY_STATIC_TARGET, HWY_STATIC_TARGET == HWY_NEON ? "neon" : "scalar"}};

bool runs([[maybe_unused]] std::int64_t target) {
#if HWY_ARCH_X86
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2");
  if (target == HWY_AVX2) return avx2;
  if (target == HWY_AVX3)
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#endif
  return true;
}

Targets choose() {
  Targets t;
  const std::string& wanted = core::environment().cpu_target;
  for (const Candidate& c : candidates) {
    if (!(HWY_TARGETS & c.target) || !runs(c.target)) continue;
    t.supported.push_back(c.name);
    if (t.chosen.empty() || wanted == c.name) t.chosen = c.name, t.target = c.target;
  }
  if (!wanted.empty() && wanted != t.chosen)
    std::fprintf(stderr, "trigon: TRIGON_CPU_TARGET=%s: not built, or not runnable here; %s is used\n", wanted.c_str(),
                 t.chosen.c_str());
  return t;
}

}  // namespace

const Targets& targets() {
  return core::once([] { return choose(); });
}

}  // namespace trigon::cpu
