// The sweep again, thinned, in every environment that changes which code runs: instruction sets, thread
// counts, GEMM providers, tiny blocks, reproducible bits.
#include "support/child.hpp"
#include "support/processors.hpp"

#include <trigon/inspect.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>
#include <ostream>

namespace trigon::test {
namespace {

struct Setting {
  std::string name;
  std::map<std::string, std::string> environment;
  int thin = 25;
};
void PrintTo(const Setting& s, std::ostream* out) { *out << s.name; }

bool equal(const core::Tuning& a, const core::Tuning& b) {
  const auto same = [](const TuningEntry& x, const TuningEntry& y) { return x.name == y.name && x.value == y.value; };
  const std::vector<TuningEntry> x = core::entries(a), y = core::entries(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
}

/// Whether this machine has it, but takes another one.
bool runs_beside_others(const std::string& target) {
  const CpuInfo info = cpu_info();
  return target != info.target && std::count(info.supported.begin(), info.supported.end(), target) > 0;
}

/// What is this machine's anyway is left out: the whole sweep is in it.
std::vector<Setting> settings() {
  std::vector<Setting> list;
  for (const std::string& target : cpu_info().supported)
    if (target != cpu_info().target)
      list.push_back({"Target_" + target, {{"TRIGON_CPU_TARGET", target}}, target == "scalar" ? 60 : 25});
  // With the table that it has where there is nothing wider.
  if (runs_beside_others("avx2"))
    list.push_back({"Target_avx2_DefaultsOfZen3", {{"TRIGON_CPU_TARGET", "avx2"}, {"TRIGON_TUNING", "Zen3"}}, 8});
  for (const char* threads : {"1", "2", "3", "8"})
    if (std::to_string(cpu_info().threads) != threads)
      list.push_back({std::string("Threads_") + threads, {{"TRIGON_NUM_THREADS", threads}}, 40});
  list.push_back({"Reproducible", {{"TRIGON_REPRODUCIBLE", "1"}}});
  list.push_back({"ReproducibleThreads", {{"TRIGON_REPRODUCIBLE", "1"}, {"TRIGON_NUM_THREADS", "3"}}, 40});
  if (gemm_provider().name != "own") list.push_back({"OwnGemm", {{"TRIGON_PROVIDER", "own"}}, 40});
  const std::pair<const char*, const char*> providers[] = {
      {"OpenBlas", "/usr/lib/x86_64-linux-gnu/openblas-serial/libblas.so.3"},
      {"Netlib", "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3"},
  };
  for (const auto& [name, path] : providers)
    if (access(path, R_OK) == 0) list.push_back({std::string("Provider_") + name, {{"TRIGON_PROVIDER", path}}});
  // Blocks so small that every size crosses many of them; many threads for little work.
  list.push_back({"TinyBlocks", {{"TRIGON_TUNING", "tiny"}, {"TRIGON_NUM_THREADS", "3"}, {"TRIGON_PROVIDER", "own"}}});
  list.push_back({"TinyBlocksProvider", {{"TRIGON_TUNING", "tiny"}, {"TRIGON_PROVIDER", "openblas"}}});
  list.push_back({"Packed", {{"TRIGON_TUNING", "packed"}}, 8});
  list.push_back({"InPlace", {{"TRIGON_TUNING", "in_place"}}, 10});
  list.push_back({"Narrow", {{"TRIGON_TUNING", "narrow"}}, 10});
  list.push_back({"NarrowShared", {{"TRIGON_TUNING", "shared"}, {"TRIGON_NUM_THREADS", "3"}}, 10});
  for (const auto& [name, processor] : processors)
    if (!equal(core::tuning_of(processor), core::built_in_tuning()))
      list.push_back({std::string("DefaultsOf") + name, {{"TRIGON_TUNING", name}}, 40});
  return list;
}

/// A tuning table of that name, written to a file that lives as long as this object.
class Table {
 public:
  explicit Table(const std::string& name) : path_(testing::TempDir() + "trigon-" + name + std::to_string(getpid())) {
    std::ofstream file(path_);
    for (const auto& [owner, processor] : processors)
      if (name == owner) {
        for (const TuningEntry& e : core::entries(core::tuning_of(processor))) file << e.name << " " << e.value << "\n";
        return;
      }
    for (const auto& [entry, values] : rows(name)) file << entry << " " << values << "\n";
  }
  ~Table() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  static std::map<std::string, std::string> rows(const std::string& name) {
    if (name == "packed")
      return {{"cpu.narrow_rhs", "0 0 0 0"},
              {"cpu.narrow_rhs_large", "0 0 0 0"},
              {"cpu.narrow_rhs_huge", "0 0 0 0"},
              {"cpu.slender_rhs", "0 0 0 0"},
              {"cpu.slender_rhs_small", "0 0 0 0"},
              {"cpu.in_place_product", "0 0 0 0"},
              {"cpu.in_place_product_many", "0 0 0 0"},
              {"cpu.in_place_solve", "0 0 0 0"}};
    if (name == "divided")
      return {{"cpu.narrow_rhs", "0 0 0 0"},
              {"cpu.narrow_rhs_large", "0 0 0 0"},
              {"cpu.narrow_rhs_huge", "0 0 0 0"},
              {"cpu.thread_flops", "1 1 1 1"},
              {"cpu.thread_rhs_flops", "1 1 1 1"}};
    if (name == "few_steps") return {{"cpu.gemm_k", "5 3 3 1"}};
    if (name == "whole")
      return {{"cpu.leaf", "1024 1024 1024 1024"},
              {"cpu.in_place_solve", "0 0 0 0"},
              {"cpu.narrow_rhs", "0 0 0 0"},
              {"cpu.narrow_rhs_large", "0 0 0 0"},
              {"cpu.narrow_rhs_huge", "0 0 0 0"}};
    if (name == "in_place")
      return {{"cpu.small_order", "400 400 400 400"},           {"cpu.slender_rhs", "100 100 100 100"},
              {"cpu.slender_rhs_small", "100 100 100 100"},     {"cpu.in_place_product", "256 256 256 128"},
              {"cpu.in_place_product_many", "256 256 256 128"}, {"cpu.in_place_solve", "1024 1024 256 128"}};
    if (name == "narrow" || name == "shared")
      return {{"cpu.narrow_rhs", "1000 1000 1000 1000"},
              {"cpu.narrow_rhs_large", "1000 1000 1000 1000"},
              {"cpu.narrow_rhs_huge", "1000 1000 1000 1000"},
              {"cpu.narrow_order", "1 1 1 1"},
              {"cpu.fetched_bytes", "0"},
              {"cpu.thread_flops", name == "shared" ? "100 100 100 100" : "500000 500000 500000 500000"},
              {"cpu.thread_rhs_flops", name == "shared" ? "50 50 50 50" : "250000 250000 250000 250000"},
              {"cpu.shared_order", "1 1 1 1"}};
    return {{"cpu.leaf", "8 12 5 7"},
            {"cpu.gemm_k", "11 9 10 7"},
            {"cpu.gemm_m", "16 8 24 8"},
            {"cpu.gemm_n", "48 24 24 12"},
            {"cpu.provider_work", "1 1 1 1"},
            {"cpu.narrow_rhs", "2 3 2 1"},
            {"cpu.narrow_rhs_large", "4 5 3 2"},
            {"cpu.narrow_order", "3 5 4 2"},
            {"cpu.thread_flops", "2000 2000 2000 2000"},
            {"cpu.thread_rhs_flops", "1000 1000 1000 1000"}};
  }
  std::string path_;
};

class Environments : public testing::TestWithParam<Setting> {};

TEST_P(Environments, PassTheSweep) {
  Setting s = GetParam();
  std::optional<Table> table;
  if (const auto tuning = s.environment.find("TRIGON_TUNING"); tuning != s.environment.end())
    tuning->second = table.emplace(tuning->second).path();
  // Of one in N each setting has another.
  unsigned phase = 0;
  for (const char letter : s.name) phase = phase * 31 + static_cast<unsigned char>(letter);
  s.environment["TRIGON_TEST_PHASE"] = std::to_string(phase % 1000);
  s.environment.emplace("TRIGON_TEST_SWEEP", std::to_string(s.thin));
  if (const char* thinner = std::getenv("TRIGON_TEST_SWEEP"))
    s.environment["TRIGON_TEST_SWEEP"] = std::to_string(s.thin * std::max(1, std::atoi(thinner)));
  const Finished run = run_program(sibling("sweep_test"), {"--gtest_filter=*Sweep*", "--gtest_brief=1"}, s.environment);
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_EQ(run.output.find("trigon:"), std::string::npos) << "something was not taken:\n" << run.output;
}

/// OpenBLAS takes one call at a time: a child must not wait for one of its parent's.
TEST(Providers, SurviveAFork) {
  const Finished run = run_program(sibling("fork_test"), {"--gtest_filter=*OthersAreBusy*", "--gtest_brief=1"},
                                   {{"TRIGON_PROVIDER", "openblas"}, {"TRIGON_NUM_THREADS", "1"}});
  EXPECT_EQ(run.exit_code, 0) << run.output;
}

/// Columns or rows of a triangle for each of them, where there are enough: to each number of threads others.
TEST(Threads, ShareATriangle) {
  int phase = 0;
  for (const char* threads : {"3", "7", "20"}) {
    const Finished run = run_program(
        sibling("sweep_test"), {"--gtest_filter=*RowsThatThreadsShare*", "--gtest_brief=1"},
        {{"TRIGON_NUM_THREADS", threads}, {"TRIGON_TEST_SWEEP", "3"}, {"TRIGON_TEST_PHASE", std::to_string(phase++)}});
    EXPECT_EQ(run.exit_code, 0) << threads << "\n" << run.output;
  }
}

/// Tests on all instruction sets but plain loops, with a table of their own.
void passes_with_vectors(const std::string& tests, const std::string& name, const char* program = "sweep_test",
                         const char* threads = "1") {
  const Table table(name);
  for (const std::string& target : cpu_info().supported) {
    if (target == "scalar") continue;
    const Finished run =
        run_program(sibling(program), {"--gtest_filter=" + tests, "--gtest_brief=1"},
                    {{"TRIGON_TUNING", table.path()}, {"TRIGON_CPU_TARGET", target}, {"TRIGON_NUM_THREADS", threads}});
    EXPECT_EQ(run.exit_code, 0) << target << "\n" << run.output;
    EXPECT_EQ(run.output.find("trigon:"), std::string::npos) << "something was not taken:\n" << run.output;
  }
}

TEST(Panels, GoThroughLargeTriangles) { passes_with_vectors("*PanelsThatGoTogether*", "whole"); }
TEST(Panels, GoThroughStripsInTurn) { passes_with_vectors("*PanelsThatMemoryDelivers*", "narrow"); }
TEST(Columns, AreMultipliedInGroups) { passes_with_vectors("*ColumnsInGroups*", "in_place"); }
TEST(Sums, ThatAreShortOfFarEntries) { passes_with_vectors("*ShortSumsOfFarEntries*", "packed"); }
TEST(Lines, MeetSumsInBlocksOfAFewSteps) { passes_with_vectors("*FewLines*", "few_steps"); }
TEST(Steps, AreHeld) { passes_with_vectors("*HeldSteps*", "in_place"); }
TEST(Bands, OfMiddlingTrianglesAreNotPacked) { passes_with_vectors("*SolvesOfMiddlingOrder*", "in_place"); }
TEST(Rows, FarApartAreLoadedByTurns) { passes_with_vectors("*RowsFarApart*", "divided", "sweep_test", "3"); }

/// On the one that is chosen here it passes by itself. AVX2 has the table of machines without anything wider.
TEST(Numerics, PassesOnEveryInstructionSet) {
  const Table without_avx512("Zen3");
  for (const std::string& target : cpu_info().supported) {
    if (target == cpu_info().target) continue;
    std::map<std::string, std::string> environment{{"TRIGON_CPU_TARGET", target}};
    if (target == "avx2") environment["TRIGON_TUNING"] = without_avx512.path();
    const Finished run = run_program(sibling("numerics_test"), {"--gtest_brief=1"}, environment);
    EXPECT_EQ(run.exit_code, 0) << target << "\n" << run.output;
    EXPECT_EQ(run.output.find("trigon:"), std::string::npos) << "something was not taken:\n" << run.output;
  }
}

/// Its right-hand sides are so few that by themselves they are not packed.
TEST(Numerics, PassesWithPackedTriangles) {
  passes_with_vectors("Pivots*:*/trsm:*/trmm:*/symm:*/hemm", "packed", "numerics_test");
}

/// On one processor there is nobody to take over rounding, flush to zero and exceptions, unless threads are asked for.
TEST(Numerics, ThreadsTakeOverTheCallersControl) {
  const Finished run =
      run_program(sibling("numerics_test"), {"--gtest_filter=ControlOfWorkers*"}, {{"TRIGON_NUM_THREADS", "3"}});
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_EQ(run.output.find("[  skipped ]"), std::string::npos) << run.output;
}

/// Those with masks that are slow read past what they mask out. Plain loops, which take long, have no masks: a round of
/// each variant is enough.
TEST(Padding, MayBeInaccessibleOnEveryInstructionSet) {
  for (const std::string& target : cpu_info().supported) {
    if (target == cpu_info().target) continue;
    std::map<std::string, std::string> environment{{"TRIGON_CPU_TARGET", target}};
    if (target == "scalar") environment["TRIGON_TEST_SWEEP"] = "10";
    const Finished run =
        run_program(sibling("sweep_test"), {"--gtest_filter=*Padding*", "--gtest_brief=1"}, environment);
    EXPECT_EQ(run.exit_code, 0) << target << "\n" << run.output;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Environments, testing::ValuesIn(settings()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace trigon::test
