// The order statistics of `trigon bench`, on samples whose quantiles are known.
#include "trigon/bench/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace trigon::bench {
namespace {

/// 1, 2, …, n, not in order.
std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.rbegin(), values.rend(), 1.0);
  return values;
}

TEST(Statistics, TheMedianHasAsManyBelowAsAbove) {
  EXPECT_EQ(median({5, 1, 100, 2, 3}), 3);
  EXPECT_EQ(median({10, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({7}), 7);
  EXPECT_TRUE(std::isnan(median({})));
}

TEST(Statistics, TheUncertaintyIsHalfTheIntervalOfTheMedian) {
  // Of a hundred samples, the 41st and the 61st enclose the median 95 times in 100.
  EXPECT_DOUBLE_EQ(median_uncertainty(one_to(100)), (61 - 41) / 2.0 / 50.5);
  EXPECT_EQ(median_uncertainty({2, 2, 2, 2, 2, 2}), 0);
  EXPECT_EQ(median_uncertainty({1, 2, 3, 4, 5}), HUGE_VAL) << "five bound nothing";
}

TEST(Statistics, TheSpreadIsHalfTheInterquartileRange) {
  EXPECT_DOUBLE_EQ(spread(one_to(101)), (76 - 26) / 2.0 / 51);
  EXPECT_EQ(spread({3, 3, 3}), 0);
  EXPECT_EQ(spread({}), 0);
}

TEST(Statistics, SlowAndFastWeighTheSameInTheGeometricMean) {
  EXPECT_DOUBLE_EQ(geometric_mean({0.5, 2}), 1);
  EXPECT_DOUBLE_EQ(geometric_mean({1, 10, 100}), 10);
  EXPECT_TRUE(std::isnan(geometric_mean({})));
}

}  // namespace
}  // namespace trigon::bench
