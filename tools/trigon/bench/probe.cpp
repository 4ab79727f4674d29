#include "trigon/bench/probe.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <thread>

#include "trigon/bench/statistics.hpp"

namespace trigon::bench {
namespace {

// A value the compiler must believe is used and changed here.
template <class T>
[[gnu::always_inline]] inline void opaque(T& value) {
  asm volatile("" : "+m"(value));
}

// Vectors that only pass through inlined code; the ABI note about them does not apply.
template <class R, int bytes>
struct VectorOf {
  typedef R type __attribute__((vector_size(bytes), may_alias, aligned(bytes)));
};

constexpr int chains = 12;  // more than latency times ports anywhere, and fits sixteen registers

template <class R, int bytes>
[[gnu::always_inline]] inline double multiply_adds(long rounds) {
  using V = typename VectorOf<R, bytes>::type;
  R seed = R(0.999), addend = R(1e-3);
  opaque(seed);
  opaque(addend);
  const V x = V{} + seed, y = V{} + addend;
  V a0 = y, a1 = y + y, a2 = x, a3 = x + y, a4 = y - x, a5 = x - y, a6 = x * y, a7 = x + x, a8 = x * x, a9 = y * y,
    a10 = x + a6, a11 = y + a6;
  for (long i = 0; i < rounds; ++i) {
    a0 = a0 * x + y, a1 = a1 * x + y, a2 = a2 * x + y, a3 = a3 * x + y;
    a4 = a4 * x + y, a5 = a5 * x + y, a6 = a6 * x + y, a7 = a7 * x + y;
    a8 = a8 * x + y, a9 = a9 * x + y, a10 = a10 * x + y, a11 = a11 * x + y;
  }
  V sum = ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7)) + ((a8 + a9) + (a10 + a11));
  opaque(sum);
  return 2.0 * chains * (bytes / sizeof(R)) * static_cast<double>(rounds);
}

template <int bytes>
[[gnu::always_inline]] inline void read_all(const double* data, std::size_t count) {
  using V = typename VectorOf<double, bytes>::type;
  constexpr std::size_t lanes = bytes / sizeof(double);
  V s0{}, s1{}, s2{}, s3{}, s4{}, s5{}, s6{}, s7{};
  const auto* p = reinterpret_cast<const V*>(data);
  for (std::size_t i = 0; i + 8 <= count / lanes; i += 8) {
    s0 += p[i], s1 += p[i + 1], s2 += p[i + 2], s3 += p[i + 3];
    s4 += p[i + 4], s5 += p[i + 5], s6 += p[i + 6], s7 += p[i + 7];
  }
  V sum = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
  opaque(sum);
}

struct Kernels {
  const char* name;
  double (*single)(long);
  double (*twice)(long);
  void (*read)(const double*, std::size_t);
};

#define TRIGON_PROBE(suffix, bytes, ...)                                                    \
  __VA_ARGS__ double single_##suffix(long n) { return multiply_adds<float, bytes>(n); }     \
  __VA_ARGS__ double double_##suffix(long n) { return multiply_adds<double, bytes>(n); }    \
  __VA_ARGS__ void read_##suffix(const double* p, std::size_t n) { read_all<bytes>(p, n); } \
  constexpr Kernels kernels_##suffix = {#suffix, single_##suffix, double_##suffix, read_##suffix};

TRIGON_PROBE(vector128, 16)
#if defined(__x86_64__)
TRIGON_PROBE(avx2, 32, __attribute__((target("avx2,fma"))))
TRIGON_PROBE(avx512, 64, __attribute__((target("avx512f"))))
#endif
#undef TRIGON_PROBE

const Kernels& kernels() {
#if defined(__x86_64__)
  static const Kernels& best = __builtin_cpu_supports("avx512f")                                 ? kernels_avx512
                               : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? kernels_avx2
                                                                                                 : kernels_vector128;
  return best;
#else
  return kernels_vector128;
#endif
}

/// The best rate of several runs of `work(thread)`, which returns how much it did.
template <class Work>
double best_rate(int threads, const Work& work) {
  double best = 0;
  for (int repeat = 0; repeat < 7; ++repeat) {
    std::vector<double> rates(static_cast<std::size_t>(threads));
    const auto one = [&](int t) {
      const Clock clock = threads == 1 ? Clock::Cpu : Clock::Wall;
      const double begin = now(clock);
      const double done = work(t);
      rates[static_cast<std::size_t>(t)] = done / (now(clock) - begin);
    };
    std::vector<std::thread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(one, t);
    one(0);
    for (auto& thread : others) thread.join();
    double sum = 0;
    for (const double rate : rates) sum += rate;
    best = std::max(best, sum);
  }
  return best;
}

}  // namespace

std::string probe_target() { return kernels().name; }

double fma_peak(Precision precision, int threads) {
  const bool is_single = precision == Precision::Single || precision == Precision::ComplexSingle;
  const auto run = is_single ? kernels().single : kernels().twice;
  return best_rate(threads, [&](int) { return run(500'000); });
}

double read_bandwidth(std::size_t bytes, int threads) {
  const std::size_t share = std::max<std::size_t>(bytes / static_cast<std::size_t>(threads) / 1024 * 1024, 4096);
  std::vector<std::unique_ptr<double[], void (*)(void*)>> buffers;
  for (int t = 0; t < threads; ++t) {
    auto* memory = static_cast<double*>(std::aligned_alloc(4096, (share + 4095) / 4096 * 4096));
    if (!memory) throw std::bad_alloc();
    std::memset(memory, 0, share);
    buffers.emplace_back(memory, std::free);
  }
  // Long enough for the clock, and every run starts from the state the one before has left.
  const std::size_t passes = std::max<std::size_t>(1, (std::size_t{32} << 20) / share);
  return best_rate(threads, [&](int t) {
    for (std::size_t i = 0; i < passes; ++i) kernels().read(buffers[static_cast<std::size_t>(t)].get(), share / 8);
    return static_cast<double>(share) * static_cast<double>(passes);
  });
}

double Machine::peak(Precision precision) {
  if (precision == Precision::ComplexSingle) precision = Precision::Single;
  if (precision == Precision::ComplexDouble) precision = Precision::Double;
  for (const auto& [known, value] : peaks_)
    if (known == precision) return value;
  return peaks_.emplace_back(precision, fma_peak(precision, threads_)).second;
}

double Machine::bandwidth(double bytes) {
  // 16 KiB … 256 MiB in steps of four: finer than caches differ, coarse enough to be probed quickly.
  std::size_t size = std::size_t{16} << 10;
  while (size < (std::size_t{256} << 20) && static_cast<double>(size) * 2 < bytes) size *= 4;
  for (const auto& [known, value] : bandwidths_)
    if (known == size) return value;
  return bandwidths_.emplace_back(size, read_bandwidth(size, threads_)).second;
}

}  // namespace trigon::bench
