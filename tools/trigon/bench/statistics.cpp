#include "trigon/bench/statistics.hpp"

#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace trigon::bench {

double now(Clock clock) {
  timespec t{};
  clock_gettime(clock == Clock::Cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double clock_overhead(Clock clock) {
  const auto measure = [](Clock c) {
    std::vector<double> costs;
    for (int i = 0; i < 101; ++i) {
      const double begin = now(c);
      costs.push_back(now(c) - begin);
    }
    return median(costs);
  };
  static const std::array<double, 2> costs = {measure(Clock::Cpu), measure(Clock::Wall)};
  return costs[clock == Clock::Cpu ? 0 : 1];
}

namespace {

double quantile(const std::vector<double>& sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(position);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (position - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

double median_uncertainty(std::vector<double> values) {
  const auto n = static_cast<double>(values.size());
  if (values.size() < 6) return std::numeric_limits<double>::infinity();
  std::sort(values.begin(), values.end());
  // The ranks n/2 ± 1.96 sqrt(n)/2 enclose the median of any distribution 95 times in 100.
  const double half = 0.98 * std::sqrt(n);
  const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(n / 2 - half)));
  const auto high = std::min(values.size() - 1, static_cast<std::size_t>(std::ceil(n / 2 + half)));
  return (values[high] - values[low]) / 2 / quantile(values, 0.5);
}

double spread(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / quantile(values, 0.5);
}

double geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const double v : values) sum += std::log(v);
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace trigon::bench
