// What callers are told of workspace: it never shrinks while a size grows, and is what the call takes or more, wherever
// its operands lie. On devices of many kinds, made of the first one; nothing is submitted.
#include "core/canonical.hpp"
#include "core/dispatch.hpp"
#include "opencl/backend.hpp"
#include "opencl/execute.hpp"
#include "opencl/host.hpp"
#include "opencl/on_device.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace trigon::opencl {
namespace {

/// Numbers from 1 on, about the edges of tiles, panels, leaves and parts.
constexpr index growing[] = {1,   2,   3,   7,   8,   9,   13,  16,   17,   23,   25,   33,
                             37,  40,  41,  49,  65,  73,  97,  99,   131,  193,  255,  257,
                             301, 385, 500, 513, 522, 744, 777, 1003, 1025, 1040, 2049, 2600};

class Workspace : public testing::Test {
 protected:
  void SetUp() override {
    environment_.cache = "/dev/null/none";
    host() = new core::Host{core::plugin_abi, environment_, tuning_};
    ASSERT_FALSE(devices().empty());
    device_ = *devices().front();
  }

  std::unique_ptr<Lane> lane() const {
    Failure failure;
    std::unique_ptr<Lane> made = Lane::create(device_, failure);
    EXPECT_TRUE(made) << failure.words;
    return made;
  }

  static core::Request request(Call call, Lane& lane, bool one_buffer) {
    static char memory[3];
    call.a = memory, call.b = memory + !one_buffer, call.c = memory + 2;
    core::Request r = core::canonical(call);
    r.memory = core::Memory::Device, r.queue = &lane;
    return r;
  }
  static std::size_t told(const core::Request& r) { return workspace_size(r, plan(r)); }
  static std::size_t taken(const core::Request& r) {
    const core::Plan p = plan(r);
    const Device& device = static_cast<Lane*>(r.queue)->device();
    Commands commands(device);
    with_type(r.precision, [&]<class T>(T) {
      Backend<T> backend(commands, p.leaf, r.solve, most_workspace(device));
      core::dispatch<T>(r, backend, view_of);
    });
    return commands.most_workspace();
  }

  /// The most that the call takes: its operands may be one, and columns so far apart that none is read where it lies.
  static std::size_t taken_anywhere(const Call& dense, Lane& lane, Solve solve) {
    std::size_t most = 0;
    for (const index apart : {1, 1024})
      for (const bool one_buffer : {false, true}) {
        Call call = dense;
        for (index* ld : {&call.lda, &call.ldb, &call.ldc}) *ld = (*ld + apart - 1) / apart * apart;
        core::Request r = request(call, lane, one_buffer);
        r.solve = solve;
        most = std::max(most, taken(r));
      }
    return most;
  }

  core::Environment environment_;
  core::Tuning tuning_;
  Device device_;
};

class Growth : public Workspace, public testing::WithParamInterface<Operation> {
 protected:
  /// Size `which` of the variant grows, the others are given.
  void expect(const Call& variant, std::array<index, 3> sizes, std::size_t which, Lane& lane, Solve solve) {
    std::size_t before = 0;
    for (const index n : growing) {
      sizes[which] = n;
      const Call call = test::sized(variant, sizes[0], sizes[1], sizes[2]);
      core::Request r = request(call, lane, false);
      r.solve = solve;
      const std::size_t bytes = told(r);
      ASSERT_GE(bytes, before) << to_text(call) << ", " << device_.compute_units << " compute units";
      ASSERT_GE(bytes, taken_anywhere(call, lane, solve)) << to_text(call) << ", " << device_.compute_units;
      before = bytes;
    }
  }

  void expect_of_some() {
    const std::unique_ptr<Lane> lane = this->lane();
    std::mt19937_64 random(29);
    for (const Precision p : test::all_precisions) {
      const std::vector<Call> all = test::variants(GetParam(), p);
      for (int i = 0; i < 4 && !all.empty(); ++i)
        for (const std::size_t which : {0, 1, 2})
          for (const std::array<index, 3> sizes :
               {std::array<index, 3>{1, 1, 1}, {16, 35, 16}, {100, 100, 600}, {600, 600, 600}}) {
            const Call& variant = all[random() % all.size()];
            expect(variant, sizes, which, *lane, i == 0 ? Solve::Inverted : Solve::Exact);
            if (HasFatalFailure()) return;
          }
    }
  }
};

TEST_P(Growth, OnAnyNumberOfUnits) {
  for (const int units : {1, 2, 7, 64}) {
    device_.compute_units = units;
    expect_of_some();
    if (HasFatalFailure()) return;
  }
}

TEST_P(Growth, WhereBitsDoNotDependOnUnits) {
  device_.reproducible = true;
  for (const std::size_t memory : {device_.memory, std::size_t{0}})
    for (const int units : {1, 7, 64}) {
      device_.memory = memory, device_.compute_units = units;
      expect_of_some();
      if (HasFatalFailure()) return;
    }
}

TEST_P(Growth, WhereThereIsLittle) {
  device_.memory = 0;
  expect_of_some();
}

TEST_P(Growth, WhateverTheNumbers) {
  for (Settings& s : device_.settings) {
    s.leaf = 40, s.leaf_few = 17, s.gemm_k = 24, s.gemm_m = 16, s.gemm_n = 48;
    s.shape = {8, 2, 3};
  }
  expect_of_some();
  if (HasFatalFailure()) return;
  for (Settings& s : device_.settings) s.kernels = Kernels::Tiles, s.launches = 2;
  expect_of_some();
}

INSTANTIATE_TEST_SUITE_P(All, Growth, testing::ValuesIn(test::all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

/// A copy of the right-hand side, and a result for each piece only where results of pieces are added up.
TEST_F(Workspace, OfOneRightHandSideIsWhatIsUsed) {
  constexpr std::size_t one = 4096 * sizeof(double);
  device_.compute_units = 2;
  const auto copies = [&](const char* text, int launches) {
    device_.settings[1].launches = launches;
    const std::unique_ptr<Lane> lane = this->lane();
    const core::Request r = request(parse_call(text), *lane, false);
    EXPECT_EQ(told(r), taken(r)) << text;
    return taken(r) / one;
  };
  EXPECT_EQ(copies("dtrmv n=4096", 1), 9u);
  EXPECT_EQ(copies("dtrmv n=4096", 2), 2u);
  EXPECT_EQ(copies("dtrmv n=4096 transa=T", 1), 2u);
  EXPECT_EQ(copies("dtrsv n=4096", 1), 1u);
}

}  // namespace
}  // namespace trigon::opencl
