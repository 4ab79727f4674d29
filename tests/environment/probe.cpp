// Prints a hash of the result bits of a fixed list of calls, one per line, for comparison between processes.
// Arguments: the distance in elements of each operand from a page boundary, and the rounds.
#include "support/variants.hpp"

#include <trigon/operands.hpp>

#include <cstdio>
#include <cstdlib>

namespace trigon {
namespace {

std::uint64_t hash(const Operands& o) {
  const Call& c = o.call();
  const bool vector = test::is_vector(c.operation), b = test::is_triangular(c.operation);
  const index rows = test::is_rank_k(c.operation) || vector ? c.n : c.m, columns = vector ? 1 : c.n;
  std::uint64_t h = 1469598103934665603u;
  with_type(c.precision, [&](auto zero) {
    using T = decltype(zero);
    T* p = static_cast<T*>(o.result());
    for (index j = 0; j < columns; ++j)
      for (index i = 0; i < rows; ++i) {
        if (test::is_rank_k(c.operation) && i != j && (i > j) != (c.uplo == Uplo::Lower)) continue;
        const T v = vector ? reference::Strided<T>{p, c.n, c.incx}(i)
                           : reference::Stored<T>{p, b ? c.ldb : c.ldc, c.layout}(i, j);
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, &v, sizeof v);
        for (const unsigned char byte : bytes) h = (h ^ byte) * 1099511628211u;
      }
  });
  return h;
}

struct Probe {
  std::size_t shift;
  int rounds;

  void of(Call c, std::size_t seed, index order, index others) const {
    test::set_sizes(c, order, others, others);
    const std::size_t size = with_type(c.precision, [](auto zero) { return sizeof zero; });
    Operands o(c, {.seed = seed, .place = GuardedMemory::Place::StartsAtGuard, .shift = shift * size});
    for (int round = 0; round < rounds; ++round) {
      o.restore();
      execute(o.call());
      std::printf("%016llx %s\n", static_cast<unsigned long long>(hash(o)), to_text(o.call()).c_str());
    }
  }
};

void run(int argc, char** argv) {
  const Probe probe{argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0, argc > 2 ? std::atoi(argv[2]) : 1};
  constexpr std::pair<index, index> sizes[] = {{7, 3}, {33, 1}, {40, 70}, {150, 9}, {130, 193}, {300, 40}, {300, 60}};
  // Kernels of their own serve these; with complex numbers the roles of the factors show in the bits.
  constexpr std::pair<index, index> small[] = {{1, 1}, {2, 8}, {4, 9}, {8, 2}, {9, 1}, {14, 5}, {5, 40}, {40, 50}};
  for (const Operation op : test::all_operations())
    for (const Precision p : test::all_precisions) {
      const std::vector<Call> all = test::variants(op, p);
      for (std::size_t i = 0; i < all.size(); ++i) {
        Call c = all[i];
        c.alpha = -0.75;
        c.beta = 0.5;
        for (const auto& [order, others] : sizes)
          if (i % (1 + all.size() / 7) == 0) probe.of(c, i + 1, order, others);
        for (const auto& [order, others] : small) {
          c.alpha = order % 4 == 1 ? 0.5 : 1;
          c.beta = order % 2;
          probe.of(c, i + 1, order, others);
        }
      }
    }
}

}  // namespace
}  // namespace trigon

int main(int argc, char** argv) { trigon::run(argc, argv); }
