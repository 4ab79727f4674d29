// The table on the terminal and the summary below it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "trigon/bench/report.hpp"

namespace trigon::bench {
namespace {

std::string size_text(index v, bool used) { return used ? std::to_string(v) : std::string(); }

/// The leading dimensions where one is not the least possible, once if they are all the same, and the increment where
/// it is not 1.
std::string stride_text(const Call& c) {
  std::string all;
  bool loose = false, same = true;
  for (const auto& [operand, ld] : {std::pair{Argument::A, c.lda}, {Argument::B, c.ldb}, {Argument::C, c.ldc}}) {
    if (!has(c.operation, operand) || (is_vector(c.operation) && operand != Argument::A)) continue;
    const Extent e = extent(c, operand);
    loose |= ld > std::max<index>(1, c.layout == Layout::ColMajor ? e.rows : e.cols);
    same &= ld == c.lda;
    all += (all.empty() ? "" : "/") + std::to_string(ld);
  }
  const std::string dimensions = loose ? "ld=" + (same ? std::to_string(c.lda) : all) : "";
  if (!is_vector(c.operation) || c.incx == 1) return dimensions;
  return dimensions + (loose ? " " : "") + "inc=" + std::to_string(c.incx);
}

std::string label(const Result& r) {
  const Call& c = r.row.call;
  std::string text = routine(c) + " " + variant(c);
  if (c.layout == Layout::RowMajor) text += " row-major";
  if (has(c.operation, Argument::M)) text += " m=" + std::to_string(c.m);
  text += " n=" + std::to_string(c.n);
  if (has(c.operation, Argument::K)) text += " k=" + std::to_string(c.k);
  if (const std::string strides = stride_text(c); !strides.empty()) text += " " + strides;
  if (r.row.threads > 1) text += " threads=" + std::to_string(r.row.threads);
  return text;
}

const Timing* find(const Result& r, const std::string& name) {
  for (const Timing& t : r.timings)
    if (t.name == name) return &t;
  return nullptr;
}

struct Group {
  std::map<std::string, std::vector<double>> against;
  std::vector<double> held;
  int below_1 = 0, below_09 = 0;
};

std::map<std::string, Group> group_by_operation(const std::vector<Result>& results, const Against& against) {
  std::map<std::string, Group> groups;
  for (const Result& r : results) {
    for (const std::string& title : {std::string(name(r.row.call.operation)), std::string("~all")}) {
      Group& g = groups[title];
      for (std::size_t i = 1; i < r.timings.size(); ++i)
        if (const Timing* t = r.peer(r.timings[i].name)) g.against[t->name].push_back(t->ratio);
      if (const Timing* t = against.of(r)) {
        g.held.push_back(t->ratio);
        g.below_1 += t->ratio < 1, g.below_09 += t->ratio < 0.9;
      }
    }
  }
  return groups;
}

}  // namespace

const Timing* Against::of(const Result& r) const { return name == "best" ? r.best_peer() : r.peer(name); }

void print_table_header(const std::vector<std::string>& peers) {
  std::printf("%-7s %-6s %6s %6s %6s %-18s %2s  %8s %5s %5s %5s", "routine", "var", "m", "n", "k", "strides", "T",
              "trigon", "+-", "peak", "mem");
  for (const auto& peer : peers) std::printf("  %9.9s %6s", peer.c_str(), "ratio");
  std::printf("  path\n%-7s %-6s %6s %6s %6s %-18s %2s  %8s %5s %5s %5s", "", "", "", "", "", "", "", "GFLOP/s", "%",
              "%", "%");
  for (std::size_t i = 0; i < peers.size(); ++i) std::printf("  %9s %6s", "GFLOP/s", "");
  std::printf("\n");
}

void print_table_row(const Result& r, const std::vector<std::string>& peers) {
  const Call& c = r.row.call;
  const std::string letters = variant(c) + (c.layout == Layout::RowMajor ? "r" : "");
  std::printf("%-7s %-6s %6s %6s %6s %-18s %2d", routine(c).c_str(), letters.c_str(),
              size_text(c.m, has(c.operation, Argument::M)).c_str(), size_text(c.n, true).c_str(),
              size_text(c.k, has(c.operation, Argument::K)).c_str(), stride_text(c).c_str(), r.row.threads);
  const Timing& own = r.trigon();
  if (own.ran) {
    std::printf("  %7.2f%s %5.1f %5.0f %5.0f", r.gflops(own), own.checked.right ? " " : "!", 100 * own.spread,
                100 * r.gflops(own) * 1e9 / r.peak, 100 * r.footprint / own.seconds / r.bandwidth);
  } else {
    std::printf("  %8s %5s %5s %5s", "-", "", "", "");
  }
  for (const auto& peer : peers) {
    const Timing* t = find(r, peer);
    if (t && t->ran)
      std::printf("  %8.2f%s %6.2f", r.gflops(*t), t->checked.right ? " " : "!", t->ratio);
    else
      std::printf("  %9s %6s", "-", "");
  }
  std::printf("  %s\n", r.plan.path.c_str());
  std::fflush(stdout);
}

void print_summary(const std::vector<Result>& results, const std::vector<std::string>& peers, const Against& against) {
  const auto groups = group_by_operation(results, against);
  std::printf("\nTrigon's speed over theirs, geometric means (%s: what rows are held against)\n", against.name.c_str());
  std::printf("%-10s %5s", "operation", "rows");
  for (const auto& peer : peers) std::printf(" %10.10s", peer.c_str());
  std::printf(" %10.10s %7s %7s\n", against.name.c_str(), "< 1.0", "< 0.9");
  for (const auto& [title, g] : groups) {
    std::printf("%-10s %5zu", title == "~all" ? "all" : title.c_str(), g.held.size());
    const auto mean = [](const std::vector<double>& v) {
      v.empty() ? std::printf(" %10s", "-") : std::printf(" %10.2f", geometric_mean(v));
    };
    for (const auto& peer : peers) mean(g.against.count(peer) ? g.against.at(peer) : std::vector<double>{});
    mean(g.held);
    std::printf(" %7d %7d\n", g.below_1, g.below_09);
  }

  std::vector<const Result*> behind;
  for (const Result& r : results)
    if (const Timing* t = against.of(r); t && t->ratio < 1) behind.push_back(&r);
  std::sort(behind.begin(), behind.end(),
            [&](const Result* a, const Result* b) { return against.of(*a)->ratio < against.of(*b)->ratio; });
  constexpr std::size_t shown = 20;
  if (!behind.empty()) std::printf("\nRows behind %s (%zu)\n", against.name.c_str(), behind.size());
  for (std::size_t i = 0; i < std::min(shown, behind.size()); ++i) {
    const Timing* t = against.of(*behind[i]);
    std::printf("  %5.2f  %s  (%.2f against %.2f GFLOP/s of %s, path %s)\n", t->ratio, label(*behind[i]).c_str(),
                behind[i]->gflops(behind[i]->trigon()), behind[i]->gflops(*t), t->name.c_str(),
                behind[i]->plan.path.c_str());
  }
  if (behind.size() > shown) std::printf("  ... and %zu more\n", behind.size() - shown);

  std::map<std::string, std::size_t> wrong;
  for (const Result& r : results)
    for (const Timing& t : r.timings)
      if (t.ran && !t.checked.right && wrong[t.name]++ < shown)
        std::printf("\nWRONG RESULT of %s in %s\n  %s\n", t.name.c_str(), to_text(r.row.call).c_str(),
                    t.checked.words.c_str());
  for (const auto& [name, count] : wrong)
    if (count > shown) std::printf("\n%zu more wrong results of %s\n", count - shown, name.c_str());
}

void print_counts(const Counted& counted, const std::string& provider) {
  std::printf("\nPaths taken by the checked calls (one per row)\n%-8s %-12s %8s\n", "routine", "path", "calls");
  for (const PathCount& p : counted.paths)
    std::printf("%-8s %-12s %8llu\n", p.routine.c_str(), p.path.c_str(), p.calls);
  std::printf("GEMM blocks handed to the provider (%s): %llu. No other routine of a provider is called.\n",
              provider.c_str(), counted.provider_gemms);
}

void print_replay_total(const std::vector<Result>& results, const std::vector<std::string>& peers) {
  double calls = 0, all = 0;
  for (const Result& r : results) {
    calls += r.row.weight;
    if (r.trigon().ran) all += r.row.weight * r.trigon().seconds;
  }
  std::printf("\nWhat was measured of the trace: %.0f calls of %zu kinds\n  %-10s %12.6f s\n", calls, results.size(),
              "trigon", all);
  for (const auto& peer : peers) {
    // Kinds of which either has no right result are left out of both.
    double own = 0, theirs = 0;
    std::size_t kinds = 0;
    for (const Result& r : results)
      if (const Timing* t = find(r, peer);
          t && t->ran && t->checked.right && r.trigon().ran && r.trigon().checked.right) {
        own += r.row.weight * r.trigon().seconds, theirs += r.row.weight * t->seconds;
        ++kinds;
      }
    if (kinds == 0) {
      std::printf("  %-10s has a right result of none\n", peer.c_str());
      continue;
    }
    std::printf("  %-10s %12.6f s  ratio %.2f", peer.c_str(), theirs, theirs / own);
    kinds < results.size() ? std::printf(" (of the %zu kinds that it has; trigon %.6f s)\n", kinds, own)
                           : std::printf("\n");
  }
}

nlohmann::json summary_json(const std::vector<Result>& results, const std::vector<std::string>& peers,
                            const Against& against) {
  nlohmann::json out = {{"against", against.name}, {"operations", nlohmann::json::object()}};
  const auto mean = [](const std::vector<double>& v) {
    return v.empty() ? nlohmann::json() : nlohmann::json(geometric_mean(v));
  };
  for (const auto& [title, g] : group_by_operation(results, against)) {
    nlohmann::json entry = {
        {"rows", g.held.size()}, {"ratio", mean(g.held)}, {"below_1.0", g.below_1}, {"below_0.9", g.below_09}};
    for (const auto& peer : peers)
      entry["peers"][peer] = mean(g.against.count(peer) ? g.against.at(peer) : std::vector<double>{});
    (title == "~all" ? out["all"] : out["operations"][title]) = entry;
  }
  return out;
}

}  // namespace trigon::bench
