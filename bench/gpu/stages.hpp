// What the stages of the measurement share.
#pragma once

#include "device.hpp"
#include "operands.hpp"

#include <trigon/device.hpp>
#include <trigon/inspect.hpp>
#include <trigon/operands.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <set>

namespace trigon::gpu {

using nlohmann::json;

struct Settings {
  bool tiny = false;  ///< sizes for a dry run on the CPU, or under compute-sanitizer
  std::uint64_t seed = 1;
  int cases = 0;                        ///< of the correctness stage; 0: its own number
  double seconds = 0;                   ///< after which nothing more is begun; 0: no limit
  std::set<std::string> measured = {};  ///< calls that the benchmark has results of already
};

/// The stages; each returns whether all was right.
bool ceilings(const Settings&);
bool correctness(const Settings&);
bool doors(const Settings&);
bool stress(const Settings&);
bool bench(const Settings&);
bool profile(const Settings&);

inline void emit(const json& row) { std::cout << row.dump() << std::endl; }

/// What is said should the process be ended now: kernels that wait for each other may do so for ever.
void under_way(const char* stage, const std::string& call);

/// Whether `work` is right. What it throws is told of the call, and what comes next goes on, as long as the device
/// does.
template <class Work>
bool carried_out(const char* stage, const std::string& call, const Work& work) {
  under_way(stage, call);
  try {
    return work();
  } catch (const std::exception& e) {
    emit({{"stage", stage}, {"wrong", call}, {"words", e.what()}});
  }
  wait();
  return false;
}

/// Whether the time of a stage that began with this object is up.
class Deadline {
 public:
  explicit Deadline(const Settings& s) : seconds_(s.seconds) {}
  bool passed() const {
    return seconds_ > 0 && std::chrono::steady_clock::now() - start_ > std::chrono::duration<double>(seconds_);
  }

 private:
  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

inline const Queue& queue() {
  static const Queue q(backend(), stream());
  return q;
}

inline void trigon_call(const Call& device) { execute(device, {}, queue()); }

/// Puts leading dimensions where there are none.
inline Call complete(Call c) {
  for (const auto& [operand, ld] : {std::pair{Argument::A, &c.lda}, {Argument::B, &c.ldb}, {Argument::C, &c.ldc}}) {
    if (!has(c, operand)) continue;
    const Extent e = extent(c, operand);
    *ld = std::max<index>({*ld, 1, c.layout == Layout::ColMajor ? e.rows : e.cols});
  }
  return c;
}

inline double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

inline double time_of(const std::function<void()>& work) {
  start_clock();
  work();
  return stop_clock();
}

}  // namespace trigon::gpu
