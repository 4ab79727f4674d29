// May this BLAS supply GEMM to Trigon? Its Fortran gemm alone, held against what Trigon promises.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace trigon::selftest {

/// One property of a provider.
struct Probe {
  std::string name;  ///< "no read or write out of bounds"
  bool passed = false;
  std::uint64_t cases = 0;
  std::string reason;  ///< why not
  std::string call;    ///< the first call that showed it
};

struct ProviderReport {
  std::string name, path, version;
  std::vector<Probe> probes;
  bool admitted() const;
};

struct ProviderOptions {
  std::string provider;  ///< a name or a path
  std::string precisions = "sdcz";
  std::uint64_t seed = 1;
  double seconds = 20;
};

/// How many probes there are.
std::size_t probe_count();

/// Every probe runs in a process of its own, so that a crash is a reason. `progress` is told what is being done.
/// Throws trigon::error when there is no such library or it has no gemm.
ProviderReport check_provider(const ProviderOptions&, const std::function<void(const std::string&)>& progress);

}  // namespace trigon::selftest
