// What `trigon bench` makes of samples: contestants that take known times.
#include "trigon/bench/measure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <new>

namespace trigon::bench {
namespace {

/// Takes these times in turn, and gives a right result.
struct Fake : Contestant {
  Fake(const std::string& name, std::vector<double> seconds) : times(std::move(seconds)) {
    self.name = name, self.is_trigon = name == "trigon";
  }
  const Contender& who() const override { return self; }
  bool prepare(const Row&, std::uint64_t, std::string& why) override {
    why = missing;
    return missing.empty();
  }
  Checked check() override { return {wrong.empty(), 0.5, wrong}; }
  double sample(int inner, bool) override {
    if (fails) throw std::bad_alloc();
    if (order) order->push_back(self.name);
    if (!calibrated) {
      calibrated = times.front() * inner >= 1e-3;  // at any rate long enough against the clock
      return times.front();
    }
    return times[taken++ % times.size()];
  }
  PlanInfo plan() override { return {}; }
  Counted counted() override { return {}; }
  void release() override { released = true; }

  Contender self;
  std::vector<double> times;
  std::string missing, wrong;
  std::vector<std::string>* order = nullptr;
  std::size_t taken = 0;
  bool calibrated = false, released = false, fails = false;
};

struct Measure : testing::Test {
  Fake& add(const std::string& name, std::vector<double> seconds) {
    contestants.push_back(std::make_unique<Fake>(name, std::move(seconds)));
    return static_cast<Fake&>(*contestants.back());
  }
  Result run(int rounds) {
    MeasureOptions o;
    o.rounds = rounds;
    return measure(contestants, row, machine, o);
  }

  std::vector<std::unique_ptr<Contestant>> contestants;
  Row row{parse_call("dtrsm m=100 n=50"), 1, "square"};
  Machine machine{1};
};

TEST_F(Measure, ARatioIsTheirTimeOverTrigons) {
  add("trigon", {1, 1, 1});
  add("slow", {4, 4, 5});
  add("fast", {0.5, 0.5, 0.25});
  const Result r = run(3);
  EXPECT_EQ(r.rounds, 3);
  EXPECT_EQ(r.peer("slow")->ratio, 4);
  EXPECT_EQ(r.peer("fast")->ratio, 0.5);
  EXPECT_EQ(r.trigon().ratio, 1);
  EXPECT_EQ(r.peer("slow")->seconds, 4);
  EXPECT_EQ(r.gflops(*r.peer("slow")), 100 * 100 * 50 / 4.0 * 1e-9);
}

TEST_F(Measure, ARatioIsOfSamplesOfTheSameRound) {
  // The machine becomes slower half-way, for both.
  add("trigon", {1, 1, 4});
  add("peer", {2, 8, 8});
  EXPECT_EQ(run(3).peer("peer")->ratio, 2);
}

TEST_F(Measure, TheBestPeerIsTheFastestThatIsRight) {
  add("trigon", {1});
  add("slow", {9});
  add("fast", {3});
  add("middling", {5});
  add("wrong", {2}).wrong = "entry (0, 0)";
  add("lacking", {2}).missing = "has no dtrsm";
  const Result r = run(3);
  ASSERT_TRUE(r.best_peer());
  EXPECT_EQ(r.best_peer()->name, "fast");
  EXPECT_FALSE(r.peer("wrong"));
  EXPECT_FALSE(r.peer("lacking"));
  EXPECT_EQ(r.timings[4].checked.words, "entry (0, 0)");
  EXPECT_EQ(r.timings[5].missing, "has no dtrsm");
  for (const auto& c : contestants) EXPECT_TRUE(static_cast<Fake&>(*c).released);
}

TEST_F(Measure, TrigonsOwnGemmIsNoBestPeer) {
  add("trigon", {1});
  add("peer", {3});
  add("gemm", {0.5});
  EXPECT_EQ(run(3).best_peer()->name, "peer");
  EXPECT_EQ(run(3).peer("gemm")->ratio, 0.5) << "by its name";
  contestants.erase(contestants.begin() + 1);
  EXPECT_FALSE(run(3).best_peer());
}

TEST_F(Measure, OperandsAreLetGoOfWhereACallFails) {
  Fake& trigon = add("trigon", {1});
  add("peer", {1}).fails = true;
  EXPECT_THROW(run(3), std::bad_alloc);
  EXPECT_TRUE(trigon.released);
  const Result none = not_measured(contestants, row, "out of memory");
  EXPECT_TRUE(none.broken);
  EXPECT_FALSE(none.trigon().ran);
  EXPECT_EQ(none.timings[1].missing, "out of memory");
  EXPECT_FALSE(none.best_peer());
}

TEST_F(Measure, SpreadAndUncertaintyAreThoseOfTheSamples) {
  add("trigon", {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const Result r = run(9);
  EXPECT_EQ(r.trigon().seconds, 5);
  EXPECT_EQ(r.trigon().spread, 0.4);
  EXPECT_EQ(r.trigon().uncertainty, median_uncertainty({1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_GT(r.trigon().uncertainty, 0.4);
}

TEST_F(Measure, EachBeginsARoundInTurn) {
  std::vector<std::string> order;
  for (const char* name : {"trigon", "b", "c"}) add(name, {1}).order = &order;
  run(3);
  order.erase(order.begin(), order.begin() + 3);  // the calibration
  EXPECT_EQ(order, (std::vector<std::string>{"trigon", "b", "c", "b", "c", "trigon", "c", "trigon", "b"}));
}

TEST_F(Measure, ShortCallsAreRepeatedWithinASample) {
  add("trigon", {1e-6});
  add("peer", {1});
  const Result r = run(3);
  EXPECT_GE(r.trigon().inner, 50);
  EXPECT_EQ(r.peer("peer")->inner, 1);
  EXPECT_EQ(r.trigon().seconds, 1e-6) << "of a call, not of a sample";
}

TEST_F(Measure, GoesOnUntilTheMediansStandStill) {
  MeasureOptions o;
  o.seconds = 60;
  add("trigon", {1});
  EXPECT_EQ(measure(contestants, row, machine, o).rounds, 11);
  o.seconds = 0;
  add("peer", {1, 2});
  EXPECT_EQ(measure(contestants, row, machine, o).rounds, 3) << "no time left";
}

TEST_F(Measure, WithoutTrigonThereIsNoRatio) {
  add("trigon", {1}).missing = "has no dtrsm";
  add("peer", {1});
  EXPECT_TRUE(std::isnan(run(3).peer("peer")->ratio));
}

}  // namespace
}  // namespace trigon::bench
