// `trigon tune`: measures the entries of the tuning table on this machine and writes a table.
#include <CLI/CLI.hpp>
#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <cstdlib>
#include <memory>
#include <string>

#include "trigon/commands.hpp"
#include "trigon/number_range.hpp"
#include "trigon/tune/run.hpp"
#include "trigon/tune/study.hpp"

namespace trigon::cli {

void add_tune(CLI::App& app) {
  auto o = std::make_shared<tune::Options>();
  CLI::App* command = app.add_subcommand("tune", "Measure the tuning table on this machine");
  const auto known = [](const std::string& name) {
    return tune::has_studies(name) ? std::string() : "nothing of '" + name + "' can be tuned";
  };
  command->add_option("backend", o->backend, "what is tuned: cpu, opencl, cuda or hip")
      ->required()
      ->check(CLI::Validator(known, "BACKEND"));
  auto* device = command->add_option_function<std::string>(
      "--device", [](const std::string& name) { setenv("TRIGON_DEVICE", name.c_str(), 1); },
      "of the backend: a number, or a part of its name");
  command->add_option("--out", o->out, "the table to write")->capture_default_str();
  command->add_option("-p,--precision", o->precisions, "letters of s, d, c, z")->capture_default_str();
  command->add_option("--only", o->only, "entries that begin so, as cpu.gemm,cpu.leaf.d; default: all")->delimiter(',');
  command->add_option("-t,--threads", o->threads, "of the entries about threads; default: all that Trigon uses");
  command->add_option("--seconds", o->seconds, "budget of a call")
      ->check(number_range(0.001, 3600.0))
      ->capture_default_str();
  command->add_option("--max-size", o->largest, "leave out calls with a larger m, n or k; default: none")
      ->check(CLI::Range(1ll, 1ll << 40));
  command->add_option("--margin", o->margin, "another value has to be faster by this part")
      ->check(number_range(0.0, 1e3))
      ->capture_default_str();
  command->add_option("--compare", o->compare, "random calls of each operation and precision for the last comparison")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--fresh", o->fresh, "do not go on with an unfinished run");
  command->add_flag("--force", o->force, "replace an existing table");
  command->add_flag("-q,--quiet", o->quiet, "no progress on stderr");
  command->footer(
      "Begins with the table in force. Values that only make sense together are tried together; what the device\n"
      "cannot do is left out, what is far behind is given up; the five best are listed in the table as comments.\n"
      "An entry keeps its value unless another one gains the margin twice. An interrupted run goes on where it was\n"
      "(FILE.unfinished). At the end random calls are timed with the table as it was and as it is: it is written\n"
      "unless it is slower by more than a quarter of the margin.\n"
      "\n"
      "Examples:\n"
      "  trigon tune cpu --out machine.tuning && export TRIGON_TUNING=$PWD/machine.tuning\n"
      "  trigon tune cpu --only cpu.gemm,cpu.leaf --precision d\n"
      "  trigon tune opencl --device 1 --out gpu.tuning\n"
      "  trigon tune cuda --precision ds --max-size 4000\n"
      "\n"
      "Exit status 1: the new table was slower by more than a quarter of the margin, nothing was written.");
  command->callback([o, device] {
    if (o->backend == "cpu" && device->count() > 0) throw error("--device: the CPU is one");
    // Here and in the processes that this one starts.
    setenv("TRIGON_BACKEND", o->backend.c_str(), 1);
    if (o->threads == 0) o->threads = cpu_info().threads;
    tune::run(*o);
  });
}

}  // namespace trigon::cli
