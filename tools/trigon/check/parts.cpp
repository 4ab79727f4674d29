#include "trigon/check/parts.hpp"

#include <trigon/inspect.hpp>

#include <algorithm>

#include "trigon/bench/contestant.hpp"
#include "trigon/bench/find_blas.hpp"
#include "trigon/check/device_door.hpp"
#include "trigon/check/judge.hpp"
#include "trigon/setting.hpp"

namespace trigon::selftest {
namespace {

constexpr const char *target_variable = "TRIGON_CPU_TARGET", *threads_variable = "TRIGON_NUM_THREADS",
                     *provider_variable = "TRIGON_PROVIDER", *reproducible_variable = "TRIGON_REPRODUCIBLE";

bool settled(const char* variable) { return !setting(variable).empty(); }

struct Draft {
  Part part;
  double weight;
};

class Plan {
 public:
  explicit Plan(const CaseOptions& cases) : cases_(cases), cpu_(cpu_info()) {
    cases_.drop_in = cases.drop_in && has_drop_in();
    for (const std::string& target : cpu_.supported)
      if (!settled(target_variable) || target == cpu_.target) targets_.push_back(target);
    if (targets_.empty()) targets_ = {cpu_.target};
  }

  std::vector<Draft> drafts() {
    errors();
    if (bench::measures_a_device()) {
      on_device();
      return std::move(drafts_);
    }
    for (const std::string& target : targets_) sweep(target, target == cpu_.target ? 4 : 2);
    if (settled(threads_variable) ? cpu_.threads > 1 : true) threaded();
    if (!settled(provider_variable)) other_gemm();
    if (!settled(reproducible_variable)) same_bits();
    concurrent();
    return std::move(drafts_);
  }

 private:
  using Environment = std::map<std::string, std::string>;

  Part& add(const std::string& title, Environment environment, const std::string& work, double weight) {
    for (const char* variable : {target_variable, threads_variable})
      if (settled(variable)) environment.erase(variable);
    Part part{title, std::move(environment), {}, 0};
    part.work.part = work;
    part.work.cases = cases_;
    drafts_.push_back({std::move(part), weight});
    return drafts_.back().part;
  }

  void errors() { add("wrong arguments", {}, "errors", 0); }

  /// What the processor can do and how many threads there are concerns no device.
  void on_device() {
    const std::string backend = setting("TRIGON_BACKEND");
    add(backend + ", operands of the host", {}, "sweep", 4);
    if (has_device_memory()) add(backend + ", operands in device memory", {}, "sweep", 4).work.cases.device = true;
    add(backend + ", same bits", {}, "same-bits", 1);
    concurrent();
    drafts_.back().part.environment.clear();
  }

  void sweep(const std::string& target, double weight) {
    const int threads = settled(threads_variable) ? cpu_.threads : 1;
    add(target + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"),
        {{target_variable, target}, {threads_variable, "1"}}, "sweep", weight);
  }

  void threaded() {
    const std::string threads = settled(threads_variable) ? std::to_string(cpu_.threads) : "2";
    Part& part = add(cpu_.target + ", " + threads + " threads",
                     {{target_variable, cpu_.target}, {threads_variable, threads}}, "sweep", 3);
    part.work.cases.large = true;
  }

  /// With our own GEMM where a provider is used, with a provider where none is.
  void other_gemm() {
    const bool own = gemm_provider().name == "own";
    if (own && bench::find_blas("openblas-serial", 1).empty()) return;
    Part& part = add(cpu_.target + (own ? ", GEMM of openblas" : ", own GEMM"),
                     {{target_variable, cpu_.target}, {provider_variable, own ? "openblas" : "own"}}, "sweep", 2);
    part.work.cases.large = own;
  }

  void same_bits() {
    for (const std::string& target : targets_)
      for (const char* threads : {"1", "2"}) {
        if (settled(threads_variable) && threads[0] != '1') continue;
        const std::string count = settled(threads_variable) ? std::to_string(cpu_.threads) : threads;
        Part& part =
            add("reproducible: " + target + ", " + count + (count == "1" ? " thread" : " threads"),
                {{target_variable, target}, {threads_variable, count}, {reproducible_variable, "1"}}, "same-bits", 1);
        part.group = 1;
      }
  }

  void concurrent() {
    add(std::to_string(concurrent_callers) + " callers at once", {}, "concurrent", 2);
    // Their own threads busy with one caller, the others work alone.
    drafts_.back().part.environment = {{threads_variable, "2"}};
    if (settled(threads_variable)) drafts_.back().part.environment.clear();
  }

  CaseOptions cases_;
  CpuInfo cpu_;
  std::vector<std::string> targets_;
  std::vector<Draft> drafts_;
};

}  // namespace

std::vector<Part> parts(const CaseOptions& cases, double seconds) {
  std::vector<Draft> drafts = Plan(cases).drafts();
  double total = 0;
  for (const Draft& draft : drafts) total += draft.weight;
  std::vector<Part> list;
  for (Draft& draft : drafts) {
    draft.part.work.seconds = seconds * draft.weight / total;
    // Output that a user asked for is not for thousands of made-up calls.
    for (const char* variable : {"TRIGON_TRACE", "TRIGON_REPORT", "TRIGON_VERBOSE"})
      if (settled(variable)) draft.part.environment[variable] = "";
    list.push_back(std::move(draft.part));
  }
  return list;
}

std::string to_text(const std::map<std::string, std::string>& environment) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& value) {
    constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,+-";
    const bool quoted = value.find_first_not_of(plain) != std::string::npos;
    text += name + "=" + (quoted ? "'" + value + "'" : value) + " ";
  };
  // What options have set, or the caller: another process needs it as well.
  for (const char* variable : {"TRIGON_BACKEND", "TRIGON_DEVICE", "TRIGON_SOLVE", "TRIGON_TUNING", target_variable,
                               threads_variable, provider_variable, reproducible_variable})
    if (settled(variable) && !environment.count(variable)) add(variable, setting(variable));
  for (const auto& [name, value] : environment)
    if (!value.empty()) add(name, value);
  return text;
}

}  // namespace trigon::selftest
