// `trigon info`: what the library sees of the machine and how it is set up.
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <trigon/inspect.hpp>
#include <utility>
#include <vector>

#include "trigon/commands.hpp"
#include "trigon/json_text.hpp"
#include "trigon/locate.hpp"
#include "trigon/run/lapack.hpp"

namespace trigon::cli {
namespace {

constexpr std::array known_variables = {
    "TRIGON_BACKEND",    "TRIGON_DEVICE", "TRIGON_NUM_THREADS",  "TRIGON_REPRODUCIBLE",   "TRIGON_PROVIDER",
    "TRIGON_CPU_TARGET", "TRIGON_TUNING", "TRIGON_VERBOSE",      "TRIGON_TRACE",          "TRIGON_REPORT",
    "TRIGON_CACHE",      "TRIGON_SOLVE",  "TRIGON_BLAS_FORWARD", "TRIGON_BLAS64_FORWARD",
};
constexpr std::array variables_of_others = {"OMP_NUM_THREADS"};

struct Variable {
  std::string name, value;
  bool known;
};

/// Trigon's variables that are set, and the one of OpenMP that it heeds.
std::vector<Variable> variables() {
  std::vector<Variable> list;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    const auto in = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
    const bool known = in(known_variables) || in(variables_of_others);
    if (!known && name.substr(0, 7) != "TRIGON_") continue;
    list.push_back({std::string(name), std::string(text.substr(std::min(name.size() + 1, text.size()))), known});
  }
  std::sort(list.begin(), list.end(), [](const Variable& a, const Variable& b) { return a.name < b.name; });
  return list;
}

struct DropIn {
  std::string path, forward, lapack, lapack_note;
};

DropIn drop_in() {
  DropIn found;
  found.path = beside_the_library("libtrigon_blas.so");
  found.forward = forwarded_blas(found.path);
  found.lapack = default_library("liblapack.so.3");
  if (found.lapack.empty()) return found;
  found.lapack = real_path(found.lapack);
  const std::string why = bypasses_blas(found.lapack);
  if (why.empty()) return found;
  found.lapack_note = why + ", past the BLAS symbols";
  if (why.find("OpenBLAS") != std::string::npos)
    found.lapack_note += "; where it does, `trigon run` puts Trigon's own in its place";
  return found;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

void line(const char* label, const std::string& value, const std::string& detail = {}) {
  std::cout << "  " << label << std::string(std::max<int>(1, 14 - static_cast<int>(std::strlen(label))), ' ')
            << (value.empty() ? "-" : value) << (detail.empty() ? "" : " (" + detail + ")") << '\n';
}

void print_text(const DropIn& preload) {
  std::cout << "trigon " << version() << "\n\nBackends\n";
  for (const BackendInfo& backend : backends()) {
    line(backend.name.c_str(), backend.available ? "available" : "unavailable", backend.detail);
    if (backend.devices.size() < 2) continue;
    for (std::size_t i = 0; i < backend.devices.size(); ++i)
      line("", "device " + std::to_string(i), backend.devices[i]);
  }

  const CpuInfo processor = cpu_info();
  std::cout << "\nProcessor\n";
  line("name", processor.name);
  line("instructions", processor.target, "this machine can run: " + join(processor.supported));
  line("threads", std::to_string(processor.threads), processor.threads_why);

  const ProviderInfo provider = gemm_provider();
  std::cout << "\nGEMM of blocks\n";
  line("provider", provider.name, provider.detail);
  line("version", provider.version);
  line("file", provider.path);

  std::cout << "\nDrop-in BLAS\n";
  line("file", preload.path.empty() ? "not installed" : preload.path);
  line("forwards to", preload.forward.empty() ? "no other BLAS was found" : preload.forward);
  line("LAPACK", preload.lapack.empty() ? "none installed" : preload.lapack, preload.lapack_note);

  const TuningInfo table = tuning();
  std::cout << "\nTuning table\n";
  line("source", table.source, table.provenance);
  for (const TuningEntry& entry : table.entries) {
    std::printf("  %-24s %10lld  %s\n", entry.name.c_str(), entry.value, entry.meaning.c_str());
  }

  std::cout << "\nEnvironment\n";
  const auto set = variables();
  if (set.empty()) std::cout << "  no variable that Trigon reads is set\n";
  for (const Variable& variable : set) {
    std::cout << "  " << variable.name << '=' << variable.value
              << (variable.known ? "" : "  (unknown: Trigon reads no variable of this name)") << '\n';
  }
}

nlohmann::json to_json(const DropIn& preload) {
  using nlohmann::json;
  json out = {{"version", version()}, {"backends", json::array()}, {"environment", json::object()}};
  for (const BackendInfo& backend : backends()) {
    out["backends"].push_back({{"name", backend.name},
                               {"available", backend.available},
                               {"detail", backend.detail},
                               {"devices", backend.devices}});
  }
  const CpuInfo processor = cpu_info();
  out["cpu"] = {{"name", processor.name},
                {"target", processor.target},
                {"supported", processor.supported},
                {"threads", processor.threads},
                {"threads_why", processor.threads_why}};
  const ProviderInfo provider = gemm_provider();
  out["provider"] = {
      {"name", provider.name}, {"version", provider.version}, {"path", provider.path}, {"detail", provider.detail}};
  out["drop_in"] = {{"path", preload.path},
                    {"forwards_to", preload.forward},
                    {"lapack", preload.lapack},
                    {"lapack_note", preload.lapack_note}};
  const TuningInfo table = tuning();
  out["tuning"] = {{"source", table.source}, {"provenance", table.provenance}, {"entries", json::array()}};
  for (const TuningEntry& entry : table.entries) {
    out["tuning"]["entries"].push_back({{"name", entry.name}, {"value", entry.value}, {"meaning", entry.meaning}});
  }
  for (const Variable& variable : variables()) out["environment"][variable.name] = variable.value;
  return out;
}

}  // namespace

void add_info(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("info", "What Trigon sees of this machine, and how it is set up");
  command->add_flag("--json", *json, "print JSON");
  command->footer(
      "Shows the backends (and why one is unavailable), the instruction set, the threads and why so many,\n"
      "whose GEMM computes blocks (Trigon's own by default), the drop-in and the BLAS that it forwards\n"
      "to, the tuning table and the environment variables that are set.\n"
      "\n"
      "Examples:\n"
      "  trigon info\n"
      "  TRIGON_PROVIDER=own trigon info --json");
  command->callback([json] {
    const DropIn preload = drop_in();  // first: it forks, and no thread should be running yet
    if (*json) {
      std::cout << in_text(to_json(preload), 2) << '\n';
    } else {
      print_text(preload);
    }
  });
}

}  // namespace trigon::cli
