#include "trigon/bench/regions.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

#include "trigon/bench/operands.hpp"

namespace trigon::bench {
namespace {

/// Bars that were set in GFLOP/s were set on a core of this double-precision rate: they become shares of the rate.
constexpr double set_at = 58.5;

class List {
 public:
  std::vector<RegionRow> rows;

  RegionRow& add(const std::string& region, Operation op, Precision p, index m, index n, Side side = Side::Left,
                 int threads = 1) {
    Call c;
    c.operation = op, c.precision = p, c.beta = 1;
    c.side = side;
    c.m = is_vector(op) ? 0 : m, c.n = n, c.k = op == Operation::Gemm ? n : 0;
    c.lda = std::max<index>(1, side == Side::Left && !is_vector(op) ? m : n);
    if (!is_vector(op)) c.ldb = op == Operation::Gemm ? n : m;
    if (op == Operation::Gemm) c.ldc = m;
    rows.push_back({region, {c, threads, region}, {}, {}, {}});
    return rows.back();
  }
  /// Squares; bars in the order of the sizes.
  void squares(const std::string& region, Operation op, const std::vector<std::pair<index, Bar>>& sizes) {
    for (const auto& [n, bar] : sizes) add(region, op, Precision::Double, n, n).share = bar;
  }
};

using enum Operation;
using enum Precision;

void gemms(List& list) {
  for (const index n : {64, 128, 256, 512, 1024, 2048}) list.add("gemm", Gemm, Double, n, n);
  for (const Precision p : {Single, ComplexSingle, ComplexDouble})
    for (const index n : {64, 128, 256}) list.add("gemm", Gemm, p, n, n);
  for (const Precision p : {Single, Double, ComplexDouble}) list.add("gemm", Gemm, p, 512, 512, Side::Left, 2);
}

void squares(List& list) {
  for (const index n : {512, 1024, 2048}) list.add("trsm, large", Trsm, Double, n, n).of_gemm = {0, 1};
  list.squares("trsm, middling", Trsm, {{64, {.76, .82}}, {128, {.86, .90}}, {256, {.90, .94}}});
  list.squares("trmm, middling", Trmm, {{64, {.65, .80}}, {128, {.75, .90}}, {256, {.85, .92}}});
  list.squares("trsm, small", Trsm,
               {{8, {11 / set_at, 15 / set_at}}, {16, {25 / set_at, 30 / set_at}}, {32, {38 / set_at, 42 / set_at}}});
  list.squares("trmm, small", Trmm,
               {{8, {12 / set_at, 16 / set_at}}, {16, {22 / set_at, 30 / set_at}}, {32, {34 / set_at, 42 / set_at}}});
  for (const Precision p : {Single, ComplexSingle, ComplexDouble})
    for (const index n : {64, 128, 256}) list.add("trsm s c z", Trsm, p, n, n).of_gemm = {.8, .88};
}

void few_and_many(List& list) {
  list.add("few columns", Trsm, Double, 1024, 4).share = {29 / set_at, 40 / set_at};
  list.add("few columns", Trsm, Double, 1024, 16).share = {50 / set_at, 50 / set_at};
  // From memory.
  list.add("few columns", Trsm, Double, 4096, 4).gflops = {12, 18};
  list.add("few columns", Trsm, Double, 4096, 16).gflops = {24, 40};
  list.add("few columns", Trsm, Double, 4096, 4, Side::Left, 2).gflops = {0, 30};
  list.add("few columns", Trsm, Double, 4096, 16, Side::Left, 2).gflops = {0, 75};
  for (const Operation op : {Trsm, Trmm})
    for (const index n : {32, 64, 128, 256})
      list.add("right, 8192 rows", op, Double, 8192, n, Side::Right).share = {34 / set_at, 40 / set_at};
}

void vectors(List& list) {
  // In the second cache, in the third, from memory.
  for (const Operation op : {Trsv, Trmv})
    for (const index n : {300, 1500, 6000}) list.add("trsv, trmv", op, Double, 0, n);
}

void threads(List& list) {
  for (const Precision p : {Single, Double, ComplexDouble})
    list.add("two threads", Trsm, p, 512, 512, Side::Left, 2).of_gemm = {0, .92};
}

/// The fastest GEMM, ours or a peer's, of each precision, order and number of threads.
using Gemms = std::map<std::tuple<Precision, index, int>, double>;

Gemms fastest_gemms(const std::vector<Result>& results) {
  Gemms fastest;
  for (const Result& r : results) {
    const Call& c = r.row.call;
    if (c.operation != Gemm || c.m != c.n || c.k != c.n) continue;
    double& best = fastest[{c.precision, c.n, r.row.threads}];
    for (const Timing& t : r.timings)
      if (t.ran && t.checked.right) best = std::max(best, r.gflops(t));
  }
  return fastest;
}

bool over(double value, double bar) { return bar == 0 || value >= bar; }

}  // namespace

std::vector<RegionRow> region_rows() {
  List list;
  gemms(list);
  squares(list);
  few_and_many(list);
  vectors(list);
  threads(list);
  return list.rows;
}

std::vector<Standing> standings(const std::vector<Result>& results) {
  const Gemms fastest = fastest_gemms(results);
  std::map<std::string, RegionRow> known;
  for (const RegionRow& r : region_rows())
    if (r.region != "gemm") known.emplace(key(r.row), r);
  std::vector<Standing> list;
  for (const Result& r : results) {
    const auto found = known.find(key(r.row));
    if (found == known.end() || !r.trigon().ran) continue;
    const RegionRow& what = found->second;
    Standing s{what};
    s.gflops = r.gflops(r.trigon());
    s.share = s.gflops * 1e9 / r.peak;
    const Call& c = r.row.call;
    if (const auto gemm = fastest.find({c.precision, c.n, r.row.threads}); gemm != fastest.end() && c.m == c.n)
      s.of_gemm = s.gflops / gemm->second;
    if (const Timing* best = r.best_peer()) s.ratio = best->ratio, s.peer = best->name;
    if (!r.trigon().checked.right)
      s.open = "wrong result";
    else if (what.of_gemm.least > 0 && s.of_gemm == 0)
      s.open = "no GEMM to compare with";
    else if (s.peer.empty())
      s.open = "no peer to compare with";
    s.reached = s.open.empty() && over(s.share, what.share.least) && over(s.of_gemm, what.of_gemm.least) &&
                over(s.gflops, what.gflops.least) && s.ratio >= 1;
    s.aim_reached = s.reached && over(s.share, what.share.aim) && over(s.of_gemm, what.of_gemm.aim) &&
                    over(s.gflops, what.gflops.aim);
    list.push_back(s);
  }
  return list;
}

void print(const std::vector<Standing>& list) {
  const auto bar = [](double value, const Bar& b, const char* format) {
    char text[64] = "", least[16] = "", aim[16] = "";
    if (value > 0 && (b.least > 0 || b.aim > 0)) {
      if (b.least > 0) std::snprintf(least, sizeof least, format, b.least);
      if (b.aim > 0) std::snprintf(aim, sizeof aim, format, b.aim);
      char now[16];
      std::snprintf(now, sizeof now, format, value);
      std::snprintf(text, sizeof text, "%s (%s, %s)", now, *least ? least : "-", *aim ? aim : "-");
    }
    std::printf(" %-18s", text);
  };
  std::printf(
      "\nRegions: what was reached (the bar, the aim); a row that is behind its best peer has not reached the bar\n"
      "%-17s %-7s %5s %5s %2s %8s %-18s %-18s %-18s %6s %-12s\n",
      "region", "routine", "m", "n", "T", "GFLOP/s", " of the peak", " of GEMM", " GFLOP/s", "ratio", "best peer");
  for (const Standing& s : list) {
    const Call& c = s.what.row.call;
    std::printf("%-17s %-7s %5lld %5lld %2d %8.2f", s.what.region.c_str(), routine(c).c_str(),
                static_cast<long long>(c.m), static_cast<long long>(c.n), s.what.row.threads, s.gflops);
    bar(s.share, s.what.share, "%.2f");
    bar(s.of_gemm, s.what.of_gemm, "%.2f");
    bar(s.gflops, s.what.gflops, "%.0f");
    s.peer.empty() ? std::printf(" %6s %-12s", "-", "-") : std::printf(" %6.2f %-12s", s.ratio, s.peer.c_str());
    std::printf(" %s\n", s.aim_reached    ? "aim reached"
                         : s.reached      ? "reached"
                         : s.open.empty() ? "not reached"
                                          : s.open.c_str());
  }
}

nlohmann::json to_json(const Standing& s) {
  const auto bar = [](const Bar& b) { return nlohmann::json{{"bar", b.least}, {"aim", b.aim}}; };
  return {
      {"region", s.what.region},
      {"call", key(s.what.row)},
      {"gflops", s.gflops},
      {"share_of_peak", s.share},
      {"share_of_gemm", s.of_gemm},
      {"ratio", s.ratio},
      {"best_peer", s.peer},
      {"bars",
       {{"share_of_peak", bar(s.what.share)}, {"share_of_gemm", bar(s.what.of_gemm)}, {"gflops", bar(s.what.gflops)}}},
      {"reached", s.reached},
      {"aim_reached", s.aim_reached},
      {"open", s.open}};
}

}  // namespace trigon::bench
