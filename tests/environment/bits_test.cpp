// Which bits may differ: none from run to run, and with TRIGON_REPRODUCIBLE=1 none over thread counts,
// alignments and instruction sets either.
#include "support/child.hpp"

#include <trigon/inspect.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace trigon::test {
namespace {

using Environment = std::map<std::string, std::string>;

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) list.push_back(line);
  return list;
}

std::string probe(const Environment& environment, const std::vector<std::string>& arguments = {"0"}) {
  const Finished run = run_program(sibling("bits_probe"), arguments, environment);
  EXPECT_EQ(run.exit_code, 0) << run.output;
  return run.output;
}

/// Those whose kernels a tuning table has a say in: plain loops decline every call before they read one.
std::vector<std::string> targets_with_vectors() {
  std::vector<std::string> list = cpu_info().supported;
  list.erase(std::remove(list.begin(), list.end(), "scalar"), list.end());
  return list;
}

void expect_same(const std::string& expected, const std::string& got, const std::string& what) {
  if (expected == got) return;
  const auto e = lines(expected), g = lines(got);
  ASSERT_EQ(e.size(), g.size()) << what;
  int differ = 0;
  std::string first;
  for (std::size_t i = 0; i < e.size(); ++i)
    if (e[i] != g[i] && ++differ == 1) first = e[i] + "\n" + g[i];
  ADD_FAILURE() << what << ": " << differ << " of " << e.size() << " results differ, the first:\n" << first;
}

TEST(Bits, AreTheSameEveryRun) {
  for (const char* threads : {"1", "4"}) {
    const Environment e{{"TRIGON_NUM_THREADS", threads}};
    const std::string first = probe(e);
    EXPECT_GT(lines(first).size(), 500u);
    expect_same(first, probe(e), std::string("a second process with threads ") + threads);
  }
}

TEST(Bits, AreTheSameWhetherATriangleIsFetchedOrNot) {
  const std::string table = testing::TempDir() + "trigon_bits_fetched.txt";
  for (const std::string& target : targets_with_vectors()) {
    const auto read = [&](const std::string& from) {
      std::ofstream(table) << "cpu.fetched_bytes " << from << "\n";
      return probe({{"TRIGON_NUM_THREADS", "1"}, {"TRIGON_CPU_TARGET", target}, {"TRIGON_TUNING", table}});
    };
    expect_same(read("1000000000000"), read("0"), target);
  }
  std::remove(table.c_str());
}

/// Calls that are traced have a plan, and so has the first one of a process; others go the short way.
TEST(Bits, AreTheSameWithAPlanOrWithout) {
  const std::string trace = testing::TempDir() + "trigon_bits_trace.txt";
  for (const std::string& target : targets_with_vectors()) {
    Environment e{{"TRIGON_NUM_THREADS", "1"}, {"TRIGON_CPU_TARGET", target}};
    const std::string directly = probe(e, {"few"});
    EXPECT_GT(lines(directly).size(), 500u);
    e["TRIGON_TRACE"] = trace;
    expect_same(directly, probe(e, {"few"}), target);
    std::ifstream traced(trace);
    EXPECT_NE(traced.peek(), std::ifstream::traits_type::eof());
    traced.close();
    std::remove(trace.c_str());
  }
}

TEST(Bits, AreTheSameInEveryRoundOfAProcess) {
  const Finished run = run_program(sibling("bits_probe"), {"0", "3"}, {{"TRIGON_NUM_THREADS", "3"}});
  ASSERT_EQ(run.exit_code, 0) << run.output;
  const auto all = lines(run.output);
  ASSERT_EQ(all.size() % 3, 0u);
  for (std::size_t i = 0; i < all.size(); i += 3) {
    EXPECT_EQ(all[i], all[i + 1]);
    EXPECT_EQ(all[i], all[i + 2]);
  }
}

class Reproducible : public testing::Test {
 protected:
  static std::string run(Environment e, int shift = 0) { return run(e, {std::to_string(shift)}); }
  static std::string run(Environment e, const std::vector<std::string>& arguments) {
    e["TRIGON_REPRODUCIBLE"] = "1";
    return probe(e, arguments);
  }
  static const std::string& reference() {
    static const std::string text = run({{"TRIGON_NUM_THREADS", "1"}});
    return text;
  }
};

TEST_F(Reproducible, OverThreadCounts) {
  for (const char* threads : {"2", "3", "7"})
    expect_same(reference(), run({{"TRIGON_NUM_THREADS", threads}}), std::string(threads) + " threads");
}

TEST_F(Reproducible, OverAlignments) {
  for (const int shift : {1, 3, 6})
    expect_same(reference(), run({{"TRIGON_NUM_THREADS", "1"}}, shift), "shifted by " + std::to_string(shift));
}

TEST_F(Reproducible, OverInstructionSets) {
  for (const std::string& target : cpu_info().supported)
    if (target != cpu_info().target)  // which the reference is of
      expect_same(reference(), run({{"TRIGON_NUM_THREADS", "1"}, {"TRIGON_CPU_TARGET", target}}), target);
}

TEST_F(Reproducible, OfFewLinesOverInstructionSets) {
  const Environment one{{"TRIGON_NUM_THREADS", "1"}};
  const std::string expected = run(one, {"few"});
  for (const std::string& target : cpu_info().supported) {
    Environment e = one;
    e["TRIGON_CPU_TARGET"] = target;
    if (target != cpu_info().target) expect_same(expected, run(e, {"few"}), target);
  }
}

/// A unit diagonal is not multiplied by: (1, 0) times an infinity would be a NaN, and times -0 may be 0. The conjugate
/// of a sum that vanishes is not the sum of conjugates: that is 0, and it -0.
TEST_F(Reproducible, WithSpecialNumbers) {
  const Environment one{{"TRIGON_NUM_THREADS", "1"}};
  const std::string expected = run(one, {"special"});
  EXPECT_GT(lines(expected).size(), 500u);
  for (const std::string& target : cpu_info().supported) {
    if (target == cpu_info().target) continue;
    Environment e = one;
    e["TRIGON_CPU_TARGET"] = target;
    expect_same(expected, run(e, {"special"}), target);
  }
}

/// Where a sum of zeros of both signs is -0, and a negative quotient is not minus the positive one.
TEST_F(Reproducible, RoundedDownwards) {
  using Arguments = std::vector<std::string>;
  for (const Arguments& some : {Arguments{"downwards", "special"}, {"downwards", "0", "1", "1", "3"}}) {
    const std::string expected = run({{"TRIGON_NUM_THREADS", "1"}}, some);
    EXPECT_GT(lines(expected).size(), 500u);
    for (const std::string& target : cpu_info().supported) {
      const Environment e{{"TRIGON_NUM_THREADS", "3"}, {"TRIGON_CPU_TARGET", target}};
      expect_same(expected, run(e, some), target + ", 3 threads");
    }
  }
}

/// Whether a product is packed depends on sizes and leading dimensions; its bits do not.
TEST_F(Reproducible, WhetherPackedOrNot) {
  const std::string table = testing::TempDir() + "trigon_bits_packed.txt";
  const std::string special = run({{"TRIGON_NUM_THREADS", "1"}}, {"special"});
  struct {
    const char *order, *small, *blocks, *what;
  } const tables[] = {{"0", "0", "1", ", everything packed"},
                      {"256", "400", "1", ", what can be is not packed"},
                      {"256", "400", "2", ", what can be is not packed, and solved in bands"}};
  for (const auto& [order, small, blocks, what] : tables) {
    std::ofstream file(table);
    for (const char p : {'s', 'd', 'c', 'z'})
      file << "cpu.small_order." << p << " " << small << "\n"
           << "cpu.in_place_product." << p << " " << order << "\n"
           << "cpu.in_place_product_many." << p << " " << order << "\n"
           << "cpu.in_place_solve." << p << " " << order << "\n";
    if (order != std::string("0")) file << "cpu.in_place_solve 1024 1024 256 128\n";
    file << "cpu.solve_blocks " << blocks << " 1 " << blocks << " 1\n";
    file.close();
    for (const std::string& target : targets_with_vectors()) {
      const Environment e{{"TRIGON_NUM_THREADS", "1"}, {"TRIGON_CPU_TARGET", target}, {"TRIGON_TUNING", table}};
      expect_same(reference(), run(e), target + what);
      if (order == std::string("0")) expect_same(special, run(e, {"special"}), target + what + ", special numbers");
    }
  }
  std::remove(table.c_str());
}

/// Of plain loops, which take long, a third of the larger calls: by themselves they have computed all of them.
TEST_F(Reproducible, OverEverythingAtOnce) {
  for (const std::string& target : cpu_info().supported) {
    const bool thinned = target == "scalar";
    const auto arguments = [&](const char* shift) { return std::vector<std::string>{shift, "1", "1", "3"}; };
    const std::string expected = thinned ? run({{"TRIGON_NUM_THREADS", "1"}}, arguments("0")) : reference();
    const Environment e{{"TRIGON_NUM_THREADS", "5"}, {"TRIGON_CPU_TARGET", target}};
    expect_same(expected, thinned ? run(e, arguments("5")) : run(e, 5), target + ", 5 threads");
  }
}

TEST_F(Reproducible, OverProviders) {
  for (const char* provider : {"own", "openblas"})
    if (provider != gemm_provider().name)
      expect_same(reference(), run({{"TRIGON_NUM_THREADS", "1"}, {"TRIGON_PROVIDER", provider}}), provider);
}

}  // namespace
}  // namespace trigon::test
