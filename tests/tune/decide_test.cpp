// Which value of an entry follows from measured times.
#include "trigon/tune/study.hpp"

#include <trigon/inspect.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace trigon::tune {
namespace {

Study scale(Kind kind, std::vector<index> at) {
  Study s{"an.entry", kind, {0, 1000}, {}, 1};
  if (kind == Kind::From) s.values = {1, 1000};
  for (const index place : at) s.trials.push_back({Call{}, place});
  return s;
}

TEST(Decide, TheFastestOfAChoice) {
  Study s{"an.entry", Kind::Choice, {64, 128, 256}, {{Call{}, 0}, {Call{}, 0}}, 1};
  const Decision d = decide(s, {{1.0, 0.9, 0.8}, {1.0, 0.5, 0.9}}, 64, 0.02);
  EXPECT_EQ(d.value, 128);
  EXPECT_EQ(d.calls, 2);
  EXPECT_NEAR(d.gain, std::sqrt(1 / 0.9 * 1 / 0.5), 1e-12);
}

TEST(Decide, WithinTheMarginNothingChanges) {
  Study s{"an.entry", Kind::Choice, {64, 128}, {{Call{}, 0}}, 1};
  EXPECT_EQ(decide(s, {{1.0, 0.99}}, 64, 0.02).value, 64);
  EXPECT_EQ(decide(s, {{1.0, 0.99}}, 64, 0.02).calls, 0);
  EXPECT_EQ(decide(s, {{1.0, 0.97}}, 64, 0.02).value, 128);
}

TEST(Decide, UpToTheLastCallThatGains) {
  // Never, always: it helps at 8 and 16, and hurts at 32.
  const Times times = {{1, 0.5}, {1, 0.8}, {1, 1.5}};
  const Decision d = decide(scale(Kind::UpTo, {8, 16, 32}), times, 8, 0.02);
  EXPECT_EQ(d.value, 16);
  EXPECT_EQ(d.calls, 1);  // what is done at 8 and at 32 was done before
  EXPECT_NEAR(d.gain, 1 / 0.8, 1e-12);
  EXPECT_EQ(decide(scale(Kind::UpTo, {8, 16, 32}), {{1, 2}, {1, 2}, {1, 2}}, 64, 0.02).value, 0) << "never";
  EXPECT_EQ(decide(scale(Kind::UpTo, {8, 16, 32}), {{1, .5}, {1, .5}, {1, .5}}, 8, 0.02).value, 32);
}

TEST(Decide, FromTheFirstCallThatGains) {
  // Always, never.
  const Times times = {{1.5, 1}, {0.8, 1}, {0.5, 1}};
  EXPECT_EQ(decide(scale(Kind::From, {8, 16, 32}), times, 8, 0.02).value, 16);
  EXPECT_EQ(decide(scale(Kind::From, {8, 16, 32}), times, 32, 0.02).value, 16);
  EXPECT_EQ(decide(scale(Kind::From, {8, 16, 32}), {{2, 1}, {2, 1}, {2, 1}}, 8, 0.02).value, 1000) << "never";
}

TEST(Decide, TheFastestSetThatWasTimedInAllCalls) {
  constexpr double never = std::numeric_limits<double>::infinity();
  Study s{"sets", Kind::Sets, {0, 1, 2}, {{Call{}, 0}, {Call{}, 0}}, 1};
  s.entries = {"an.entry", "another"};
  s.sets = {{0, 0}, {64, 8}, {32, 4}};
  const Times times = {{1.0, 0.3, 0.8}, {1.0, never, 0.5}};
  EXPECT_EQ(decide(s, times, 0, 0.02).value, 2);
  EXPECT_EQ(s.settings(2), (std::vector<std::pair<std::string, index>>{{"an.entry", 32}, {"another", 4}}));
  const auto list = best(s, times, 0, 5);
  ASSERT_EQ(list.size(), 2u) << "one was given up";
  EXPECT_EQ(list[0].first, 2);
  EXPECT_NEAR(list[0].second, std::sqrt(1 / 0.8 * 1 / 0.5), 1e-12);
  EXPECT_EQ(list[1], (std::pair<index, double>{0, 1.0}));
  EXPECT_EQ(best(s, times, 0, 1).size(), 1u);
}

TEST(Decide, IsTimedAgainWhereItMakesADifference) {
  const Study s = scale(Kind::UpTo, {8, 16, 32});
  const Study two = narrowed(s, 8, 20);
  ASSERT_EQ(two.trials.size(), 1u);
  EXPECT_EQ(two.trials[0].at, 16);
  EXPECT_EQ(two.values, s.values);
  EXPECT_NEAR(gain(two, {{1, 0.8}}, 8, 20), 1 / 0.8, 1e-12);
  EXPECT_NEAR(gain(narrowed(s, 32, 8), {{0.5, 1}, {0.8, 1}}, 32, 8), std::sqrt(1 / 0.5 * 1 / 0.8), 1e-12);
  const Study choice{"an.entry", Kind::Choice, {64, 128, 256}, {{Call{}, 0}, {Call{}, 0}}, 1};
  const Study other = narrowed(choice, 64, 256);
  EXPECT_EQ(other.values, (std::vector<index>{64, 256}));
  EXPECT_EQ(other.trials.size(), 2u);
  EXPECT_NEAR(gain(other, {{1, 0.5}, {1, 2}}, 64, 256), 1, 1e-12);
}

TEST(Decide, AGainThatDoesNotComeAgainChangesNothing) {
  const Decision d{128, 1.3, 4};
  EXPECT_EQ(judge(d, 1.01, 0.02).value(64), 64);
  EXPECT_EQ(judge(d, 0.5, 0.02).value(64), 64);
  EXPECT_EQ(judge(d, 1.02, 0.02).value(64), 128);
}

TEST(Decide, AValueBetweenCallsStaysWhereItIsAsGood) {
  EXPECT_EQ(decide(scale(Kind::UpTo, {8, 16, 32}), {{1, .5}, {1, .5}, {1, 2}}, 20, 0.02).value, 20);
  EXPECT_EQ(decide(scale(Kind::From, {8, 16, 32}), {{2, 1}, {2, 1}, {.5, 1}}, 20, 0.02).value, 20);
}

TEST(Studies, EveryEntryHasTrialsOnBothSides) {
  std::vector<Study> all = cpu_studies("sdcz", 2);
  for (Study& s : cuda_studies("sdcz")) all.push_back(std::move(s));
  for (const Study& s : all) {
    EXPECT_GE(s.trials.size(), 4u) << s.entry;
    if (s.kind == Kind::Choice) continue;
    EXPECT_EQ(s.values.size(), 2u) << s.entry;
    for (const Trial& t : s.trials) {
      EXPECT_GT(t.at, s.values.front()) << s.entry;
      EXPECT_LT(t.at, s.values.back() + (s.kind == Kind::UpTo)) << s.entry;
    }
  }
}

// At multiples of vectors and tiles, kernels may look better than they are.
TEST(Studies, ChoicesOfKernelsSeeRoundAndOtherSizes) {
  const auto round = [](const Call& c) { return (c.m | c.n | c.k) % 4 == 0; };
  int seen = 0;
  for (const Study& s : cpu_studies("sdcz", 2))
    for (const char* entry :
         {"cpu.small_order", "cpu.in_place", "cpu.solve_blocks", "cpu.slender_rhs", "cpu.narrow_rhs"})
      if (s.entry.starts_with(entry)) {
        const auto rounds =
            std::count_if(s.trials.begin(), s.trials.end(), [&](const Trial& t) { return round(t.call); });
        const auto all = static_cast<std::ptrdiff_t>(s.trials.size());
        EXPECT_GE(3 * rounds, all) << s.entry;
        EXPECT_LE(3 * rounds, 2 * all) << s.entry;
        ++seen;
      }
  EXPECT_EQ(seen, 4 + 3 * 4 + 2 + 2 * 4 + 3 * 4);
}

TEST(Studies, EveryEntryOfCudaIsTuned) {
  std::vector<std::string> tuned;
  for (const Study& s : studies_of("cuda", "sdcz", 1)) tuned.push_back(s.entry);
  for (const TuningEntry& e : tuning().entries)
    if (e.name.starts_with("cuda.")) {
      // No tensor units serve single precision: there is nothing to choose.
      const int studies = e.name == "cuda.tensor_units.s" || e.name == "cuda.tensor_units.c" ? 0 : 1;
      EXPECT_EQ(std::count(tuned.begin(), tuned.end(), e.name), studies) << e.name;
    }
  EXPECT_EQ(studies_of("hip", "sdcz", 1).size(), tuned.size());
  EXPECT_FALSE(has_studies("gpu"));
}

TEST(Studies, WhatHasNoneIsAsDocumented) {
  std::vector<std::string> tuned;
  for (const char* backend : {"cpu", "opencl", "cuda"})
    for (const Study& s : studies_of(backend, "d", 2)) {
      tuned.push_back(s.entry);
      tuned.insert(tuned.end(), s.entries.begin(), s.entries.end());
    }
  std::string left;
  for (const TuningEntry& e : tuning().entries) {
    const bool of_another = e.name.find('.') != e.name.rfind('.') && !e.name.ends_with(".d");
    if (!of_another && std::find(tuned.begin(), tuned.end(), e.name) == tuned.end()) left += e.name + " ";
  }
  // As docs/command-line.md says. Blocks of doubles are never brought up to date together.
  EXPECT_EQ(left,
            "cpu.solve_blocks.d cpu.spin_microseconds opencl.class opencl.launches.d opencl.invert.d opencl.solve_k.d "
            "opencl.solve_whole.d opencl.solve_triangle.d ");
}

TEST(Studies, LargerCallsAreLeftOut) {
  std::vector<Study> list = cuda_studies("dz");
  leave_out_larger(list, 160);
  for (const Study& s : list)
    for (const Trial& t : s.trials) EXPECT_LE(std::max({t.call.m, t.call.n, t.call.k}), 160);
  EXPECT_EQ(list.size(), cuda_studies("dz").size()) << "something is left of each";
  leave_out_larger(list, 100);
  for (const Study& s : list)
    for (const char* gone : {"cuda.leaf", "cuda.large_tiles", "cuda.panel_warps"})
      EXPECT_FALSE(s.entry.starts_with(gone)) << s.entry;
  EXPECT_EQ(list.size(), cuda_studies("dz").size() - 5);
}

TEST(Studies, SetsAreWhole) {
  for (const Study& s : opencl_studies("sdcz", 2)) {
    EXPECT_GE(s.trials.size(), 3u) << s.entry;
    EXPECT_EQ(s.kind == Kind::Sets, !s.sets.empty()) << s.entry;
    EXPECT_GE(s.values.size(), 4u) << s.entry;
    EXPECT_LE(s.values.size(), 64u) << s.entry << " takes too long";
    for (const auto& set : s.sets) EXPECT_EQ(set.size(), s.entries.size()) << s.entry;
  }
  for (const Study& s : opencl_studies("sdcz", 1))
    if (s.entry.starts_with("opencl.tiles"))
      for (const auto& set : s.sets) {
        EXPECT_EQ(set[1] % set[4] + set[2] % set[5], 0) << s.entry;
        EXPECT_LE(set[1] / set[4] * (set[2] / set[5]), 256) << s.entry;
      }
}

TEST(Studies, NeverIsZeroInATable) {
  for (const Study& s : cpu_studies("d", 2)) {
    if (!s.zero_is_never) continue;
    EXPECT_EQ(s.in_table(s.values.back()), 0);
    EXPECT_EQ(s.in_table(96), 96);
    // A provider that is slower everywhere stays off, a faster one is switched on from the first call.
    const Times slower(s.trials.size(), {1.03, 1}), faster(s.trials.size(), {0.9, 1});
    EXPECT_EQ(s.in_table(decide(s, slower, s.from_table(0), 0.02).value), 0);
    EXPECT_EQ(decide(s, faster, s.from_table(0), 0.02).value, s.trials.front().at);
  }
}

TEST(Studies, ThoseOfThreadsNeedThreads) {
  for (const Study& s : cpu_studies("d", 1)) EXPECT_EQ(s.threads, 1) << s.entry;
  EXPECT_GT(cpu_studies("d", 2).size(), cpu_studies("d", 1).size());
}

}  // namespace
}  // namespace trigon::tune
