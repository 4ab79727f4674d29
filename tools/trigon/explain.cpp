// `trigon explain`: the plan of one call in words, and its static task list.
#include <CLI/CLI.hpp>
#include <trigon/call.hpp>
#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trigon/commands.hpp"
#include "trigon/json_text.hpp"

namespace trigon::cli {
namespace {

struct Options {
  std::vector<std::string> words;
  bool tasks = false, json = false;
};

Call parse(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return parse_call(text);
}

nlohmann::json to_json(const Task& task) {
  return {{"kind", task.kind}, {"m", task.m},         {"n", task.n},
          {"k", task.k},       {"level", task.level}, {"flops", task.flops}};
}

/// Where nothing is multiplied, the usual count stands for nothing.
double work(const Call& call, const PlanInfo& plan) { return plan.path == "scale" ? 0 : flops(call); }

/// The instruction set of the kernels; nothing where the processor computes nothing.
std::string instructions(const PlanInfo& plan) { return plan.backend == "cpu" ? cpu_info().target : ""; }

void print_json(const Call& call, const PlanInfo& plan, bool with_tasks) {
  nlohmann::json out = {
      {"call", to_text(call)},
      {"routine", routine(call)},
      {"flops", work(call, plan)},
      {"plan",
       {{"backend", plan.backend},
        {"path", plan.path},
        {"provider", plan.provider},
        {"leaf", plan.leaf},
        {"threads", plan.threads},
        {"instructions", instructions(plan)},
        {"words", plan.words}}},
  };
  if (with_tasks) {
    out["tasks"] = nlohmann::json::array();
    for (const Task& task : tasks(call)) out["tasks"].push_back(to_json(task));
  }
  std::cout << in_text(out, 2) << '\n';
}

void print_tasks(const Call& call) {
  const double total = flops(call);
  std::printf("\n%6s  %-18s %6s %6s %6s  %5s  %12s  %6s\n", "task", "kind", "m", "n", "k", "level", "flops", "share");
  long long number = 0;
  for (const Task& task : tasks(call)) {
    std::printf("%6lld  %-18s %6lld %6lld %6lld  %5d  %12.4g  %5.1f%%\n", ++number, task.kind.c_str(),
                static_cast<long long>(task.m), static_cast<long long>(task.n), static_cast<long long>(task.k),
                task.level, task.flops, total > 0 ? 100 * task.flops / total : 0.0);
  }
}

/// The list is as long as the matrix has leaves, and nothing else of the matrix has to fit anywhere.
void check_length(const Call& call, const PlanInfo& plan) {
  constexpr index most = 1'000'000;
  if (std::max({call.m, call.n, call.k}) / std::max<index>(plan.leaf, 1) > most) {
    throw error("--tasks: there would be more than a million; without it, the plan is shown");
  }
}

void explain_command(const Options& options) {
  const Call call = parse(options.words);
  const PlanInfo plan = explain(call);
  if (options.tasks) check_length(call, plan);
  if (options.json) return print_json(call, plan, options.tasks);
  std::cout << plan.words << (plan.words.ends_with('\n') ? "" : "\n");
  if (const std::string set = instructions(plan); !set.empty()) std::printf("  instructions: %s\n", set.c_str());
  std::printf("  flops: %.4g\n", work(call, plan));
  if (options.tasks) print_tasks(call);
}

}  // namespace

void add_explain(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("explain", "How one call would be carried out, in words");
  add_backend_options(*command);
  command->add_option("call", options->words, "the routine and its arguments, as in a line of a trace")
      ->required()
      ->type_name("ROUTINE KEY=VALUE...");
  command->add_flag("--tasks", options->tasks, "list the tasks that the recursion makes of the call, in order");
  command->add_flag("--json", options->json, "print JSON");
  command->footer(
      "Keys: layout=C|R side=L|R uplo=L|U transa=N|T|C transb=N|T|C diag=N|U m n k alpha beta lda ldb ldc incx.\n"
      "What is left out has its default; leading dimensions default to the smallest that are legal.\n"
      "\n"
      "Examples:\n"
      "  trigon explain dtrsm m=1024 n=16\n"
      "  trigon explain zherk uplo=U n=500 k=64 --tasks\n"
      "  trigon explain \"$(head -n 1 trace.txt)\"        a line that `trigon run --trace` wrote");
  command->callback([options] { explain_command(*options); });
}

}  // namespace trigon::cli
