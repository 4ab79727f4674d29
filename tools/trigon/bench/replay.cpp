#include "trigon/bench/replay.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <trigon/error.hpp>

namespace trigon::bench {

Trace read_trace(const std::string& path, std::size_t limit, int threads) {
  std::ifstream in(path);
  if (!in) throw error("cannot read " + path);
  std::map<std::string, Row> rows;
  Trace trace;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    Call call;
    try {
      call = parse_call(line);
    } catch (const error& e) {
      throw error(path + ":" + std::to_string(number) + ": " + e.what());
    }
    const Argument wrong = check(call);
    if (wrong != Argument::None && wrong != Argument::A && wrong != Argument::B && wrong != Argument::C &&
        wrong != Argument::X)
      throw error(path + ":" + std::to_string(number) + ": " + std::string(name(call.operation, wrong)) + " " +
                  complaint(call, wrong));
    Row& row = rows.try_emplace(to_text(call), Row{call, threads, "replay", 0}).first->second;
    ++row.weight;
    ++trace.calls;
    trace.flops += flops(call);
  }
  if (in.bad()) throw error("cannot read " + path);
  if (rows.empty()) throw error(path + ": no calls");
  trace.kinds = rows.size();
  // Zero sizes return at once: nothing to time.
  for (auto& [text, row] : rows)
    if (flops(row.call) > 0) trace.rows.push_back(std::move(row));
  if (trace.rows.empty()) throw error(path + ": every call is of size zero");
  const auto heavier = [](const Row& a, const Row& b) { return a.weight * flops(a.call) > b.weight * flops(b.call); };
  std::stable_sort(trace.rows.begin(), trace.rows.end(), heavier);
  if (limit > 0 && trace.rows.size() > limit) trace.rows.resize(limit);
  for (const Row& row : trace.rows) trace.flops_covered += row.weight * flops(row.call) / trace.flops;
  return trace;
}

}  // namespace trigon::bench
