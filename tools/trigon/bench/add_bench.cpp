// `trigon bench`: its options.
#include <CLI/CLI.hpp>
#include <trigon/error.hpp>

#include <algorithm>
#include <memory>
#include <string>

#include "trigon/bench/find_blas.hpp"
#include "trigon/bench/run.hpp"
#include "trigon/commands.hpp"
#include "trigon/number_range.hpp"

namespace trigon::cli {
namespace {

using bench::parse_list;

constexpr const char* footer =
    "Examples:\n"
    "  trigon bench trsm --sizes 32:2048 --svg trsm.svg\n"
    "  trigon bench trsm trmm --shapes few-rhs --sizes 512,1024 --precision dz\n"
    "  trigon bench symm --variants 'L*' --sizes 200 --ld both --threads 1,2\n"
    "  trigon bench standard --against provider --min-ratio 0.9 --json results.json\n"
    "  trigon bench trsm --sizes 512 --breakdown\n"
    "  trigon bench all --variants all --sizes 32,200 --evenness\n"
    "  trigon bench regions --peers openblas,mkl\n"
    "  trigon bench gemm trsm --backend opencl --sizes 128:1024 --threads 1,2 --peers openblas\n"
    "  trigon bench gemm trsm --backend opencl --first-call --peers clblast\n"
    "  trigon run --trace t.txt -- ./program && trigon bench --replay t.txt\n"
    "\n"
    "In a row, GFLOP/s are medians; +- is half the interquartile range; peak is the share of this machine's\n"
    "multiply-add rate and mem the share of its read bandwidth at the row's working set, both probed here;\n"
    "ratio is the peer's time over Trigon's: above 1, Trigon is faster. '!' marks a wrong result.\n"
    "Exit status 1: a wrong result of Trigon, or a row below --min-ratio in two measurements; 3: a row could not be\n"
    "measured, for want of memory or because a process of it died, or a library has ended this process.";

/// What arrives as text and is parsed when the command runs.
struct Words {
  std::string sizes, rhs = "1,2,4,8,16", increments, threads = "1", door = "blas";
};

std::vector<index> increments(const std::string& text) {
  // A leading minus is part of an increment; the rest is a list of sizes.
  std::vector<index> list;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const bool negative = !part.empty() && part[0] == '-';
    for (const index v : parse_list(negative ? part.substr(1) : part, "--inc", 1)) list.push_back(negative ? -v : v);
    begin = end + 1;
  }
  return list;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

void run(bench::RunOptions& o, const Words& words, bool sizes_given) {
  if (sizes_given) o.sweep.sizes = parse_list(words.sizes, "--sizes", 1);
  o.sweep.rhs = parse_list(words.rhs, "--rhs", 1);
  if (!words.increments.empty()) o.sweep.increments = increments(words.increments);
  o.sweep.threads.clear();
  constexpr index most_threads = 1 << 16;
  for (const index t : parse_list(words.threads, "--threads", 1)) {
    if (t > most_threads)
      throw error("--threads: " + std::to_string(t) + " are more than " + std::to_string(most_threads));
    o.sweep.threads.push_back(static_cast<int>(t));
  }
  if (o.peers.empty()) o.peers = {"openblas", "blis"};
  if (o.quick) o.measure.seconds = std::min(o.measure.seconds, 0.05);
  o.door = bench::parse_entry(words.door);
  o.sweep.seed = o.measure.seed;
  bench::run(o);
}

}  // namespace

void add_bench(CLI::App& app) {
  auto* command = app.add_subcommand("bench", "Time Trigon beside other BLAS libraries, results checked");
  auto o = std::make_shared<bench::RunOptions>();
  auto words = std::make_shared<Words>();
  command->add_option(
      "operations", o->operations,
      "gemm symm hemm syrk herk syr2k her2k trmm trsm trmv trsv, all, standard (the standard sweep), or regions "
      "(the table of bars)");
  command->add_option("-p,--precision", o->sweep.precisions, "letters of s, d, c, z")->capture_default_str();
  auto* sizes =
      command->add_option("-n,--sizes", words->sizes, "as 7,32,64:512:64 (step) or 8:1024 (doubling; default)");
  auto* shapes =
      command
          ->add_option("--shapes", o->sweep.shapes,
                       "square, few-rhs (--rhs columns), right-tall and left-wide (--rows), low-rank (--rank)")
          ->delimiter(',')
          ->capture_default_str();
  command->add_option("--rhs", words->rhs, "numbers of right-hand sides of few-rhs")->capture_default_str();
  command->add_option("--rows", o->sweep.rows, "the long side of right-tall and left-wide")
      ->check(CLI::Range(1, 1 << 24))
      ->capture_default_str();
  command->add_option("--rank", o->sweep.rank, "k of low-rank")->check(CLI::Range(1, 1 << 24))->capture_default_str();
  command
      ->add_option("--variants", o->sweep.variants,
                   "all, or letters of side, uplo, op, diag as LLNN (trsm), LU (symm), LN (syrk), UTN (trsv); "
                   "? and * match any; sample: two at random for each size; default: the first, all for standard")
      ->delimiter(',');
  command->add_option("--layout", o->sweep.layouts, "C, R (through CBLAS)")->delimiter(',')->capture_default_str();
  command->add_option("--ld", o->sweep.ld, "leading dimensions: plain, padded, 512k (multiples of 512), both")
      ->capture_default_str();
  command->add_option("--inc", words->increments, "increments of trmv and trsv, as 1,2,-1");
  command->add_option("--alpha", o->sweep.alpha)->capture_default_str();
  command->add_option("--beta", o->sweep.beta)->capture_default_str();
  command->add_option("--random", o->sweep.random, "random rows per operation and precision")
      ->check(CLI::Range(0, 100000));
  command->add_option("-t,--threads", words->threads, "as 1,2; above 1 every implementation has its own process")
      ->capture_default_str();
  command
      ->add_option("--peers", o->peers,
                   "names (" + joined(bench::known_blas()) +
                       "), paths, gemm (Trigon's own of the same order), none; default: openblas,blis")
      ->delimiter(',');
  command->add_option("--against", o->against, "what rows are held against: best, provider, or a peer")
      ->capture_default_str();
  command->add_option("--min-ratio", o->min_ratio, "fail when a row is below this ratio, measured twice")
      ->check(number_range(0.0, 100.0));
  auto* entry = command
                    ->add_option("--door", words->door,
                                 "how Trigon is called: blas (Fortran), cblas, cpp, or device (operands in device "
                                 "memory, one call behind the other until the queue is empty; default with --backend "
                                 "and TRIGON_BACKEND)")
                    ->capture_default_str();
  add_backend_options(*command);
  command->add_option("--seconds", o->measure.seconds, "budget of a row")
      ->check(number_range(0.001, 3600.0))
      ->capture_default_str();
  command->add_option("--time-limit", o->time_limit, "seconds for all rows, in random order; the rest is left out")
      ->check(number_range(0.0, 1e6));
  command->add_option("--rounds", o->measure.rounds, "exactly so many rounds per row, whatever the spread")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--seed", o->measure.seed, "of operands and random rows")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_flag("--cold", o->measure.cold, "operands are out of the caches at every call");
  command->add_flag("--quick", o->quick, "fewer sizes, 0.05 s per row");
  command
      ->add_option("--call", o->calls, "a call in the words of a trace, as 'dtrsm m=64 n=8 lda=512'; may be repeated")
      ->take_all()
      ->expected(1);
  auto* replay = command->add_option("--replay", o->replay, "time the calls of a trace")->check(CLI::ExistingFile);
  command->add_option("--limit", o->limit, "the heaviest distinct calls of a trace; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  auto* breakdown = command->add_flag("--breakdown", o->breakdown, "flops and time by level: GEMM against leaves");
  auto* evenness = command->add_flag("--evenness", o->evenness,
                                     "how far apart the variants of each size are, all of them timed in turn");
  auto* first_call = command->add_flag(
      "--first-call", o->first_call,
      "what the first call of a process on a device costs, with empty caches of compiled programs and "
      "with what they keep");
  auto* from =
      command->add_option("--from", o->from, "print and plot earlier --json results")->check(CLI::ExistingFile);
  command->add_option("--journal", o->journal, "keep finished rows here and skip those that are: resumes a sweep");
  command->add_option("--json", o->json, "write all results");
  command->add_option("--csv", o->csv, "write the table");
  command->add_option("--svg", o->svg, "plot GFLOP/s over size");
  command->add_option("--commit", o->commit, "recorded in --json; default: git describe of the build folder");
  command->add_flag("-q,--quiet", o->quiet, "no progress on stderr");
  replay->excludes(breakdown)->excludes(evenness);
  breakdown->excludes(evenness)->excludes(first_call);
  first_call->excludes(replay)->excludes(evenness);
  from->excludes(breakdown)->excludes(replay)->excludes(evenness)->excludes(first_call);
  command->footer(footer);
  command->callback([=] {
    if (o->operations.empty() && o->calls.empty() && o->replay.empty() && o->from.empty())
      throw error("bench: name an operation (or all, standard), --call, --replay or --from; see trigon bench --help");
    const auto& named = o->operations;
    if (shapes->count() > 0 && std::find(named.begin(), named.end(), "standard") != named.end())
      throw error("--shapes: the standard sweep has its own");
    if (o->from.empty()) bench::restart_with_one_thread();
    if (entry->count() == 0 && bench::measures_a_device()) words->door = "device";
    run(*o, *words, sizes->count() > 0);
  });

  // What `bench` starts for more than one thread.
  auto* worker = app.add_subcommand("bench-worker", "")->group("");
  auto contender = std::make_shared<bench::Contender>();
  auto door = std::make_shared<std::string>("blas");
  auto threads = std::make_shared<int>(1);
  worker->add_option("--name", contender->name)->required();
  worker->add_option("--path", contender->path);
  worker->add_option("--door", *door);
  worker->add_option("--threads", *threads);
  worker->add_flag("--trigon", contender->is_trigon);
  worker->callback([=] {
    contender->entry = bench::parse_entry(*door);
    if (const int status = bench::serve(*contender, *threads); status != 0) throw exit_request{status};
  });
}

}  // namespace trigon::cli
