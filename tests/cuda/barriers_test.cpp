// The kernels under every schedule: the same bits from all of them, and no barrier or wait that could be left out
// without a test that sees it.
#include "cuda/device_calls.hpp"
#include "support/variants.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace trigon::test {
namespace {

struct Probe {
  const char* call;
  Route route;
};

constexpr core::Path chain = core::Path::Narrow, recursion = core::Path::Recursion;

/// Each kernel with several tiles, ragged ones among them, and in both directions of memory.
const std::vector<Probe>& probes() {
  static const std::vector<Probe> all{
      {"sgemm m=150 n=140 k=37", {}},
      {"dgemm m=70 n=65 k=33 transa=T", {}},
      {"zgemm m=33 n=40 k=17 transb=C layout=R", {recursion, 64, false, 1}},
      {"dgemm m=40 n=33 k=50", {recursion, 64, false, 1}},
      {"cher2k n=70 k=9 alpha=1,2 beta=0.5", {}},
      {"dsymm m=65 n=40 side=R uplo=U", {recursion, 64, false, 1}},
      {"dgemm m=140 n=65 k=27", {.tensor_units = true}},
      {"zherk n=70 k=20 transa=C uplo=U", {.large_tiles = false, .tensor_units = true}},
      {"sgemm m=130 n=140 k=37 transb=T", {.wide = false}},
      {"dtrsm m=100 n=70", {recursion, 1000}},
      {"ctrsm m=70 n=40 side=R transa=C uplo=U", {recursion, 32}},
      {"dtrmm m=100 n=70 uplo=U", {recursion, 1000}},
      {"ctrsm m=100 n=21 uplo=U", {.leaf = 1000, .panel_warps = 2}},
      {"strmm m=70 n=40 side=R diag=U", {recursion, 1000}},
      {"dtrsm m=300 n=6", {chain, 0, true, 3}},
      {"ztrsm m=130 n=5 transa=T layout=R", {chain, 0, true, 2}},
      {"dtrsv n=400 incx=-2", {chain, 0, true, 3}},
      {"strsm m=300 n=5", {.path = chain, .chain_warps = 4}},
      {"strsv n=330 transa=T uplo=U", {chain, 0, true, 3}},
      {"dtrmm m=300 n=6 uplo=U", {chain, 0, true, 3}},
      {"ctrmv n=330 transa=C", {chain, 0, true, 3}},
      {"dtrsm m=100 n=40 uplo=U", {.leaf = 64, .solve = Solve::Inverted}},
      {"ztrsm m=130 n=3", {.path = chain, .solve = Solve::Inverted}},
      {"strsv n=330 transa=T", {.path = chain, .solve = Solve::Inverted}},
  };
  return all;
}

Case case_of(const Probe& probe) {
  Case c{parse_call(probe.call)};
  c.call.lda = c.call.ldb = c.call.ldc = 0;
  c.sample = {12, 1};
  c.check_flags = c.repeat = false;
  return c;
}

/// The memory of the result, from its first element to its last.
std::vector<std::byte> result_of(const Call& c) {
  const bool in_b = c.operation >= Operation::Trmm, vector = is_vector(c.operation);
  const index rows = c.layout == Layout::ColMajor ? c.m : c.n, ld = in_b ? c.ldb : c.ldc;
  const index lines = is_rank_k(c.operation) || c.layout == Layout::ColMajor ? c.n : c.m;
  const index elements =
      vector ? (c.n - 1) * std::abs(c.incx) + 1 : (lines - 1) * ld + (is_rank_k(c.operation) ? c.n : rows);
  const auto* p = static_cast<const std::byte*>(in_b ? c.b : c.c);
  return {p, p + static_cast<std::size_t>(elements) * with_type(c.precision, [](auto zero) { return sizeof zero; })};
}

std::vector<std::byte> result_of(const Probe& probe) {
  Operands o(case_of(probe).call, {});
  run_on_device(o.call(), probe.route);
  EXPECT_TRUE(o.verify({12, 1}).ok()) << probe.call << ", " << name(simt::settings());
  return result_of(o.call());
}

TEST(Barriers, EveryScheduleGivesTheSameBits) {
  for (const Probe& probe : probes()) {
    std::vector<std::vector<std::byte>> results;
    for (const simt::Settings& s : schedules()) {
      const Scheduled as(s);
      results.push_back(result_of(probe));
    }
    for (const auto& r : results) EXPECT_EQ(r, results.front()) << probe.call;
  }
}

/// More blocks do not change a sum. Only the grids of chains depend on the device.
TEST(Barriers, AnyGridGivesTheSameBits) {
  const Scheduled as({simt::Schedule::Random, 3, 64});
  for (Probe probe : probes()) {
    if (probe.route.path != chain) continue;
    probe.route.chain_blocks = 4;
    const auto on = [&](int multiprocessors) {
      simt::report() = {};
      probe.route.multiprocessors = multiprocessors;
      auto result = result_of(probe);
      return std::pair(result, simt::report().blocks);
    };
    const auto [few, few_blocks] = on(1);
    const auto [many, many_blocks] = on(50);
    EXPECT_EQ(few_blocks, 4u) << probe.call;
    EXPECT_GT(many_blocks, few_blocks) << probe.call;
    EXPECT_EQ(many, few) << probe.call;
  }
}

/// How a product is cut changes no sum, whichever units compute it.
TEST(Barriers, AnyTileGivesTheSameBits) {
  for (const char* call :
       {"dgemm m=140 n=133 k=43 transa=T", "dsyr2k n=70 k=21", "zhemm m=67 n=70 uplo=U", "cgemm m=70 n=65 k=17",
        "ssymm m=65 n=130", "zgemm m=70 n=300 k=9", "zherk n=300 k=5 uplo=U"})
    for (const bool tensor_units : {false, true}) {
      const auto with = [&](bool large, bool wide) {
        return result_of({call, {.large_tiles = large, .wide = wide, .tensor_units = tensor_units}});
      };
      const auto first = with(true, true);
      EXPECT_EQ(with(true, false), first) << call;
      EXPECT_EQ(with(false, true), first) << call;
    }
}

/// In a child, because a mutant may read anywhere, or never end. A wrong inverse is noticed and substitution takes its
/// place, so inverses also have to give the bits of `expected`.
bool right(const Probe& probe, const std::vector<std::byte>& expected) {
  const Implementation run = [&](const Call& call) {
    alarm(60);
    run_on_device(call, probe.route);
    if (probe.route.solve == Solve::Inverted && result_of(call) != expected) std::abort();
  };
  return run_case_in_child(run, case_of(probe)).ok();
}

/// A mutant for each place in the sources where threads wait.
TEST(Barriers, NoneCanBeDropped) {
  std::vector<std::vector<std::string>> reached;
  for (const Probe& probe : probes()) {
    simt::report() = {};
    result_of(probe);
    reached.push_back(simt::report().places);
  }
  simt::report() = {};
  std::vector<std::vector<std::byte>> expected;
  for (const Probe& probe : probes()) {
    expected.push_back(result_of(probe));  // here, to number the places
    EXPECT_TRUE(right(probe, expected.back())) << probe.call;
  }
  const std::vector<std::string> places = simt::report().places;
  ASSERT_GE(places.size(), 15u);
  for (std::size_t drop = 0; drop < places.size(); ++drop) {
    bool caught = false;
    for (std::size_t i = 0; i < probes().size(); ++i)
      for (simt::Settings s : schedules()) {
        if (caught || std::find(reached[i].begin(), reached[i].end(), places[drop]) == reached[i].end()) break;
        s.drop = static_cast<int>(drop);
        const Scheduled as(s);
        caught = !right(probes()[i], expected[i]);
      }
    EXPECT_TRUE(caught) << places[drop] << " can be left out";
  }
  std::printf("%zu places\n", places.size());
}

}  // namespace
}  // namespace trigon::test
