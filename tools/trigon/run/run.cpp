// `trigon run`: another program, with the drop-in BLAS loaded before its own.
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <trigon/error.hpp>
#include <vector>

#include "trigon/commands.hpp"
#include "trigon/files/formats.hpp"
#include "trigon/locate.hpp"
#include "trigon/run/elf.hpp"
#include "trigon/run/lapack.hpp"
#include "trigon/run/notes.hpp"
#include "trigon/run/process.hpp"
#include "trigon/run/program.hpp"

namespace trigon::cli {
namespace {

struct Options {
  std::vector<std::string> program;  ///< what follows "--", verbatim
  std::string report, trace, forward;
  int threads = 0;
  bool keep_lapack = false, quiet = false;
};

void say(const Options& options, const std::string& line) {
  if (!options.quiet) std::cerr << "trigon: " << line << '\n';
}

void set(const char* name, const std::string& value) {
  if (setenv(name, value.c_str(), 1) != 0) throw std::bad_alloc();
}

void prepend(const char* name, const std::string& value) {
  const char* before = std::getenv(name);
  set(name, before && *before ? value + ":" + before : value);
}

std::string absolute(const std::string& path) { return std::filesystem::absolute(path).string(); }

/// The library appends, once per process; what an earlier run left there would be mistaken for this one's.
std::string fresh_output(const std::string& path) {
  const std::string full = absolute(path);
  // A pipe is not opened before: its reader would take the first end for the end of all.
  if (full.find("%p") != std::string::npos || is_device(full)) {
    require_writable(full);
  } else if (!std::ofstream(full, std::ios::trunc)) {
    throw error(path + ": cannot be written");
  }
  return full;
}

std::string preloadable(const std::string& file_name) {
  const std::string path = beside_the_library(file_name);
  if (path.empty()) throw backend_error(file_name + " is not installed beside libtrigon.so");
  if (path.find_first_of(" \t\n:") != std::string::npos) {
    throw error("'" + path + "' cannot be preloaded: the loader takes blanks and colons as separators");
  }
  return path;
}

void warn_if_out_of_reach(const Options& options, const Program& program) {
  const auto unreachable = [&](const std::string& why) {
    say(options, program.path + ": " + why + ", so no call of it reaches Trigon.");
  };
  if (program.is_static()) return unreachable("it is linked statically, and nothing can be loaded before it");
  if (!program.elf) return unreachable("it is not a 64-bit ELF program of this machine");
  const std::string secure = secure_execution(program.binary);
  if (!secure.empty()) return unreachable(secure + ", and the loader ignores LD_PRELOAD for such programs");
  if (program.elf->defined.count("dtrsm_")) unreachable("it carries a BLAS of its own");
}

/// False for a program whose BLAS has 64-bit integers under the names that the drop-in has for 32-bit ones.
bool takes_32_bit_integers(const Options& options, const Program& program) {
  if (!program.elf || program.is_static()) return true;
  for (const Library& library : listed({program.elf->interpreter, "--list", program.binary})) {
    if (!has_wide_integers(library.path)) continue;
    say(options, library.path + ", the BLAS of " + program.path +
                     ", has 64-bit integers under the plain names, which Trigon has for 32-bit ones: the program runs "
                     "without Trigon.");
    return false;
  }
  return true;
}

void set_environment(const Options& options) {
  const bool both_to_files = !options.trace.empty() && !options.report.empty() && options.report != "stderr";
  const auto real = [](const std::string& path) { return std::filesystem::weakly_canonical(absolute(path)); };
  if (both_to_files && real(options.trace) == real(options.report) && !is_device(options.trace)) {
    throw error(options.trace + ": is named by both --trace and --report");
  }
  if (!options.trace.empty()) set("TRIGON_TRACE", fresh_output(options.trace));
  if (options.threads > 0) set("TRIGON_NUM_THREADS", std::to_string(options.threads));
  if (!options.forward.empty()) {
    if (access(options.forward.c_str(), R_OK) != 0) throw error(options.forward + ": cannot be read");
    if (!read_elf(options.forward)) throw error(options.forward + ": is no library of this machine's kind");
    set("TRIGON_BLAS_FORWARD", absolute(options.forward));
  }
}

/// A report on standard error comes by way of a file, so that it does not mix with what the program says there.
void print_report(const Options& options, const std::string& path, bool to_file) {
  if (path.find("%p") != std::string::npos) return;  // nobody knows which files there are
  if (is_device(path)) return;                       // what has gone there is not to be read again
  const std::string text = read_text(path);
  // Nobody asks a process that is killed, or ends by _exit, for its report.
  if (text.empty()) {
    return say(options,
               "there is no report: no BLAS call reached Trigon, or the processes that made them did not end by exit");
  }
  if (!to_file) std::cerr << text;
}

/// As execvp has it, also for a script that the kernel would not start.
std::vector<std::string> arguments(const Options& options, const Program& program) {
  std::vector<std::string> list = options.program;
  if (program.shell_script.empty()) return list;
  list.front() = program.shell_script;
  list.insert(list.begin(), program.path);
  return list;
}

void run_command(const Options& options) {
  if (options.program.empty()) throw error("run: name a program: trigon run -- PROGRAM ARGUMENTS...");
  const Program program = find_program(options.program.front());
  warn_if_out_of_reach(options, program);
  set_environment(options);
  if (takes_32_bit_integers(options, program)) {
    prepend("LD_PRELOAD", preloadable("libtrigon_blas.so") + ":" + preloadable("libtrigon_run.so"));
  }
  if (options.keep_lapack) set("TRIGON_RUN_KEEP_LAPACK", "1");
  int status = 0;
  {
    const TemporaryFile notes, own_report;
    const bool to_file = options.report != "stderr";
    const std::string report = to_file ? options.report : own_report.path();
    if (!report.empty()) set("TRIGON_REPORT", fresh_output(report));
    set("TRIGON_RUN_NOTES", notes.path());
    status = run_and_wait(program.path, arguments(options, program));
    if (!report.empty()) print_report(options, report, to_file);
    for (const std::string& line : advice(read_text(notes.path()))) say(options, line);
  }
  end_as(status);
}

}  // namespace

void add_run(CLI::App& app, const std::vector<std::string>& program) {
  auto options = std::make_shared<Options>();
  options->program = program;
  CLI::App* command = app.add_subcommand("run", "Run a program with Trigon in place of its BLAS");
  command->prefix_command();
  command->add_flag("--report{stderr}", options->report,
                    "at exit, print which routines were called, how often and how fast; --report=FILE into a file");
  command->add_option("--trace", options->trace, "write one line per call, which `trigon explain` and `bench` replay")
      ->type_name("FILE");
  command->add_option("--threads", options->threads, "the most threads that one call uses")->check(CLI::Range(1, 1024));
  command->add_option("--forward", options->forward, "the BLAS that serves what Trigon does not do")
      ->type_name("LIBRARY");
  command->add_flag("--keep-lapack", options->keep_lapack,
                    "leave the program's factorisations to its own LAPACK, even if it bypasses BLAS");
  command->add_flag("-q,--quiet", options->quiet, "say nothing beside what the program says and its report");
  command->footer(
      "The exit status is the program's. FILE may hold %p, which becomes the process's number.\n"
      "\n"
      "Examples:\n"
      "  trigon run --report -- python3 fit.py\n"
      "  trigon run --trace calls.txt -- ./solver input.dat\n"
      "  trigon run --threads 4 --report=report.txt -- Rscript model.R");
  command->callback([options, command] {
    std::vector<std::string> extra = command->remaining();
    if (!extra.empty()) {  // no "--", or one that belongs to the program
      if (!options->program.empty()) extra.push_back("--");
      options->program.insert(options->program.begin(), extra.begin(), extra.end());
    }
    run_command(*options);
  });
}

}  // namespace trigon::cli
