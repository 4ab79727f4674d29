// Clocks and order statistics.
#pragma once

#include <cstddef>
#include <vector>

namespace trigon::bench {

/// Seconds on the clock of a row: CPU time of this process for one thread, since other people's
/// work on a shared core does not count; elapsed time for several.
enum class Clock { Cpu, Wall };
double now(Clock);
/// What reading the clock twice costs, measured once.
double clock_overhead(Clock);

double median(std::vector<double> values);
/// Half the width of the distribution-free 95 % interval of the median, relative to the median.
/// Infinite for fewer than six values, which bound nothing.
double median_uncertainty(std::vector<double> values);
/// Half the interquartile range relative to the median: what a table calls the spread.
double spread(std::vector<double> values);
double geometric_mean(const std::vector<double>& values);

}  // namespace trigon::bench
