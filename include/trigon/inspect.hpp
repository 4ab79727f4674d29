// What the library says about itself: the machine it sees, the plan of a call, the work inside it.
#pragma once

#include <trigon/call.hpp>

#include <string>
#include <vector>

namespace trigon {

TRIGON_API std::string version();

struct BackendInfo {
  std::string name;
  bool available = false;
  std::string detail;                ///< the device, or the reason why it is unavailable
  std::vector<std::string> devices;  ///< all that it sees, in words, by number
};
TRIGON_API std::vector<BackendInfo> backends();

/// Whose GEMM computes blocks on the CPU: the library's own, unless TRIGON_PROVIDER or the tuning table has
/// another one called.
struct ProviderInfo {
  std::string name;     ///< "own", or "openblas", "blis", "mkl", a file
  std::string version;  ///< what the library says of itself
  std::string path;     ///< the file it was opened from; empty for "own"
  std::string detail;   ///< why this one
};
TRIGON_API ProviderInfo gemm_provider();

struct TuningEntry {
  std::string name;
  long long value = 0;
  std::string meaning;
};
struct TuningInfo {
  std::string source;      ///< a file, or "built-in defaults"
  std::string provenance;  ///< device, date, commit
  std::vector<TuningEntry> entries;
};
TRIGON_API TuningInfo tuning();

struct CpuInfo {
  std::string name;
  std::string target;                  ///< the instruction set in use
  std::vector<std::string> supported;  ///< those that this machine can run and this build carries
  int threads = 1;                     ///< the most that one call uses
  std::string threads_why;
};
TRIGON_API CpuInfo cpu_info();

/// How a call would be carried out; a pure function of the call, the environment and the tuning table. This and what
/// follows throw argument_error for a wrong call, and backend_error where the backend cannot be used.
struct PlanInfo {
  std::string backend, path, provider;
  index leaf = 0;
  int threads = 1;
  std::string words;  ///< some lines of prose
};
TRIGON_API PlanInfo explain(const Call&);

/// One step of the static task list of a call, in execution order.
struct Task {
  std::string kind;  ///< "gemm", "solve", "multiply", "product", "update", "update2", "scale"
  index m = 0, n = 0, k = 0;
  int level = 0;       ///< depth of the recursion; leaves are the deepest
  double seconds = 0;  ///< 0 when only recorded
  double flops = 0;
};
/// The tasks the recursion would hand to a backend (no operand is touched) ...
TRIGON_API std::vector<Task> tasks(const Call&);
/// ... and the same carried out on one thread, with the time each took.
TRIGON_API std::vector<Task> execute_timed(const Call&);

/// How often each path has been taken since the process started, and how often a whole GEMM
/// or GEMM block went to a provider, where there is one. No other routine of a provider is ever called.
struct PathCount {
  std::string routine, path;
  unsigned long long calls = 0;
  double flops = 0, seconds = 0;
};
/// Counts are kept while a report or a trace is asked for by the environment, or after this call.
TRIGON_API void count_paths(bool on);
TRIGON_API std::vector<PathCount> path_counts();
TRIGON_API unsigned long long provider_gemm_calls();

}  // namespace trigon
