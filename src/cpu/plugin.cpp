#include "cpu/plugin.hpp"

#include "core/once.hpp"
#include "core/recorder.hpp"
#include "cpu/backend.hpp"
#include "cpu/direct.hpp"
#include "cpu/execute.hpp"

#include <fstream>
#include <string>

namespace trigon::cpu {
namespace {

using namespace core;

const char* unavailable() { return nullptr; }

const std::string& cpu_name() {
  return once([] {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
      if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return std::string("CPU");
  });
}

const char* device() { return cpu_name().c_str(); }

ProviderUse provider_use(const Environment& env) {
  if (env.reproducible || env.provider == "own" || !has_provider()) return ProviderUse::Never;
  return env.provider == "auto" ? ProviderUse::Measured : ProviderUse::Always;
}

core::Plan plan(const Request& r) { return core::plan(r, machine(), core::tuning()); }

/// Packing buffers grow per thread and are kept; a call needs none from its caller.
std::size_t workspace_size(const Request&, const core::Plan&) { return 0; }

Status execute(const Request& r, const core::Plan& p) {
  with_type(r.precision, [&]<class T>(T) { cpu::execute<T>(r, p); });
  return Status::Success;
}

Status execute_timed(const Request& r, const core::Plan& p, std::vector<Task>& tasks) {
  if (p.path == Path::Scale || p.path == Path::Narrow) {
    Task task = whole(r, p);
    const double start = now();
    execute(r, p);
    task.seconds = now() - start;
    tasks.push_back(task);
    return Status::Success;
  }
  with_type(r.precision, [&]<class T>(T) {
    Recorder<T, Backend<T>> recorder({p, 1}, tasks, gemms_per_split(r.operation));
    dispatch<T>(r, recorder, host_view<T>);
  });
  return Status::Success;
}

}  // namespace

core::Machine machine() {
  const ProviderUse use = first_of([] { return provider_use(environment()); });  // may load one
  return {threads_now(), environment().reproducible, use};
}

const core::Plugin& plugin() {
  return once([] {
    return core::Plugin{core::plugin_abi, "cpu",   unavailable,   device, plan,
                        workspace_size,   execute, execute_timed, direct};
  });
}

}  // namespace trigon::cpu

namespace trigon {

CpuInfo cpu_info() {
  const cpu::Targets& t = cpu::targets();
  const cpu::ThreadLimit& limit = cpu::thread_limit();
  return {cpu::cpu_name(), t.chosen, t.supported, limit.threads, limit.why};
}

}  // namespace trigon
