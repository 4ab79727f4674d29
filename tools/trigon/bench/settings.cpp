#include "trigon/bench/settings.hpp"

#include <trigon/inspect.hpp>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "trigon/json_text.hpp"
#include "trigon/locate.hpp"
#include "trigon/setting.hpp"

extern char** environ;

namespace trigon::bench {
namespace {

using nlohmann::json;

/// A library and when it was written.
std::string file_of(const std::string& path) {
  std::error_code failed;
  const auto written = std::filesystem::last_write_time(path, failed);
  return path + (failed ? "" : " " + std::to_string(written.time_since_epoch().count()));
}

/// A drop-in is a thin door: what does the work is in the library beside it, another build's too.
std::string behind(const std::string& path) {
  const std::filesystem::path file(path);
  if (!file.filename().string().starts_with("libtrigon_")) return {};
  std::error_code failed;
  const auto library = std::filesystem::canonical(file.parent_path() / "libtrigon.so", failed);
  return failed ? std::string() : library.string();
}

/// Libraries choose kernels, threads and paths by variables of these names; who sets one means something by it.
json variables() {
  constexpr const char* prefixes[] = {"TRIGON_", "OPENBLAS_", "GOTO_", "BLIS_", "MKL_",
                                      "OMP_",    "GOMP_",     "KMP_",  "POCL_"};
  std::vector<std::string> list;
  for (char** v = environ; *v; ++v) {
    const std::string text = *v;
    if (std::any_of(std::begin(prefixes), std::end(prefixes), [&](const char* p) { return text.starts_with(p); }))
      list.push_back(text);
  }
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

std::string settings_of(const RunOptions& o, const std::vector<std::unique_ptr<Contestant>>& opened) {
  const CpuInfo cpu = cpu_info();
  const ProviderInfo provider = gemm_provider();
  json words = {{"seconds", o.measure.seconds},
                {"rounds", o.measure.rounds},
                {"seed", o.measure.seed},
                {"cold", o.measure.cold},
                {"door", static_cast<int>(o.door)},
                {"processor", cpu.name},
                {"target", cpu.target},
                {"variables", variables()},
                {"library", file_of(cli::library_file())},
                {"provider", {provider.name, provider.version, file_of(provider.path)}}};
  // The version names the kernels that OpenBLAS has chosen, whatever made it choose them.
  for (const auto& c : opened) {
    const Contender& who = c->who();
    words["from"].push_back({file_of(who.path), file_of(behind(who.path)), who.version});
  }
  if (measures_a_device()) {
    const std::string name = setting("TRIGON_BACKEND");
    words["plug-in"] = file_of(cli::beside_the_library("libtrigon-" + name + ".so"));
    for (const BackendInfo& b : backends())
      if (b.name == name) words["device"] = b.detail;
  }
  for (const TuningEntry& e : tuning().entries) words["tuning"].push_back(e.value);
  return cli::in_text(words, -1);
}

}  // namespace trigon::bench
