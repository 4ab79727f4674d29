// LAPACK's routines from many threads at once, from OpenMP, and on a small stack.
#include <trigon/lapack.hpp>

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace trigon::test {
namespace {

/// A x = b by LU and by Cholesky, for a matrix with a heavy diagonal and x = 1; how far x is off.
template <class T>
double error_of_solutions(index n, unsigned seed) {
  constexpr Layout layout = Layout::ColMajor;
  std::mt19937 random(seed);
  std::vector<T> a(static_cast<std::size_t>(n * n)), b(static_cast<std::size_t>(n));
  const auto at = [&](index i, index j) -> T& { return a[static_cast<std::size_t>(i + j * n)]; };
  for (index j = 0; j < n; ++j)
    for (index i = j; i < n; ++i)
      at(i, j) = at(j, i) = static_cast<real_t<T>>(static_cast<int>(random() % 201) - 100) / 100;
  for (index i = 0; i < n; ++i) at(i, i) = static_cast<real_t<T>>(2 * n);
  for (index i = 0; i < n; ++i)
    for (index j = 0; j < n; ++j) b[static_cast<std::size_t>(i)] += at(i, j);
  std::vector<T> factor = a, x = b;
  std::vector<std::int32_t> pivots(static_cast<std::size_t>(n));
  if (gesv(layout, n, index{1}, factor.data(), n, pivots.data(), x.data(), n) != 0) return 1e9;
  double worst = 0;
  const auto look = [&] {
    for (const T& v : x) worst = std::max(worst, static_cast<double>(std::abs(v - T(1))));
  };
  look();
  if (potrf(layout, Uplo::Upper, n, a.data(), n) != 0) return 1e9;
  x = b;
  if (trtrs(layout, Uplo::Upper, Op::ConjTrans, Diag::NonUnit, n, index{1}, a.data(), n, x.data(), n) != 0) return 1e9;
  if (trtrs(layout, Uplo::Upper, Op::NoTrans, Diag::NonUnit, n, index{1}, a.data(), n, x.data(), n) != 0) return 1e9;
  look();
  return worst;
}

double error_of_solutions(unsigned seed) {
  const index n = 1 + static_cast<index>(seed * 37 % 220);
  switch (seed % 4) {
    case 0: return error_of_solutions<float>(n, seed) * 1e-5;
    case 1: return error_of_solutions<double>(n, seed);
    case 2: return error_of_solutions<std::complex<float>>(n, seed) * 1e-5;
    default: return error_of_solutions<std::complex<double>>(n, seed);
  }
}

constexpr double allowed = 1e-10;

TEST(LapackThreads, EightCallers) {
  std::atomic<int> wrong{0}, waiting{8};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      --waiting;
      while (waiting.load() > 0) std::this_thread::yield();
      for (unsigned i = 0; i < 12; ++i) wrong += !(error_of_solutions(t * 100 + i) < allowed);
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(LapackThreads, InsideOpenMp) {
  std::atomic<int> wrong{0};
#pragma omp parallel for num_threads(4) schedule(dynamic)
  for (unsigned i = 0; i < 40; ++i) wrong += !(error_of_solutions(i) < allowed);
  EXPECT_EQ(wrong, 0);
}

TEST(LapackThreads, SmallStack) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers' own frames do not fit";
#endif
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 128 * 1024), 0);
  const auto body = [](void* worst) -> void* {
    *static_cast<double*>(worst) = std::max(error_of_solutions<double>(700, 1), error_of_solutions<double>(20, 2));
    return nullptr;
  };
  double worst = 1e9;
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, body, &worst), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_LT(worst, allowed);
}

}  // namespace
}  // namespace trigon::test
