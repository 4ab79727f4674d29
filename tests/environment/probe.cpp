// Prints a hash of the result bits of a fixed list of calls, one per line, for comparison between processes.
// Arguments: the distance in elements of each operand from a page boundary, the rounds, of how many small and of how
// many larger calls there is one, so that each variant still has some; or "special": calls with infinities, NaNs and
// zeros of both signs; or "few": GEMM with few lines of C, and other products that are long one way. Before them
// "downwards": so everything is rounded.
#include "support/variants.hpp"

#include <trigon/lapack.hpp>
#include <trigon/operands.hpp>

#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

namespace trigon {
namespace {

/// One NaN for all of them: which of several a sum returns is the machine's choice.
template <class T>
T with_one_nan(T v) {
  const auto part = [](real_t<T> x) { return std::isnan(x) ? std::numeric_limits<real_t<T>>::quiet_NaN() : x; };
  if constexpr (is_complex<T>)
    return T(part(v.real()), part(v.imag()));
  else
    return part(v);
}

struct Hash {
  std::uint64_t value = 1469598103934665603u;
  template <class T>
  void add(T v) {
    v = with_one_nan(v);
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &v, sizeof v);
    for (const unsigned char byte : bytes) value = (value ^ byte) * 1099511628211u;
  }
};

std::uint64_t hash(const Operands& o) {
  const Call& c = o.call();
  const bool vector = test::is_vector(c.operation), b = test::is_triangular(c.operation);
  const index rows = test::is_rank_k(c.operation) || vector ? c.n : c.m, columns = vector ? 1 : c.n;
  Hash h;
  with_type(c.precision, [&](auto zero) {
    using T = decltype(zero);
    T* p = static_cast<T*>(o.result());
    for (index j = 0; j < columns; ++j)
      for (index i = 0; i < rows; ++i) {
        if (test::is_rank_k(c.operation) && i != j && (i > j) != (c.uplo == Uplo::Lower)) continue;
        h.add<T>(vector ? reference::Strided<T>{p, c.n, c.incx}(i)
                        : reference::Stored<T>{p, b ? c.ldb : c.ldc, c.layout}(i, j));
      }
  });
  return h.value;
}

struct Probe {
  std::size_t shift;
  int rounds;

  void of(Call c, std::size_t seed, index order, index others) const {
    test::set_sizes(c, order, others, others);
    as_it_is(c, seed);
  }
  void as_it_is(const Call& c, std::size_t seed) const {
    const std::size_t size = with_type(c.precision, [](auto zero) { return sizeof zero; });
    Operands o(c, {.seed = seed, .place = GuardedMemory::Place::StartsAtGuard, .shift = shift * size});
    for (int round = 0; round < rounds; ++round) {
      o.restore();
      execute(o.call());
      std::printf("%016llx %s\n", static_cast<unsigned long long>(hash(o)), to_text(o.call()).c_str());
    }
  }
};

/// LAPACK's routines, on a matrix that is definite and, with random numbers in both triangles, general as well.
template <class T>
void run_factors(std::size_t shift, int rounds) {
  constexpr Layout layout = Layout::ColMajor;
  for (const index n : {5, 70, 300}) {
    const auto of = [&](const char* name, const auto& routine) {
      for (int round = 0; round < rounds; ++round) {
        std::vector<T> memory(static_cast<std::size_t>(n * n) + shift);
        T* const a = memory.data() + shift;
        std::mt19937 random(9);
        for (index i = 0; i < n * n; ++i)
          a[i] = static_cast<real_t<T>>(static_cast<int>(random() % 2001) - 1000) / 1000;
        for (index i = 0; i < n; ++i) a[i * (n + 1)] = static_cast<real_t<T>>(name[0] == 'g' ? 1 : n);
        Hash h;
        h.add(static_cast<double>(routine(a)));
        for (index i = 0; i < n * n; ++i) h.add(a[i]);
        std::printf("%016llx %c%s n=%d\n", static_cast<unsigned long long>(h.value), static_cast<char>(precision_of<T>),
                    name, static_cast<int>(n));
      }
    };
    std::vector<std::int64_t> pivots(static_cast<std::size_t>(n));
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      of("potrf", [&](T* a) { return potrf(layout, uplo, n, a, n); });
      of("potri", [&](T* a) { return potri(layout, uplo, n, a, n); });
      of("trtri", [&](T* a) { return trtri(layout, uplo, Diag::NonUnit, n, a, n); });
    }
    of("getrf", [&](T* a) { return getrf(layout, n, n, a, n, pivots.data()); });
  }
}

/// Small whole numbers, so that sums vanish, and zeros of both signs; in right-hand sides of a triangle infinities and
/// NaNs as well. What a call does not reference stays NaN.
template <class T>
void put_special_numbers(const Call& c, std::mt19937& random) {
  using List = std::vector<real_t<T>>;
  constexpr auto inf = std::numeric_limits<real_t<T>>::infinity(), nan = std::numeric_limits<real_t<T>>::quiet_NaN();
  const bool triangular = test::is_triangular(c.operation), vector = test::is_vector(c.operation);
  const List entries{-1, 0, 1}, diagonal{-1, 1, 2}, zeros{0, -real_t<T>(0), -1, 1}, special{0, 0, -1, inf, -inf, nan};
  const auto put = [&](T& x, const List& list) {
    real_t<T> parts[2];
    for (auto& part : parts) part = list[random() % list.size()];
    std::memcpy(&x, parts, sizeof x);
  };
  const reference::Stored<T> a{static_cast<T*>(const_cast<void*>(c.a)), c.lda, c.layout};
  const Extent size = extent(c, Argument::A), others = extent(c, Argument::B);
  const bool square = !test::is_rank_k(c.operation) && c.operation != Operation::Gemm;
  for (index i = 0; i < size.rows; ++i)
    for (index j = 0; j < size.cols; ++j)
      if (!square || (i == j ? c.diag == Diag::NonUnit : (i > j) == (c.uplo == Uplo::Lower)))
        put(a(i, j), triangular && i == j ? diagonal : entries);
  if (c.operation == Operation::Syrk || c.operation == Operation::Herk) return;
  for (index i = 0; i < others.rows; ++i)
    for (index j = 0; j < others.cols; ++j)
      put(vector ? reference::Strided<T>{static_cast<T*>(c.b), c.n, c.incx}(i)
                 : reference::Stored<T>{static_cast<T*>(c.b), c.ldb, c.layout}(i, j),
          triangular && random() % static_cast<unsigned>(2 * size.rows) == 0 ? special : zeros);
}

/// Calls of all sizes at which another kernel takes over, with such operands.
void run_special() {
  std::mt19937 random(5);
  for (const Operation op : test::all_operations())
    for (const Precision p : test::all_precisions) {
      const std::vector<Call> all = test::variants(op, p);
      const bool triangular = test::is_triangular(op);
      for (const index order : {1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 15, 16, 17, 24, 25, 33, 65})
        for (const index others : {1, 2, 3, 4, 5, 8, 9, 13, 17, 25, 49}) {
          if (all.empty() || (test::is_vector(op) && others > 4)) continue;
          for (int count = 0; count < (triangular ? 4 : 1); ++count) {
            Call c = all[random() % all.size()];
            test::set_sizes(c, order, others, others);
            c.alpha = random() % 2 ? 1 : -0.5;
            c.beta = random() % 2 ? 1 : 0;
            if (test::is_vector(op)) c.incx = random() % 2 ? 1 : -2;
            Operands o(c, {.seed = random(), .protect = false});
            with_type(p, [&](auto zero) { put_special_numbers<decltype(zero)>(o.call(), random); });
            execute(o.call());
            std::printf("%016llx %s\n", static_cast<unsigned long long>(hash(o)), to_text(o.call()).c_str());
          }
        }
    }
}

/// GEMM of few rows or columns, of one variant with a factor of more than eight megabytes.
void run_narrow(const Probe& probe) {
  for (const Precision p : test::all_precisions) {
    const std::vector<Call> all = test::variants(Operation::Gemm, p);
    const std::size_t step = 1 + all.size() / 7;
    const index far = p == Precision::Single ? 1470 : p == Precision::ComplexDouble ? 735 : 1040;
    const struct {
      index m, n, k;
    } sizes[] = {{5, 70, 130}, {20, 150, 90}, {150, 4, 90}, {150, 12, 60}, {3, far, far}, {far, 6, far}};
    for (std::size_t i = 0; i < all.size(); i += step)
      for (const auto& [m, n, k] : sizes) {
        if (i > 0 && k == far) continue;
        Call c = all[i];
        c.m = m, c.n = n, c.k = k;
        c.alpha = -0.75, c.beta = 0.5;
        probe.as_it_is(c, i + 1);
      }
  }
}

/// Products for which the short way and a plan have rules of their own.
void run_few() {
  constexpr struct {
    index m, n, k;
  } sizes[] = {{1, 200, 30}, {1, 40, 2},   {2, 250, 32}, {2, 32, 120}, {2, 200, 9}, {4, 90, 50},  {8, 18, 170},
               {200, 1, 30}, {250, 2, 32}, {400, 3, 40}, {20, 7, 200}, {90, 20, 5}, {20, 20, 90}, {30, 120, 8}};
  for (const Precision p : test::all_precisions)
    for (Call c : test::variants(Operation::Gemm, p))
      for (const auto& [m, n, k] : sizes) {
        c.m = m, c.n = n, c.k = k;
        c.alpha = m % 4 ? -0.75 : 1, c.beta = n % 4 ? 0.5 : 1;
        Probe{0, 1}.as_it_is(c, static_cast<std::size_t>(m + n + k));
      }
}

void run(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "downwards") == 0) {
    std::fesetround(FE_DOWNWARD);
    return run(argc - 1, argv + 1);
  }
  if (argc > 1 && std::strcmp(argv[1], "special") == 0) return run_special();
  if (argc > 1 && std::strcmp(argv[1], "few") == 0) return run_few();
  const auto argument = [&](int at, std::size_t otherwise) {
    return argc > at ? std::size_t{std::strtoul(argv[at], nullptr, 10)} : otherwise;
  };
  const Probe probe{argument(1, 0), static_cast<int>(argument(2, 1))};
  const std::size_t one_small_in = argument(3, 1), one_large_in = argument(4, 1);
  constexpr std::pair<index, index> sizes[] = {{7, 3}, {33, 1}, {40, 70}, {150, 9}, {130, 193}, {300, 40}, {300, 60}};
  // Kernels of their own serve these; with complex numbers the roles of the factors show in the bits.
  constexpr std::pair<index, index> small[] = {{1, 1}, {2, 8}, {4, 9}, {8, 2}, {9, 1}, {14, 5}, {5, 40}, {40, 50}};
  for (const Operation op : test::all_operations())
    for (const Precision p : test::all_precisions) {
      const std::vector<Call> all = test::variants(op, p);
      const std::size_t step = 1 + all.size() / 7;
      for (std::size_t i = 0; i < all.size(); ++i) {
        Call c = all[i];
        c.alpha = -0.75;
        c.beta = 0.5;
        for (std::size_t s = 0; s < std::size(sizes); ++s)
          if (i % step == 0 && (i / step + s) % one_large_in == 0) probe.of(c, i + 1, sizes[s].first, sizes[s].second);
        for (std::size_t s = 0; s < std::size(small); ++s) {
          const auto& [order, others] = small[s];
          c.alpha = order % 4 == 1 ? 0.5 : 1;
          c.beta = order % 2;
          if ((i + s + static_cast<std::size_t>(p)) % one_small_in == 0) probe.of(c, i + 1, order, others);
        }
      }
    }
  run_narrow(probe);
  for (const Precision p : test::all_precisions)
    with_type(p, [&](auto zero) { run_factors<decltype(zero)>(probe.shift, probe.rounds); });
}

}  // namespace
}  // namespace trigon

int main(int argc, char** argv) { trigon::run(argc, argv); }
