// What the machine can do: multiply-adds per second and bytes read per second, measured here and now.
#pragma once

#include <trigon/types.hpp>

#include <string>
#include <utility>
#include <vector>

namespace trigon::bench {

/// Floating-point operations per second of `threads` threads in registers alone, in the real type
/// behind the precision: the best of several short runs.
double fma_peak(Precision, int threads);

/// Bytes per second that `threads` threads read, each from its own share of `bytes`.
double read_bandwidth(std::size_t bytes, int threads);

/// The vector instructions the probes ran with.
std::string probe_target();

/// Peaks and bandwidths of one number of threads, probed on first use.
class Machine {
 public:
  explicit Machine(int threads) : threads_(threads) {}
  double peak(Precision);
  /// Bandwidth for a working set of about this size: sizes are probed by powers of four.
  double bandwidth(double bytes);
  const std::vector<std::pair<Precision, double>>& peaks() const { return peaks_; }
  const std::vector<std::pair<std::size_t, double>>& bandwidths() const { return bandwidths_; }
  int threads() const { return threads_; }

 private:
  int threads_;
  std::vector<std::pair<Precision, double>> peaks_;
  std::vector<std::pair<std::size_t, double>> bandwidths_;
};

}  // namespace trigon::bench
