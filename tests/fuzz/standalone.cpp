// The fuzz target without libFuzzer: a number of seeded random inputs, or the inputs in the files named.
//   doors_fuzz RUNS [SEED]
//   doors_fuzz FILE...
#include "fuzz/target.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  char* end = nullptr;
  const unsigned long runs = argc > 1 ? std::strtoul(argv[1], &end, 10) : 1000;
  if (argc > 1 && *end != '\0') {
    for (int i = 1; i < argc; ++i) {
      std::ifstream file(argv[i], std::ios::binary);
      if (!file) {
        std::fprintf(stderr, "%s cannot be read\n", argv[i]);
        return 2;
      }
      const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    std::printf("%d inputs, none failed\n", argc - 1);
    return 0;
  }
  const unsigned long seed =
      argc > 2 ? std::strtoul(argv[2], nullptr, 10)
               : static_cast<unsigned long>(std::chrono::system_clock::now().time_since_epoch().count());
  std::printf("seed %lu\n", seed);
  std::fflush(stdout);
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes(40);
  for (unsigned long i = 0; i < runs; ++i) {
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::uint8_t>(random() >> 32); });
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::printf("%lu inputs, none failed\n", runs);
}
