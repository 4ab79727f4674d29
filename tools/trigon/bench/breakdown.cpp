#include "trigon/bench/breakdown.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

namespace trigon::bench {

Breakdown break_down(const Row& row, Machine& machine, const MeasureOptions& o) {
  Operands operands(row.call, o.seed);
  Breakdown result{row, explain(row.call), {}, 0, machine.peak(row.call.precision)};
  std::vector<std::vector<double>> seconds;  // by task, then round
  std::vector<double> wholes;
  std::vector<Task> list;
  const double begin = now(Clock::Wall);
  const int least = o.rounds > 0 ? o.rounds : 3, most = o.rounds > 0 ? o.rounds : 201;
  for (int round = 0; round < least || (round < most && now(Clock::Wall) - begin < o.seconds); ++round) {
    operands.restore();
    const double start = now(Clock::Cpu);
    execute(operands.call());
    wholes.push_back(now(Clock::Cpu) - start);
    operands.restore();
    list = execute_timed(operands.call());
    seconds.resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) seconds[i].push_back(list[i].seconds);
  }
  std::map<std::pair<int, std::string>, Part> parts;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Part& p = parts[{list[i].level, list[i].kind}];
    p.level = list[i].level, p.kind = list[i].kind;
    ++p.tasks;
    p.flops += list[i].flops;
    p.seconds += median(seconds[i]);
  }
  for (auto& [key, part] : parts) result.parts.push_back(part);
  result.whole = median(wholes);
  return result;
}

void print(const Breakdown& b) {
  double flops_sum = 0, seconds_sum = 0, gemm_seconds = 0, gemm_flops = 0;
  for (const Part& p : b.parts) {
    flops_sum += p.flops, seconds_sum += p.seconds;
    if (p.kind == "gemm") gemm_flops += p.flops, gemm_seconds += p.seconds;
  }
  std::printf("\n%s\n  path %s, GEMM of %s, leaf %lld\n", to_text(b.row.call).c_str(), b.plan.path.c_str(),
              b.plan.provider.c_str(), static_cast<long long>(b.plan.leaf));
  std::printf("  %5s  %-18s %6s  %10s %6s  %11s %6s  %8s %6s\n", "level", "kind", "tasks", "MFLOP", "share",
              "microsec.", "share", "GFLOP/s", "peak");
  const auto line = [&](const std::string& level, const std::string& kind, int tasks, double flops, double seconds) {
    const double rate = seconds > 0 ? flops / seconds : 0;
    std::printf("  %5s  %-18s %6d  %10.3f %5.1f%%  %11.1f %5.1f%%  %8.2f %5.1f%%\n", level.c_str(), kind.c_str(), tasks,
                flops * 1e-6, flops_sum > 0 ? 100 * flops / flops_sum : 0, seconds * 1e6,
                seconds_sum > 0 ? 100 * seconds / seconds_sum : 0, rate * 1e-9, 100 * rate / b.peak);
  };
  int tasks = 0, gemms = 0;
  for (const Part& p : b.parts) {
    line(std::to_string(p.level), p.kind, p.tasks, p.flops, p.seconds);
    tasks += p.tasks;
    if (p.kind == "gemm") gemms += p.tasks;
  }
  line("all", "gemm", gemms, gemm_flops, gemm_seconds);
  line("all", "leaves", tasks - gemms, flops_sum - gemm_flops, seconds_sum - gemm_seconds);
  line("all", "", tasks, flops_sum, seconds_sum);
  std::printf("  the call itself, on the path above: %.1f microseconds, %.2f GFLOP/s\n", b.whole * 1e6,
              flops(b.row.call) / b.whole * 1e-9);
}

nlohmann::json to_json(const Breakdown& b) {
  nlohmann::json parts = nlohmann::json::array();
  for (const Part& p : b.parts)
    parts.push_back(
        {{"level", p.level}, {"kind", p.kind}, {"tasks", p.tasks}, {"flops", p.flops}, {"seconds", p.seconds}});
  return {{"call", to_text(b.row.call)},
          {"path", b.plan.path},
          {"provider", b.plan.provider},
          {"leaf", b.plan.leaf},
          {"seconds", b.whole},
          {"peak_gflops", b.peak * 1e-9},
          {"parts", parts}};
}

}  // namespace trigon::bench
