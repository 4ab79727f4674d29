// Solves by inverses of diagonal tiles: every variant, the matrix that tells inverses of 32 rows from larger ones, and
// triangles whose inverses must not be used.
#include "cuda/device_calls.hpp"
#include "cuda/plan.hpp"
#include "support/variants.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

namespace trigon::test {
namespace {

constexpr core::Path chain = core::Path::Narrow, recursion = core::Path::Recursion;

class Inverted : public testing::TestWithParam<Routine> {};

TEST_P(Inverted, MeetsTheBoundOfSubstitution) {
  const auto [operation, precision] = GetParam();
  std::mt19937_64 random(static_cast<unsigned>(operation) * 4 + static_cast<unsigned>(precision));
  constexpr index orders[] = {1, 7, 31, 32, 33, 63, 65, 97, 129};
  double worst = 0;
  std::size_t turn = 0;
  for (const Call& variant : variants(operation, precision))
    for (int round = 0; round < (is_vector(operation) ? 2 : 1); ++round) {
      if (random() % ((is_vector(operation) ? 1 : 2) * thinning()) != 0) continue;
      Case c{variant};
      const index order = orders[random() % std::size(orders)];
      set_sizes(c.call, order, orders[random() % 6], 1);
      if (!is_vector(operation)) (c.call.side == Side::Left ? c.call.m : c.call.n) = order;
      c.call.alpha = random() % 2 ? 1 : -0.75;
      c.call.incx = random() % 2 ? 1 : -2;
      c.operands.seed = random();
      c.operands.ill_conditioned = random() % 4 == 0;
      c.sample = {6, random()};
      c.check_flags = c.repeat = false;
      Route route{random() % 2 ? chain : recursion, random() % 2 ? index{1} : 64};
      route.solve = Solve::Inverted;
      const Scheduled as(schedules()[turn++ % schedules().size()]);
      const Outcome outcome = run_case(on_device(route), c);
      EXPECT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words << "\n  path " << core::name(route.path);
      worst = std::max(worst, outcome.ratio);
    }
  std::printf("worst error / bound %.3f\n", worst);
}

std::vector<Routine> solving_routines() {
  std::vector<Routine> list;
  for (const Routine& r : all_routines())
    if (cuda::solves(std::get<0>(r))) list.push_back(r);
  return list;
}

INSTANTIATE_TEST_SUITE_P(All, Inverted, testing::ValuesIn(solving_routines()),
                         [](const auto& info) { return routine_name(info.param); });

/// Unit triangles on the diagonal with entries of U(-1, 1) below, blocks of 128: their inverses are huge.
std::vector<float> treacherous(index m, std::mt19937_64& random) {
  std::uniform_real_distribution<float> u(-1, 1);
  std::vector<float> l(static_cast<std::size_t>(m * m));
  for (index j = 0; j < m; ++j)
    for (index i = j; i < m; ++i)
      l[static_cast<std::size_t>(i + j * m)] = i == j ? 1 : i / 128 == j / 128 ? u(random) : 0;
  return l;
}

/// The largest |B - L X| / (|L| |X| + |B|), entry by entry, in units of 2^-23.
double backward_error(const std::vector<float>& l, const std::vector<float>& b, const std::vector<float>& x, index m,
                      index n) {
  const auto at = [m](const std::vector<float>& v, index i, index j) {
    return static_cast<double>(v[static_cast<std::size_t>(i + j * m)]);
  };
  double worst = 0;
  for (index i = 0; i < m; ++i)
    for (index c = 0; c < n; ++c) {
      double residual = at(b, i, c), size = std::fabs(residual);
      for (index j = 0; j <= i; ++j) {
        const double product = at(l, i, j) * at(x, j, c);
        residual -= product, size += std::fabs(product);
      }
      worst = std::max(worst, std::fabs(residual) / size);
    }
  return worst / std::numeric_limits<float>::epsilon();
}

std::vector<float> solved(const std::vector<float>& l, std::vector<float> b, index m, index n, const Route& route) {
  Call call = parse_call("strsm diag=U m=" + std::to_string(m) + " n=" + std::to_string(n));
  call.lda = call.ldb = m;
  call.a = l.data(), call.b = b.data();
  run_on_device(call, route);
  return b;
}

/// The permanent one. Inverses of 128 rows, tried on a host, give 17 000.
TEST(CudaInverted, BackwardErrorStaysThatOfSubstitution) {
  static_assert(cuda::diagonal_tile == 32, "larger inverses are not accurate");
  const index m = 512, n = 8;
  std::mt19937_64 random(1);
  std::normal_distribution<float> normal;
  const std::vector<float> l = treacherous(m, random);
  std::vector<float> b(static_cast<std::size_t>(m * n));
  for (float& x : b) x = normal(random);
  for (const auto& [name, route] : {std::pair{"panels", Route{recursion, 128}}, {"chain", Route{chain, 0}}}) {
    Route inverted = route;
    inverted.solve = Solve::Inverted;
    const std::vector<float> by_substitution = solved(l, b, m, n, route), by_inverses = solved(l, b, m, n, inverted);
    EXPECT_NE(by_substitution, by_inverses) << "no inverse was used";
    const double exact = backward_error(l, b, by_substitution, m, n), error = backward_error(l, b, by_inverses, m, n);
    std::printf("%s: substitution %.2f eps, inverted %.2f eps\n", name, exact, error);
    EXPECT_LE(exact, 1);
    EXPECT_LE(error, 1);
  }
}

/// The result of a solve with the triangle `t` and right-hand sides of ones.
std::vector<double> result(const std::vector<double>& t, index m, index n, const char* flags, Route route,
                           Solve solve) {
  std::vector<double> b(static_cast<std::size_t>(m * n), 1);
  Call call = parse_call(std::string("dtrsm ") + flags + " m=" + std::to_string(m) + " n=" + std::to_string(n));
  call.lda = call.ldb = m;
  call.a = t.data(), call.b = b.data();
  route.solve = solve;
  run_on_device(call, route);
  return b;
}

/// A triangle in which every tile has the entry at (at, at).
std::vector<double> with_entry(index m, index row, index column, double value) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<double> t(static_cast<std::size_t>(m * m));
  for (index j = 0; j < m; ++j)
    for (index i = 0; i < m; ++i) t[static_cast<std::size_t>(i + j * m)] = i == j ? 4 : u(random);
  for (index k = 0; k + 32 <= m; k += 32) t[static_cast<std::size_t>(k + row + (k + column) * m)] = value;
  return t;
}

bool same(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

/// A pivot without a reciprocal, NaN and Inf: such tiles are substituted, to the last bit.
TEST(CudaInverted, SubstitutesWhereAnInverseIsNoGood) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const index m = 96, n = 5;
  for (const auto& [row, column, value] : {std::tuple{5, 5, 1e-310}, {9, 9, 0.0}, {20, 3, std::nan("")}, {20, 3, inf}})
    for (const auto& [flags, lower] : {std::pair{"", true}, {"uplo=U", false}, {"uplo=U transa=T", false}})
      for (const Route& route : {Route{recursion, 64}, Route{chain, 0}}) {
        const std::vector<double> t = lower ? with_entry(m, row, column, value) : with_entry(m, column, row, value);
        const auto exact = result(t, m, n, flags, route, Solve::Exact);
        const auto inverted = result(t, m, n, flags, route, Solve::Inverted);
        for (std::size_t i = 0; i < exact.size(); ++i)
          ASSERT_TRUE(same(exact[i], inverted[i]))
              << flags << " " << value << " " << i << ": " << exact[i] << " " << inverted[i];
      }
}

/// An infinite right-hand side reaches what depends on it, and nothing else: that column's tiles are substituted.
TEST(CudaInverted, InfinityStaysWhereItBelongs) {
  const index m = 64, n = 2;
  const std::vector<double> t = with_entry(m, 0, 0, 4);
  for (const Route& route : {Route{recursion, 32}, Route{chain, 0}}) {
    std::vector<double> b(static_cast<std::size_t>(m * n), 1);
    b[40] = std::numeric_limits<double>::infinity();
    Call call = parse_call("dtrsm m=64 n=2 lda=64 ldb=64");
    call.a = t.data(), call.b = b.data();
    Route inverted = route;
    inverted.solve = Solve::Inverted;
    run_on_device(call, inverted);
    for (index i = 0; i < m * n; ++i) EXPECT_EQ(std::isfinite(b[static_cast<std::size_t>(i)]), i < 40 || i >= m) << i;
    EXPECT_EQ(b[40], std::numeric_limits<double>::infinity());
  }
}

TEST(CudaInverted, IsNotSubstitutionInDisguise) {
  for (const char* text :
       {"strsm m=70 n=9", "dtrsm m=70 n=9 uplo=U", "ctrsm m=70 n=9 transa=C", "ztrsm m=70 n=9 side=R"})
    for (const core::Path path : {chain, recursion}) {
      Operands exact(parse_call(text)), inverted(parse_call(text));
      run_on_device(exact.call(), {.path = path});
      run_on_device(inverted.call(), {.path = path, .solve = Solve::Inverted});
      const std::size_t bytes = 70 * 9 * sizeof(float);
      EXPECT_NE(std::memcmp(exact.result(), inverted.result(), bytes), 0) << text;
    }
}

TEST(CudaInverted, TakesWorkspaceForWideCallsOnly) {
  const auto need = [](const char* text, Solve solve) {
    core::Request r = core::canonical(parse_call(text));
    r.solve = solve;
    return std::pair(cuda::needed_bytes(r, cuda::plan(r, {})), cuda::workspace_size(r, cuda::plan(r, {}), {}));
  };
  EXPECT_EQ(need("dtrsm m=100 n=200", Solve::Exact).first, 0u);
  EXPECT_EQ(need("dtrsm m=100 n=200", Solve::Inverted).first, 4u * 1024 * 8);
  EXPECT_EQ(need("dtrsm m=100 n=200", Solve::Inverted).second, 4u * 1024 * 8);
  EXPECT_EQ(need("dtrmm m=100 n=200", Solve::Inverted), need("dtrmm m=100 n=200", Solve::Exact));
  EXPECT_EQ(need("dtrsm m=100 n=20", Solve::Inverted).first, need("dtrsm m=100 n=20", Solve::Exact).first);
  EXPECT_GE(need("dtrsm m=100 n=65", Solve::Inverted).second, need("dtrsm m=100 n=64", Solve::Inverted).second);
  core::Tuning t;
  t.cuda_leaf.value = {1, 1, 1, 1};
  core::Request r = core::canonical(parse_call("dtrsm m=100 n=200"));
  r.solve = Solve::Inverted;
  EXPECT_EQ(cuda::plan(r, t).leaf, 32) << "a leaf has whole tiles";
}

}  // namespace
}  // namespace trigon::test
