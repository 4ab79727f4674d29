#include "core/trace.hpp"

#include "core/direct.hpp"
#include "core/environment.hpp"
#include "core/once.hpp"

#include <trigon/inspect.hpp>

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <string>

namespace trigon::core {
namespace {

struct Key {
  Precision precision;
  Operation operation;
  Path path;
  auto operator<=>(const Key&) const = default;
};

struct Count {
  unsigned long long calls = 0;
  double flops = 0, seconds = 0;
  index largest = 0;
};

std::atomic<unsigned long long> provider_gemms{0};

/// Never destroyed, so that calls from exit handlers still find it.
struct State {
  std::mutex mutex;
  std::map<Key, Count> counts;
  std::FILE* file = nullptr;
  pid_t owner = 0;  ///< the process that opened it
};
State& state() {
  return *once([] {
    State* const fresh = new State;
    // A child must not inherit the lock of a thread that it does not have, nor count calls that its parent made.
    pthread_atfork([] { state().mutex.lock(); }, [] { state().mutex.unlock(); },
                   [] {
                     state().counts.clear(), provider_gemms = 0;
                     state().mutex.unlock();
                   });
    return fresh;
  });
}

std::string expanded(std::string path) {
  if (const auto at = path.find("%p"); at != std::string::npos) path.replace(at, 2, std::to_string(getpid()));
  return path;
}

std::FILE* open_or_complain(const std::string& path, const char* mode) {
  std::FILE* file = std::fopen(path.c_str(), mode);
  if (!file) std::perror(("trigon: " + path).c_str());
  return file;
}

/// With a point in programs of any locale.
std::string fixed(double x, int digits) {
  char text[352];
  return {text, std::to_chars(text, text + sizeof text, x, std::chars_format::fixed, digits).ptr};
}

void print_report(std::FILE* out) {
  std::fprintf(out, "\ntrigon: %-8s %-10s %10s %10s %12s %10s %9s\n", "routine", "path", "calls", "largest", "seconds",
               "GFLOP", "GFLOP/s");
  Count total;
  for (const auto& [key, count] : state().counts) {
    const std::string routine = static_cast<char>(key.precision) + std::string(trigon::name(key.operation));
    std::fprintf(out, "trigon: %-8s %-10s %10llu %10lld %12s %10s %9s\n", routine.c_str(),
                 std::string(name(key.path)).c_str(), count.calls, static_cast<long long>(count.largest),
                 fixed(count.seconds, 6).c_str(), fixed(count.flops * 1e-9, 3).c_str(),
                 fixed(count.seconds > 0 ? count.flops * 1e-9 / count.seconds : 0, 2).c_str());
    total.calls += count.calls, total.flops += count.flops, total.seconds += count.seconds;
  }
  std::fprintf(out, "trigon: %-8s %-10s %10llu %10s %12s %10s\n", "total", "", total.calls, "",
               fixed(total.seconds, 6).c_str(), fixed(total.flops * 1e-9, 3).c_str());
  std::fprintf(out, "trigon: GEMM blocks handed to the provider %s: %llu\n", gemm_provider().name.c_str(),
               provider_gemms.load());
}

void report_at_exit() {
  const std::lock_guard lock(state().mutex);
  if (state().counts.empty()) return;
  const std::string& target = environment().report;
  if (target == "stderr") return print_report(stderr);
  if (std::FILE* out = open_or_complain(expanded(target), "a")) {
    print_report(out);
    std::fclose(out);
  }
}

/// Whether the environment asks for it.
bool wanted() {
  return once([] {
    if (!environment().report.empty()) std::atexit(report_at_exit);
    return !environment().report.empty() || !environment().trace.empty();
  });
}

/// A forked child writes a file of its own when the name says so, else it adds to the common one.
std::FILE* trace_file(State& s) {
  if (environment().trace.empty()) return nullptr;
  if (const pid_t here = getpid(); s.owner != here) {
    s.owner = here;  // complained about once, if it cannot be opened
    s.file = open_or_complain(expanded(environment().trace), "a");
    if (s.file) std::setvbuf(s.file, nullptr, _IOLBF, 1 << 16);
  }
  return s.file;
}

}  // namespace

bool look_up_observed() {
  Observed found = Observed::Unknown;
  observed.compare_exchange_strong(found, wanted() ? Observed::Yes : Observed::No);
  return observed.load() == Observed::Yes;
}
void observe(bool on) {
  const bool asked = wanted();  // also where it makes no difference: it prepares the report
  observed.store(on || asked ? Observed::Yes : Observed::No);
  update_ways();
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void note(const Call& call, const Plan& plan, double seconds) noexcept try {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  Count& count = s.counts[{call.precision, call.operation, plan.path}];
  ++count.calls;
  if (plan.path != Path::Scale) count.flops += flops(call);
  count.seconds += seconds;
  count.largest = std::max({count.largest, call.m, call.n, call.k});
  if (std::FILE* file = trace_file(s))
    std::fprintf(file, "%s # seconds=%s path=%s threads=%d\n", to_text(call).c_str(), fixed(seconds, 9).c_str(),
                 std::string(name(plan.path)).c_str(), plan.threads);
} catch (const std::bad_alloc&) {
}

void note_provider_gemm() { provider_gemms.fetch_add(1, std::memory_order_relaxed); }

}  // namespace trigon::core

namespace trigon {

void count_paths(bool on) { core::observe(on); }

std::vector<PathCount> path_counts() {
  core::State& s = core::state();
  const std::lock_guard lock(s.mutex);
  std::vector<PathCount> list;
  for (const auto& [key, count] : s.counts)
    list.push_back({static_cast<char>(key.precision) + std::string(name(key.operation)),
                    std::string(core::name(key.path)), count.calls, count.flops, count.seconds});
  return list;
}

unsigned long long provider_gemm_calls() { return core::provider_gemms.load(); }

}  // namespace trigon
