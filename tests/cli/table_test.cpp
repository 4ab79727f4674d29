// The summary of `trigon bench`, of rows whose figures are known.
#include "trigon/bench/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace trigon::bench {
namespace {

Timing timing(const std::string& name, double seconds, double ratio) {
  Timing t;
  t.name = name, t.ran = true, t.checked.right = true;
  t.seconds = seconds, t.ratio = ratio;
  return t;
}

/// Trigon's time of a row, and a peer's; 0 where it has no right result.
Result row(const std::string& call, double trigon, double peer, double weight = 1) {
  Result r;
  r.row = {parse_call(call), 1, "square", weight};
  r.timings = {timing("trigon", trigon, 1), timing("peer", peer, peer / trigon)};
  r.timings[1].checked.right = peer > 0;
  return r;
}

template <class Print>
std::string printed(const Print& print) {
  testing::internal::CaptureStdout();
  print();
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

const std::vector<std::string> peers = {"peer"};

TEST(Summary, CountsTheRowsThatAreBehind) {
  const std::vector<Result> results = {row("dtrsm m=9 n=9", 1, 0.95), row("dtrsm m=8 n=8", 1, 0.8),
                                       row("dtrsm m=7 n=7", 1, 4), row("dtrmm m=9 n=9", 2, 4)};
  const nlohmann::json s = summary_json(results, peers, {});
  EXPECT_EQ(s["all"]["rows"], 4);
  EXPECT_EQ(s["all"]["below_1.0"], 2);
  EXPECT_EQ(s["all"]["below_0.9"], 1);
  EXPECT_DOUBLE_EQ(s["operations"]["trmm"]["ratio"], 2);
  EXPECT_DOUBLE_EQ(s["operations"]["trsm"]["peers"]["peer"], std::cbrt(0.95 * 0.8 * 4));
  const std::string text = printed([&] { print_summary(results, peers, {}); });
  EXPECT_NE(text.find("all            4       1.57       1.57       2       1\n"), text.npos) << text;
  EXPECT_NE(text.find("Rows behind best (2)\n   0.80  dtrsm LLNN m=8 n=8 "), text.npos) << text;
}

TEST(Summary, IsAgainstThePeerThatIsNamed) {
  std::vector<Result> results = {row("dtrsm m=9 n=9", 1, 2)};
  results[0].timings.push_back(timing("faster", 0.5, 0.5));
  EXPECT_EQ(summary_json(results, peers, {"peer"})["all"]["ratio"], 2);
  EXPECT_EQ(summary_json(results, peers, {"best"})["all"]["ratio"], 0.5);
  EXPECT_EQ(summary_json(results, peers, {"another"})["all"]["rows"], 0);
}

TEST(Replay, TheTotalIsOfAllCallsOfTheTrace) {
  const std::vector<Result> results = {row("dtrsm m=9 n=9", 1, 2, 3), row("dtrmm m=9 n=9", 2, 8, 1)};
  const std::string text = printed([&] { print_replay_total(results, peers); });
  EXPECT_NE(text.find("4 calls of 2 kinds\n  trigon         5.000000 s\n"), text.npos) << text;
  EXPECT_NE(text.find("  peer          14.000000 s  ratio 2.80\n"), text.npos) << text;
}

TEST(Replay, WhatOneHasNotIsLeftOutOfBoth) {
  const std::vector<Result> results = {row("dtrsm m=9 n=9", 1, 2, 3), row("dtrmm m=9 n=9", 2, 0, 1)};
  const std::string text = printed([&] { print_replay_total(results, peers); });
  EXPECT_NE(text.find("6.000000 s  ratio 2.00 (of the 1 kinds that it has; trigon 3.000000 s)\n"), text.npos) << text;
}

}  // namespace
}  // namespace trigon::bench
