// Routines that another BLAS carries out, the one that the drop-in finds by itself, called by several threads at once.
// Many short calls with strides: those that share a buffer where the BLAS is made for one thread show it within
// thousands of them.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

extern "C" {
void dgemv_(const char*, const int*, const int*, const double*, const double*, const int*, const double*, const int*,
            const double*, double*, const int*, std::size_t);
void dger_(const int*, const int*, const double*, const double*, const int*, const double*, const int*, double*,
           const int*);
void dtpmv_(const char*, const char*, const char*, const int*, const double*, double*, const int*, std::size_t,
            std::size_t, std::size_t);
}

namespace {

constexpr int m = 400, n = 3, two = 2, order = 300;
constexpr double one = 1, zero = 0;

std::vector<double> numbers(std::size_t count) {
  std::vector<double> v(count);
  for (std::size_t i = 0; i < count; ++i) v[i] = static_cast<double>(i % 17) - 8;
  return v;
}

using Call = std::function<std::vector<double>()>;

std::vector<double> times(const char* op) {
  static const std::vector<double> a = numbers(m * n), x = numbers(2 * m);
  std::vector<double> y(2 * m);
  dgemv_(op, &m, &n, &one, a.data(), &m, x.data(), &two, &zero, y.data(), &two, 1);
  return y;
}
std::vector<double> outer() {
  static const std::vector<double> x = numbers(2 * m);
  std::vector<double> a(m * n);
  dger_(&m, &n, &one, x.data(), &two, x.data() + 1, &two, a.data(), &m);
  return a;
}
std::vector<double> packed() {
  static const std::vector<double> a = numbers(order * (order + 1) / 2);
  std::vector<double> x = numbers(2 * order);
  dtpmv_("U", "N", "N", &order, a.data(), x.data(), &two, 1, 1, 1);
  return x;
}

class ForwardThreads : public testing::TestWithParam<std::pair<std::string, Call>> {};

TEST_P(ForwardThreads, GetTheResultsOfOne) {
  const Call& call = GetParam().second;
  const std::vector<double> right = call();  // integers, so that sums are exact in any order
  std::ifstream maps("/proc/self/maps");
  const std::string loaded{std::istreambuf_iterator<char>(maps), {}};
  if (loaded.find("openblas-serial") != std::string::npos)
    GTEST_SKIP() << "there is only one for programs of one thread";
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 10'000; ++i) wrong += call() != right;
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0) << "of 40000";
}

INSTANTIATE_TEST_SUITE_P(, ForwardThreads,
                         testing::Values(std::pair{std::string("dgemv_n"), Call([] { return times("N"); })},
                                         std::pair{std::string("dgemv_t"), Call([] { return times("T"); })},
                                         std::pair{std::string("dger"), Call(outer)},
                                         std::pair{std::string("dtpmv"), Call(packed)}),
                         [](const auto& info) { return info.param.first; });

}  // namespace
