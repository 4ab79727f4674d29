#include "core/processors.hpp"

#include "core/once.hpp"

#include <fstream>

namespace trigon::core {

Processor this_processor() {
  Processor p;
#if defined(__x86_64__) || defined(__i386__)
  __builtin_cpu_init();
  p.avx512 = __builtin_cpu_supports("avx512f");
  p.avx2_alone = __builtin_cpu_supports("avx2") && !p.avx512;
  p.intel = __builtin_cpu_is("intel");
  p.amd = __builtin_cpu_is("amd");
  p.halves = p.avx512 && __builtin_cpu_is("amdfam19h");
#endif
  // Of the first processor, wherever this one runs: it shall be the same every run.
  p.large_cache = once([] {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index2/size");
    index size = 0;
    char unit = 0;
    return file >> size >> unit && unit == 'K' && size >= 2048;
  });
  return p;
}

Tuning tuning_of(const Processor& p) {
  Tuning table;
  if (p.large_cache) table.cpu_leaf = {{1024, 1024, 1024, 1024}};
  if (p.avx2_alone) {  // measured on Zen 1, what follows the empty line on Zen 3
    // Turning blocks of a symmetric matrix in sixteen registers costs more than packing them, but for a few columns
    // (those of z on Zen 3).
    table.cpu_slender_rhs = {{16, 8, 12, 4}}, table.cpu_slender_rhs_small = {{12, 4, 12, 4}};

    table.cpu_narrow_rhs_large = {{96, 96, 64, 64}};
    table.cpu_narrow_rhs_huge = {{96, 56, 64, 64}};  // that of d on Zen 1
    table.cpu_gemm_k = {{384, 256, 256, 512}};
    table.cpu_in_place_product = table.cpu_in_place_product_many = {{16, 20, 10, 13}};
  } else if (p.intel && p.avx512) {
    table.cpu_small_order = {{320, 256, 64, 48}};
    // Panels of deeper blocks come from the second cache, and C passes less often.
    if (p.large_cache) table.cpu_gemm_k = {{512, 512, 256, 192}}, table.cpu_gemm_m = {{48, 48, 96, 96}};
    // Packing a triangle that lies in the third cache takes as long as it saves, of reals if it is divided.
    if (p.large_cache)
      table.cpu_narrow_rhs_large = {{96, 96, 160, 160}}, table.cpu_narrow_rhs_huge = {{160, 160, 160, 160}};
    // Shuffles of 512 bits go where half of the multiply-adds go.
    table.cpu_in_place_product = {{256, 256, 32, 19}}, table.cpu_in_place_product_many = {{256, 256, 8, 11}};
    table.cpu_in_place_solve = {{256, 256, 0, 0}};
    if (p.large_cache) table.cpu_in_place_solve = {{768, 576, 0, 0}};  // they lie in the second cache
    // Lines take long from one such cache to another, and single precision takes half as long.
    if (p.large_cache) table.cpu_thread_flops = {{250'000, 125'000, 200'000, 125'000}};
    if (p.large_cache) table.cpu_thread_rhs_flops = {{125'000, 62'500, 100'000, 62'500}};
    table.cpu_slender_rhs = {{48, 48, 32, 32}}, table.cpu_slender_rhs_small = {{8, 16, 16, 16}};
  } else if (p.halves) {  // measured on Zen 4
    table.cpu_fetched_bytes = 12 << 20;
    table.cpu_solve_blocks = {{1, 1, 2, 1}};
  } else if (p.amd && p.avx512) {  // on Zen 5
    table.cpu_gemm_k = {{384, 384, 384, 384}};
    table.cpu_small_order = {{320, 320, 320, 192}};
    table.cpu_in_place_solve = {{576, 384, 256, 128}};
  }
  return table;
}

}  // namespace trigon::core
