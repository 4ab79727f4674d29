// `trigon check`: its options.
#include <CLI/CLI.hpp>
#include <trigon/error.hpp>

#include <memory>
#include <string>

#include "trigon/check/run.hpp"
#include "trigon/check/worker.hpp"
#include "trigon/commands.hpp"
#include "trigon/number_range.hpp"

namespace trigon::cli {
namespace {

constexpr const char* footer =
    "Tries all operations, precisions, variants and layouts at random sizes: operands end at inaccessible pages,\n"
    "inputs are read-only, what may not be read is NaN; results are held against the bounds of docs/numerics.md in\n"
    "higher precision. On every instruction set of this machine, with one and two threads, with another GEMM than the\n"
    "one in force (a serial OpenBLAS; left out where none is installed), in reproducible mode (the same bits from all\n"
    "of them), from eight callers at once, through C++ and the drop-in, and with wrong arguments. What\n"
    "TRIGON_CPU_TARGET, TRIGON_NUM_THREADS, TRIGON_PROVIDER or TRIGON_REPRODUCIBLE settle is not varied.\n"
    "\n"
    "--provider tries the Fortran GEMM of another BLAS instead, and says whether Trigon may use it by default.\n"
    "\n"
    "Examples:\n"
    "  trigon check\n"
    "  trigon check --op trsm trmm --precision d --max-size 2000 --seconds 300\n"
    "  trigon check --case 'dtrsm side=R m=7 n=65 # seed=3 place=start'\n"
    "  trigon check --provider openblas\n"
    "  TRIGON_CPU_TARGET=avx2 trigon check --json > check.json\n"
    "\n"
    "Exit status 1: something failed. Each failure is printed with the line that repeats it.";

}  // namespace

void add_check(CLI::App& app) {
  auto* command = app.add_subcommand("check", "Test the installed library on this machine, or a GEMM provider");
  auto o = std::make_shared<selftest::RunOptions>();
  auto* ops = command->add_option("--op", o->operations,
                                  "gemm symm hemm syrk herk syr2k her2k trmm trsm trmv trsv, or all; default: all");
  command->add_option("-p,--precision", o->precisions, "letters of s, d, c, z")->capture_default_str();
  auto* size = command->add_option("--max-size", o->max_size, "the largest m, n or k")
                   ->check(CLI::Range(1, 20000))
                   ->capture_default_str();
  command->add_option("--seconds", o->seconds, "about how long, all parts together")
      ->check(number_range(0.1, 1e6))
      ->capture_default_str();
  command->add_option("--seed", o->seed, "of cases and operands; default: a new one, printed")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62));
  auto* only = command->add_option("--only", o->only, "the parts with this in their title, as avx2 or callers");
  add_backend_options(*command);
  auto* one = command->add_option("--case", o->one_case, "one case, in the words of a reported failure");
  auto* provider = command->add_option("--provider", o->provider, "check the GEMM of this BLAS: a name or a path");
  auto* accuracy = command->add_flag("--accuracy", o->accuracy,
                                     "also the worst errors by operation, precision and conditioning, for each part");
  command->add_flag("--json", o->json, "print JSON (which always has them)");
  command->add_flag("-q,--quiet", o->quiet, "no progress on stderr");
  one->excludes(ops)->excludes(size)->excludes(only)->excludes(provider);
  provider->excludes(ops)->excludes(size)->excludes(only)->excludes(accuracy);
  one->excludes(accuracy);
  command->footer(footer);
  command->callback([=] {
    for (const CLI::Option* option : {one, provider, only})
      if (option->count() > 0 && option->as<std::string>().empty()) throw error(option->get_name() + ": names nothing");
    if (!selftest::run(*o)) throw exit_request{exit_check_failed};
  });

  // What `check` starts in other environments.
  auto* worker = app.add_subcommand("check-worker", "")->group("");
  auto order = std::make_shared<std::string>();
  worker->add_option("order", *order)->required();
  worker->callback([=] {
    try {
      selftest::work(selftest::work_from_json(nlohmann::json::parse(*order)),
                     selftest::Reporter(selftest::report_descriptor));
    } catch (const nlohmann::json::exception&) {
      throw error("check-worker is started by `trigon check`, not by hand");
    }
  });
}

}  // namespace trigon::cli
