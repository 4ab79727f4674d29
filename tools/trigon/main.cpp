// `trigon`: parses the command line, runs one command, turns what it throws into an exit status.
#include <CLI/CLI.hpp>
#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "trigon/commands.hpp"

using namespace trigon::cli;

namespace {

constexpr const char* footer =
    "Examples:\n"
    "  trigon info\n"
    "  trigon run --report -- python3 fit.py\n"
    "  trigon explain dtrsm m=1024 n=16\n"
    "  trigon solve --triangle L.npy --rhs b.npy --out x.npy\n"
    "\n"
    "Exit status: 0 success; 1 a check failed; 2 bad usage or bad input; 3 a backend, the memory or the\n"
    "system failed. `trigon run` ends with the status of the program it ran.\n"
    "`trigon COMMAND --help` shows the options of a command, with examples.";

int complain(const std::exception& error, int status) {
  std::cerr << "trigon: " << error.what() << '\n';
  return status;
}

/// Takes what follows the first "--" off the arguments of `trigon run`.
std::vector<std::string> split_program(std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front() != "run") return {};
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) return {};
  std::vector<std::string> program(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
  return program;
}

void require_command(const CLI::App& app, const std::string& name) {
  const auto named = [&](const CLI::App* command) { return command->get_name() == name; };
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (std::none_of(commands.begin(), commands.end(), named)) {
    throw trigon::error("there is no command '" + name + "'; `trigon --help` lists them");
  }
}

int run(std::vector<std::string> arguments) {
  CLI::App app{"Trigon: triangular and symmetric matrix operations at the speed of the machine.", "trigon"};
  app.set_version_flag("--version", "trigon " + trigon::version());
  app.require_subcommand(1);
  app.footer(footer);

  add_info(app);
  add_run(app, split_program(arguments));
  add_bench(app);
  add_check(app);
  add_tune(app);
  add_explain(app);
  add_solve(app);
  add_multiply(app);

  if (!arguments.empty() && !arguments.front().starts_with('-')) require_command(app, arguments.front());
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_ok : exit_bad_input;
  }
  return exit_ok;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = run({argv + 1, argv + argc});
    std::cout.flush();
    if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout)) {
      std::cerr << "trigon: standard output could not be written\n";
      return exit_backend;
    }
    return status;
  } catch (const exit_request& request) {
    std::cout.flush();
    return request.status;
  } catch (const trigon::backend_error& error) {
    return complain(error, exit_backend);
  } catch (const trigon::error& error) {
    return complain(error, exit_bad_input);
  } catch (const std::bad_alloc&) {
    std::cerr << "trigon: out of memory\n";
    return exit_backend;
  } catch (const std::exception& error) {
    return complain(error, exit_backend);
  }
}
