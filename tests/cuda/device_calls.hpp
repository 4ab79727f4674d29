// Calls carried out by the CUDA kernels under the CPU shim: what the judges of this repository are pointed at.
#pragma once

#include "core/canonical.hpp"
#include "cuda/execute.hpp"
#include "cuda/shim/simt.hpp"
#include "support/harness.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace trigon::test {

/// TRIGON_TEST_SWEEP=N keeps one case in N: for sanitizers.
inline unsigned thinning() {
  const char* value = std::getenv("TRIGON_TEST_SWEEP");
  return value ? std::max(1, std::atoi(value)) : 1;
}

/// How a call reaches the kernels.
struct Route {
  core::Path path = core::Path::Recursion;  ///< of TRSM, TRMM, TRSV and TRMV: or Narrow, for one launch
  index leaf = 64;
  bool large_tiles = true;
  int multiprocessors = 2;
  Solve solve = Solve::Exact;
  const cuda::Cublas* cublas = nullptr;  ///< for every product that it can do
  bool wide = true;                      ///< large tiles have all their columns, not half
  bool tensor_units = false;
  int panel_warps = 8, chain_warps = 8, chain_blocks = 4;
};

/// Every way in which tests let warps and blocks meet.
inline const std::vector<simt::Settings>& schedules() {
  using simt::Schedule;
  static const std::vector<simt::Settings> all{{Schedule::Greedy, 1, 1},
                                               {Schedule::Reverse, 1, 1},
                                               {Schedule::Lockstep, 1, 3},
                                               {Schedule::Random, 7, 4},
                                               {Schedule::Reverse, 1, 5}};
  return all;
}

inline std::string name(const simt::Settings& s) {
  constexpr const char* names[] = {"greedy", "reverse", "lockstep", "random"};
  return std::string(names[static_cast<int>(s.schedule)]) + " with " + std::to_string(s.resident) + " block(s) alive";
}

/// Lets device code run as `settings` say until the end of the scope.
class Scheduled {
 public:
  explicit Scheduled(const simt::Settings& settings) : before_(simt::settings()) { simt::settings() = settings; }
  ~Scheduled() { simt::settings() = before_; }
  Scheduled(const Scheduled&) = delete;
  Scheduled& operator=(const Scheduled&) = delete;

 private:
  simt::Settings before_;
};

/// The checked call on the shim's device.
inline void run_on_device(const Call& call, const Route& route) {
  core::Request r = core::canonical(call);
  r.solve = route.solve;
  core::Plan plan = core::plan(r, {}, {});
  if (plan.path == core::Path::Nothing) return;
  if (plan.path != core::Path::Scale)
    plan.path = cuda::in_place(r.operation) ? route.path : core::Path::Packed, plan.leaf = route.leaf;
  // What kernels clear themselves starts as anything.
  std::vector<std::byte> workspace(cuda::needed_bytes(r, plan), std::byte{0x55});
  const cuda::Stream stream{nullptr, 0, route.multiprocessors};
  const index columns = with_type(call.precision, []<class T>(T) { return is_complex<T> ? 64 : 128; });
  const index tile = route.wide ? columns : columns / 2;
  const cuda::Choice choice{.large_tiles = route.large_tiles ? 0 : index{1} << 62,
                            .tile_columns = tile,
                            .tensor_units = route.tensor_units,
                            .panel_warps = route.panel_warps,
                            .chain_warps = route.chain_warps,
                            .chain_blocks = route.chain_blocks};
  with_type(call.precision, [&]<class T>(T) {
    cuda::execute<T>(stream, r, plan, {choice, route.cublas, 0, workspace.data()});
  });
}

inline Implementation on_device(const Route& route) {
  return [route](const Call& call) { run_on_device(call, route); };
}

}  // namespace trigon::test
