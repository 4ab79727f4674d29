#include "trigon/bench/first_call.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <trigon/error.hpp>

#include "trigon/bench/contestants.hpp"
#include "trigon/bench/progress.hpp"
#include "trigon/bench/report.hpp"
#include "trigon/bench/statistics.hpp"
#include "trigon/bench/variants.hpp"
#include "trigon/commands.hpp"
#include "trigon/folder.hpp"
#include "trigon/json_text.hpp"

namespace trigon::bench {
namespace {

struct First {
  double open = 0;  ///< seconds until a queue on the device is there
  double call = 0;  ///< … and from then until the result has been verified
  bool right = false;
  std::string missing;  ///< why there is no such call
};

/// Everybody's caches of compiled programs, in one folder.
void put_caches_into(Contender& who, const std::string& folder) {
  for (const char* name : {"TRIGON_CACHE", "POCL_CACHE_DIR", "XDG_CACHE_HOME", "CUDA_CACHE_PATH"})
    who.environment.emplace_back(name, folder + "/" + name);
}

First time_first_call(const Contender& who, const Row& row, const MeasureOptions& o, bool keep) {
  First first;
  const double begin = now(Clock::Wall);
  const std::unique_ptr<Contestant> one = open_apart(who, row.threads);
  const double opened = now(Clock::Wall);
  first.open = opened - begin;
  if (!one->prepare(row, o.seed, first.missing)) return first;
  first.right = one->check().right;
  first.call = now(Clock::Wall) - opened;
  // Programs are written to the cache in the background, two seconds after the last one was built.
  while (keep && now(Clock::Wall) - opened - first.call < 3) one->sample(1, false);
  return first;
}

}  // namespace

void run_first_call(const RunOptions& o, const std::vector<Row>& rows) {
  if (!measures_a_device()) throw error("--first-call: programs are compiled for devices only: --backend");
  std::vector<Contender> who = contenders(o.peers, 1, Entry::Device);
  std::erase_if(who, [](const Contender& c) { return c.entry != Entry::Device; });
  std::printf(
      "Seconds until the result has been judged: the queue is opened (open), operands are copied, the call is made (a "
      "peer's twice) and its result verified, with empty caches of programs (cold) and with what that left "
      "(warm)\n%-8s%-6s%7s%7s%7s",
      "routine", "var", "m", "n", "k");
  for (const Contender& c : who) std::printf("  %10s %7s %7s", (c.name + " open").c_str(), "cold", "warm");
  std::printf("\n");
  nlohmann::json list = nlohmann::json::array();
  Progress progress(rows.size() * who.size(), o.quiet);
  std::map<std::string, double> worst;
  bool wrong = false;
  for (const Row& row : rows) {
    std::string line;
    nlohmann::json found = {{"call", to_text(row.call)}};
    for (Contender c : who) {
      progress.next(c.name + ": " + to_text(row.call));
      const cli::Folder folder;
      put_caches_into(c, folder.path());
      const First cold = time_first_call(c, row, o.measure, c.is_trigon);
      const First warm = time_first_call(c, row, o.measure, false);
      char text[64];
      std::snprintf(text, sizeof text, "  %10.3f %7.3f %7.3f", warm.open, cold.call, warm.call);
      const bool done = cold.missing.empty() && warm.missing.empty(), right = cold.right && warm.right;
      line += done ? text : "           -       -       -";
      if (done && !right) line += "!";
      wrong = wrong || (c.is_trigon && !right);
      found[c.name] = {{"open", warm.open}, {"cold", cold.call}, {"warm", warm.call}, {"right", right}};
      for (const auto& [state, seconds] : {std::pair{" cold", cold.call}, {" warm", warm.call}})
        worst[c.name + state] = std::max(worst[c.name + state], seconds);
    }
    progress.clear();
    const Call& c = row.call;
    std::printf("%-8s%-6s%7lld%7lld%7lld%s\n", routine(c).c_str(), variant(c).c_str(), static_cast<long long>(c.m),
                static_cast<long long>(c.n), static_cast<long long>(c.k), line.c_str());
    std::fflush(stdout);
    list.push_back(found);
  }
  std::printf("\nThe longest\n");
  for (const auto& [state, seconds] : worst) std::printf("  %-16s %7.3f\n", state.c_str(), seconds);
  if (!o.json.empty())
    write_file(o.json, cli::in_text({{"provenance", provenance({}, o.commit)}, {"first_calls", list}}, 1) + "\n");
  if (wrong) throw cli::exit_request{cli::exit_check_failed};
}

}  // namespace trigon::bench
