#include "trigon/tune/origin.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <trigon/inspect.hpp>

#include "trigon/bench/report.hpp"
#include "trigon/setting.hpp"

namespace trigon::tune {
namespace {

std::string machine(const Options& o) {
  const std::string threads = ", threads: " + std::to_string(o.threads);
  for (const BackendInfo& b : backends())
    if (b.name == o.backend && o.backend != "cpu") return b.name + ": " + b.detail + threads;
  const CpuInfo cpu = cpu_info();
  return cpu.name + ", " + cpu.target + threads;
}

std::string sources(const nlohmann::json& from) {
  return "trigon " + version() + " " + from.at("commit").get<std::string>();
}

/// What else decides how fast a call is: whose GEMM, and which bits.
std::string settings() {
  std::string words = "; provider " + gemm_provider().name;
  if (switched_on("TRIGON_REPRODUCIBLE")) words += ", reproducible";
  if (const std::string solve = setting("TRIGON_SOLVE"); !solve.empty()) words += ", solve " + solve;
  return words;
}

/// Of all values: the same file may have had others.
std::string hash(const TuningInfo& table) {
  std::uint64_t values = 14695981039346656037u;  // FNV-1a
  for (const TuningEntry& e : table.entries)
    for (const char c : e.name + "=" + std::to_string(e.value) + "\n")
      values = (values ^ static_cast<unsigned char>(c)) * 1099511628211u;
  char text[32];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(values));
  return text;
}

/// Names of files and devices may have anything in them.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 127; }, ' ');
  return text;
}

}  // namespace

std::string beginning(const Options& o) {
  const TuningInfo table = tuning();
  return one_line(machine(o) + "; " + sources(bench::provenance({}, "")) + settings() + "; over " + table.source +
                  ", " + hash(table));
}

std::string provenance(const Options& o) {
  const nlohmann::json from = bench::provenance({}, "");
  const TuningInfo table = tuning();
  const std::string earlier = table.provenance.empty() ? "" : " (" + table.provenance + ")";
  return one_line(machine(o) + "; " + sources(from) + settings() + "; " + from.at("date").get<std::string>() + "; " +
                  from.at("command").get<std::string>() + "; over " + table.source + earlier);
}

}  // namespace trigon::tune
