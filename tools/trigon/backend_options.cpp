// --backend, --device and --solve, for every command that has them.
#include <CLI/CLI.hpp>
#include <cstdlib>

#include "trigon/commands.hpp"

namespace trigon::cli {

void add_backend_options(CLI::App& command) {
  // The library reads its environment at the first call, which comes after the command line has been read.
  const auto into = [](const char* variable) {
    return [variable](const std::string& value) { setenv(variable, value.c_str(), 1); };
  };
  command.add_option_function<std::string>("--backend", into("TRIGON_BACKEND"), "cpu, or one that `trigon info` lists");
  command.add_option_function<std::string>("--device", into("TRIGON_DEVICE"),
                                           "of that backend: a number, or a part of its name");
  command
      .add_option_function<std::string>("--solve", into("TRIGON_SOLVE"),
                                        "diagonal blocks of TRSM and TRSV: exact (default), or inverted where the "
                                        "backend has that")
      ->check(CLI::IsMember({"exact", "inverted"}));
}

}  // namespace trigon::cli
