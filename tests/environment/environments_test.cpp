// The sweep again, thinned, in every environment that changes which code runs: instruction sets, thread
// counts, GEMM providers, tiny blocks, reproducible bits.
#include "support/child.hpp"

#include <trigon/inspect.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <ostream>

namespace trigon::test {
namespace {

struct Setting {
  std::string name;
  std::map<std::string, std::string> environment;
  int thin = 25;
};
void PrintTo(const Setting& s, std::ostream* out) { *out << s.name; }

std::vector<Setting> settings() {
  std::vector<Setting> list;
  for (const std::string& target : cpu_info().supported)
    list.push_back({"Target_" + target, {{"TRIGON_CPU_TARGET", target}}, target == "scalar" ? 60 : 25});
  for (const char* threads : {"1", "2", "3", "8"})
    list.push_back({std::string("Threads_") + threads, {{"TRIGON_NUM_THREADS", threads}}, 40});
  list.push_back({"Reproducible", {{"TRIGON_REPRODUCIBLE", "1"}}});
  list.push_back({"ReproducibleThreads", {{"TRIGON_REPRODUCIBLE", "1"}, {"TRIGON_NUM_THREADS", "3"}}, 40});
  list.push_back({"OwnGemm", {{"TRIGON_PROVIDER", "own"}}, 40});
  const std::pair<const char*, const char*> providers[] = {
      {"OpenBlas", "/usr/lib/x86_64-linux-gnu/openblas-serial/libblas.so.3"},
      {"Netlib", "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3"},
  };
  for (const auto& [name, path] : providers)
    if (access(path, R_OK) == 0) list.push_back({std::string("Provider_") + name, {{"TRIGON_PROVIDER", path}}});
  // Blocks so small that every size crosses many of them; many threads for little work.
  list.push_back({"TinyBlocks", {{"TRIGON_TUNING", "tiny"}, {"TRIGON_NUM_THREADS", "3"}, {"TRIGON_PROVIDER", "own"}}});
  list.push_back({"TinyBlocksProvider", {{"TRIGON_TUNING", "tiny"}, {"TRIGON_PROVIDER", "openblas"}}});
  return list;
}

/// A tuning table written to a file that lives as long as this object.
class TinyTable {
 public:
  TinyTable() : path_(testing::TempDir() + "trigon-tiny-" + std::to_string(getpid())) {
    std::ofstream file(path_);
    for (const TuningEntry& e : tuning().entries) {
      // Entries for four precisions are listed one by one, and written on one line.
      const std::string base = e.name.substr(0, e.name.size() - 2);
      const bool first = e.name.ends_with(".s"),
                 other = e.name.ends_with(".d") || e.name.ends_with(".c") || e.name.ends_with(".z");
      if (other) continue;
      if (first)
        file << base << " " << row(base) << "\n";
      else if (e.name == "cpu.thread_flops")
        file << e.name << " 2000\n";
    }
  }
  ~TinyTable() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  static std::string row(const std::string& name) {
    if (name == "cpu.leaf") return "8 12 5 7";
    if (name == "cpu.gemm_k") return "11 9 10 7";
    if (name == "cpu.gemm_m") return "16 8 24 8";
    if (name == "cpu.gemm_n") return "48 24 24 12";
    if (name == "cpu.provider_work") return "1 1 1 1";
    if (name == "cpu.narrow_rhs") return "2 3 2 1";
    if (name == "cpu.narrow_order") return "3 5 4 2";
    return values(name);
  }
  /// The built-in values of an entry that needs no change.
  static std::string values(const std::string& name) {
    std::string text;
    for (const char* p : {".s", ".d", ".c", ".z"})
      for (const TuningEntry& e : tuning().entries)
        if (e.name == name + p) text += std::to_string(e.value) + " ";
    return text;
  }
  std::string path_;
};

class Environments : public testing::TestWithParam<Setting> {};

TEST_P(Environments, PassTheSweep) {
  Setting s = GetParam();
  const TinyTable table;
  if (s.environment.count("TRIGON_TUNING")) s.environment["TRIGON_TUNING"] = table.path();
  s.environment.emplace("TRIGON_TEST_SWEEP", std::to_string(s.thin));
  if (const char* thinner = std::getenv("TRIGON_TEST_SWEEP"))
    s.environment["TRIGON_TEST_SWEEP"] = std::to_string(s.thin * std::max(1, std::atoi(thinner)));
  const Finished run = run_program(sibling("sweep_test"), {"--gtest_filter=*Sweep*", "--gtest_brief=1"}, s.environment);
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_EQ(run.output.find("trigon:"), std::string::npos) << "something was not taken:\n" << run.output;
}

INSTANTIATE_TEST_SUITE_P(All, Environments, testing::ValuesIn(settings()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace trigon::test
