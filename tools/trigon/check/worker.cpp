#include "trigon/check/worker.hpp"

#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <mutex>
#include <thread>

#include "trigon/bench/contestant.hpp"
#include "trigon/bench/statistics.hpp"
#include "trigon/check/accuracy.hpp"
#include "trigon/check/errors.hpp"
#include "trigon/check/judge.hpp"
#include "trigon/setting.hpp"

namespace trigon::selftest {

using nlohmann::json;

namespace {

/// Long enough, and everything has had its turn; or far too long.
class Deadline {
 public:
  Deadline(const Work& w, std::size_t combinations)
      : work_(w), combinations_(combinations), begin_(bench::now(bench::Clock::Wall)) {}
  bool reached(std::uint64_t number) const {
    if (work_.count > 0 && number >= work_.count) return true;
    const double elapsed = bench::now(bench::Clock::Wall) - begin_;
    return elapsed > work_.seconds && (number >= combinations_ || elapsed > 6 * work_.seconds + 5);
  }

 private:
  const Work& work_;
  std::size_t combinations_;
  double begin_;
};

constexpr int failures_enough = 25;  // the rest would say the same

json failure(std::uint64_t number, const std::string& text, const Judged& judged) {
  return {{"number", number}, {"case", text}, {"kind", judged.failure}, {"words", judged.words}};
}

json paths_taken() {
  json list = json::array();
  for (const PathCount& p : path_counts())
    list.push_back({{"routine", p.routine}, {"path", p.path}, {"calls", p.calls}});
  return list;
}

void sweep(const Work& w, const Reporter& report) {
  const Generator generator(w.cases);
  const bool same_bits = w.part == "same-bits";
  const Deadline deadline(w, generator.combinations());
  Accuracy accuracy;
  int failures = 0;
  for (std::uint64_t number = w.first; !deadline.reached(number) && failures < failures_enough; ++number) {
    const Case c = generator.at(number);
    const std::string text = to_text(c);
    report.line("C " + std::to_string(number) + " " + text);
    const Judged judged =
        judge([&](const Call& call) { call_library(c, call); }, c, {.repeat = !same_bits, .realign = same_bits});
    accuracy.note(c, judged.ratio);
    if (!judged.ok())
      ++failures, report.line("F " + failure(number, text, judged).dump());
    else if (same_bits)
      report.line("H " + std::to_string(number) + " " + std::to_string(judged.bits));
  }
  report.line("D " +
              json{{"accuracy", accuracy.to_json()}, {"paths", paths_taken()}, {"stopped", failures >= failures_enough}}
                  .dump());
}

/// Eight threads enter at the same time: the same routine in one round, different ones in the next.
void concurrent(const Work& w, const Reporter& report) {
  const Generator generator(w.cases);
  const Deadline deadline(w, 0);
  std::mutex reporting;
  std::atomic<bool> stop = false;
  Accuracy accuracy;
  std::uint64_t round = w.first;
  const auto between_rounds = [&]() noexcept {
    if (deadline.reached(++round)) stop = true;
  };
  std::barrier together(concurrent_callers, between_rounds);
  std::barrier start(concurrent_callers);
  const auto caller = [&](std::uint64_t thread) {
    while (!stop) {
      const std::uint64_t step = round % 2 == 0 ? generator.combinations() : 1;
      const std::uint64_t number = round * concurrent_callers + thread * step;
      const Case c = generator.at(number);
      const std::string text = to_text(c);
      {
        const std::scoped_lock lock(reporting);
        report.line("C " + std::to_string(round) + " " + text);
      }
      bool entered = false;
      const auto run = [&](const Call& call) {
        if (!entered) start.arrive_and_wait();
        entered = true;
        call_library(c, call);
      };
      const Judged judged = judge(run, c);
      if (!entered) start.arrive_and_wait();
      {
        const std::scoped_lock lock(reporting);
        accuracy.note(c, judged.ratio);
        if (!judged.ok()) report.line("F " + failure(round, text, judged).dump());
      }
      together.arrive_and_wait();
    }
  };
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < concurrent_callers; ++t) threads.emplace_back(caller, t);
  for (std::thread& thread : threads) thread.join();
  report.line("D " + json{{"accuracy", accuracy.to_json()}, {"paths", paths_taken()}}.dump());
}

void errors(const Work& w, const Reporter& report) {
  std::uint64_t number = 0;
  for (const BrokenCall& broken : broken_calls(w.cases.operations, w.cases.precisions)) {
    if (number++ < w.first) continue;
    report.line("C " + std::to_string(number - 1) + " " + broken.words);
    if (const std::string wrong = misjudged(broken); !wrong.empty())
      report.line("F " + failure(number - 1, broken.words, {"argument error", wrong}).dump());
  }
  report.line("D " + json{{"accuracy", json::object()}, {"paths", json::array()}}.dump());
}

void one_case(const Work& w, const Reporter& report) {
  const Case c = parse_case(w.one);
  Judged found;
  try {
    // Where bits are promised, wherever the operands lie.
    const bool same_bits = bench::measures_a_device() || switched_on("TRIGON_REPRODUCIBLE");
    found = judge([&](const Call& call) { call_library(c, call); }, c, {.repeat = true, .realign = same_bits});
  } catch (const std::bad_alloc&) {  // of the operands, not of the library: whatever that throws is judged
    found.failure = not_tried;
  }
  report.line(
      json{{"failure", found.failure}, {"words", found.words}, {"ratio", found.ratio}, {"bits", found.bits}}.dump());
}

}  // namespace

json to_json(const Work& w) {
  json operations = json::array();
  for (const Operation op : w.cases.operations) operations.push_back(name(op));
  return {{"part", w.part},
          {"case", w.one},
          {"operations", operations},
          {"precisions", w.cases.precisions},
          {"max_size", w.cases.max_size},
          {"seed", w.cases.seed},
          {"large", w.cases.large},
          {"drop_in", w.cases.drop_in},
          {"device", w.cases.device},
          {"first", w.first},
          {"count", w.count},
          {"seconds", w.seconds}};
}

Work work_from_json(const json& j) {
  Work w;
  w.part = j.at("part"), w.one = j.at("case");
  w.cases.operations = bench::parse_operations(j.at("operations").get<std::vector<std::string>>());
  w.cases.precisions = j.at("precisions"), w.cases.max_size = j.at("max_size"), w.cases.seed = j.at("seed");
  w.cases.large = j.at("large"), w.cases.drop_in = j.at("drop_in");
  w.cases.device = j.at("device");
  w.first = j.at("first"), w.count = j.at("count"), w.seconds = j.at("seconds");
  return w;
}

void work(const Work& w, const Reporter& report) {
  count_paths(true);
  if (w.part == "errors") return errors(w, report);
  if (w.part == "case") return one_case(w, report);
  if (w.part == "concurrent") return concurrent(w, report);
  if (w.part == "sweep" || w.part == "same-bits") return sweep(w, report);
  throw error("check-worker is started by `trigon check`, not by hand");
}

}  // namespace trigon::selftest
