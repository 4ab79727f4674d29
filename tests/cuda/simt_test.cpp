// The CPU shim itself: it runs what it should, and names what is wrong.
#include "cuda/device_calls.hpp"
#include "cuda/launch.hpp"
#include "cuda/portable.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace trigon::cuda {
namespace {

using simt::Schedule;
using simt::Settings;
using test::Scheduled;

class Simt : public testing::TestWithParam<Settings> {
 protected:
  Scheduled scheduled{GetParam()};
};

void number_all(int* out) { out[block() * threads() + thread()] += static_cast<int>(block()) * 1000 + thread(); }

TEST_P(Simt, RunsEveryThreadOnce) {
  std::vector<int> out(7 * 96, 0);
  launch({}, 7, 96, number_all, out.data());
  for (int i = 0; i < 7 * 96; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i / 96 * 1000 + i % 96);
}

/// Sums by halving, through shared memory.
void sum_block(const int* in, int* out) {
  TRIGON_SHARED(int, cell, 128);
  cell[thread()] = in[block() * 128 + thread()];
  sync_block();
  for (int half = 64; half > 0; half /= 2) {
    if (thread() < half) cell[thread()] += cell[thread() + half];
    sync_block();
  }
  if (thread() == 0) out[block()] = cell[0];
}

TEST_P(Simt, BarriersOrderSharedMemory) {
  std::vector<int> in(5 * 128), out(5);
  std::iota(in.begin(), in.end(), 0);
  launch({}, 5, 128, sum_block, static_cast<const int*>(in.data()), out.data());
  for (int b = 0; b < 5; ++b) EXPECT_EQ(out[static_cast<std::size_t>(b)], 128 * 128 * b + 127 * 64);
}

void rotate(double* x) {
  const double once = shuffle(x[thread()], (lane() + 1) % 32);
  x[thread()] = shuffle(once, (lane() + 1) % 32);
}

TEST_P(Simt, ShufflesWithinWarps) {
  std::vector<double> x(64);
  std::iota(x.begin(), x.end(), 0.0);
  launch({}, 1, 64, rotate, x.data());
  for (int i = 0; i < 64; ++i) EXPECT_EQ(x[static_cast<std::size_t>(i)], i / 32 * 32 + (i + 2) % 32);
}

void vote(int* out) { out[thread()] = all_lanes(thread() != 40) ? 1 : 0; }

TEST_P(Simt, VotesWithinWarps) {
  std::vector<int> out(64, -1);
  launch({}, 1, 64, vote, out.data());
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i < 32 ? 1 : 0);
}

/// Blocks take tickets; each waits for the one before.
void relay(int tickets, int* control, int* out) {
  TRIGON_SHARED(int, taken, 1);
  for (;;) {
    if (thread() == 0) *taken = take(control);
    sync_block();
    const int mine = *taken;
    if (mine >= tickets) return;
    if (thread() == 0) {
      if (mine > 0) wait_for(control + mine);
      out[mine] = mine == 0 ? 1 : out[mine - 1] + 1;
      publish(control + 1 + mine);
    }
    sync_block();
  }
}

TEST_P(Simt, BlocksWaitForEachOther) {
  std::vector<int> control(41, 0), out(40, 0);
  launch({}, 6, 64, relay, 40, control.data(), out.data());
  for (int i = 0; i < 40; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i + 1);
}

INSTANTIATE_TEST_SUITE_P(Schedules, Simt, testing::ValuesIn(test::schedules()),
                         [](const auto& info) { return "Number" + std::to_string(info.index); });

/// What launch() complains of, or nothing.
template <class... P>
std::string complaint(index blocks, int threads, void (*kernel)(P...), std::type_identity_t<P>... arguments) {
  try {
    launch({}, blocks, threads, kernel, arguments...);
  } catch (const simt::fault& f) {
    return f.what();
  }
  return {};
}

void read_uninitialised(float* out) {
  TRIGON_SHARED(float, cell, 32);
  out[thread()] = cell[thread()];
}

TEST(SimtFaults, SharedMemoryStartsAsNaN) {
  std::vector<float> out(32, 0);
  launch({}, 1, 32, read_uninitialised, out.data());
  for (const float x : out) EXPECT_TRUE(std::isnan(x));
}

void some_skip_the_barrier() {
  if (warp() == 0) sync_block();
}
void two_barriers() {
  if (warp() == 0)
    sync_block();
  else
    sync_block();
}
void one_lane_skips() {
  if (lane() != 3) sync_warp();
}
void lane_waits_elsewhere() {
  if (lane() == 3)
    sync_block();
  else
    sync_warp();
}
void too_much_shared() {
  TRIGON_SHARED(double, cell, 48 * 1024 / 8);
  TRIGON_SHARED(int, one_more, 1);
  (void)one_more;
  (void)cell;
}
void nobody_publishes(const int* flag) { wait_for(flag); }

TEST(SimtFaults, AreNamed) {
  const int zero = 0;
  EXPECT_TRUE(complaint(1, 64, some_skip_the_barrier).find("some threads have ended") != std::string::npos);
  EXPECT_TRUE(complaint(1, 64, two_barriers).find("one barrier is reached at") != std::string::npos);
  EXPECT_TRUE(complaint(1, 32, one_lane_skips).find("some threads have ended") != std::string::npos);
  EXPECT_TRUE(complaint(1, 32, lane_waits_elsewhere).find("wait for each other") != std::string::npos);
  EXPECT_TRUE(complaint(1, 32, too_much_shared).find("49156 bytes") != std::string::npos);
  EXPECT_TRUE(complaint(2, 32, nobody_publishes, &zero).find("wait for each other") != std::string::npos);
  EXPECT_TRUE(complaint(1, 33, some_skip_the_barrier).find("33 threads") != std::string::npos);
}

#if defined(__SANITIZE_ADDRESS__)
void read_beyond(float* out) {
  TRIGON_SHARED(float, cell, 32);
  out[thread()] = cell[thread() + 1];
}

TEST(SimtFaults, AreSeenBeyondSharedMemory) {
  std::vector<float> out(32);
  EXPECT_DEATH(launch({}, 1, 32, read_beyond, out.data()), "heap-buffer-overflow");
}
#endif

TEST(SimtFaults, LeaveTheShimUsable) {
  const std::string first = complaint(1, 64, two_barriers);
  EXPECT_NE(first, "");
  EXPECT_EQ(complaint(1, 64, two_barriers), first);
  std::vector<int> out(32, 0);
  launch({}, 1, 32, number_all, out.data());
  EXPECT_EQ(out[31], 31);
}

/// Each barrier of sum_block and the wait of relay, dropped: some schedule must show it.
TEST(SimtMutants, AreSeen) {
  simt::report() = {};
  std::vector<int> in(128, 1), out(40, 0), control(41, 0);
  const auto both_right = [&] {
    std::fill(control.begin(), control.end(), 0);
    std::fill(out.begin(), out.end(), 0);
    try {
      launch({}, 1, 128, sum_block, static_cast<const int*>(in.data()), out.data());
      if (out[0] != 128) return false;
      launch({}, 6, 64, relay, 40, control.data(), out.data());
    } catch (const simt::fault&) {
      return false;
    }
    return out[39] == 40;
  };
  EXPECT_TRUE(both_right());
  const auto places = simt::report().places;
  ASSERT_EQ(places.size(), 5u);  // two barriers each and one wait
  int seen = 0;
  for (int drop = 0; drop < 5; ++drop) {
    bool caught = false;
    for (Settings s : test::schedules()) {
      s.drop = drop;
      const Scheduled as(s);
      caught = caught || !both_right();
    }
    seen += caught;
    EXPECT_TRUE(caught) << places[static_cast<std::size_t>(drop)];
  }
  EXPECT_EQ(seen, 5);
}

}  // namespace
}  // namespace trigon::cuda
