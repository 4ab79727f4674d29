// What `bench/gpu_run` starts: measures and judges the CUDA backend on device memory. One line of JSON per result.
//
//     gpu_measure ceilings | correctness | doors | stress | bench | profile [--tiny] [--seed N] [--cases N]
//                 [--seconds S] [--measured FILE]
#include "stages.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>

namespace trigon::gpu {
namespace {

char unfinished[512];
volatile std::sig_atomic_t letters = 0;  ///< of it

/// Of a call that never ends. What `timeout` sends first.
void tell_unfinished(int number) {
  (void)!write(STDOUT_FILENO, unfinished, static_cast<std::size_t>(letters));
  std::signal(number, SIG_DFL);
  std::raise(number);
}

std::set<std::string> lines_of(const char* path) {
  std::set<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.insert(line);
  return lines;
}

int run(int argc, char** argv) {
  Settings s;
  std::string stage;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--tiny")
      s.tiny = true;
    else if (word == "--seed" && i + 1 < argc)
      s.seed = std::stoull(argv[++i]);
    else if (word == "--cases" && i + 1 < argc)
      s.cases = std::stoi(argv[++i]);
    else if (word == "--seconds" && i + 1 < argc)
      s.seconds = std::stod(argv[++i]);
    else if (word == "--measured" && i + 1 < argc)
      s.measured = lines_of(argv[++i]);
    else
      stage = word;
  }
  const std::map<std::string, bool (*)(const Settings&)> stages{{"ceilings", ceilings}, {"correctness", correctness},
                                                                {"doors", doors},       {"stress", stress},
                                                                {"bench", bench},       {"profile", profile}};
  const auto found = stages.find(stage);
  if (found == stages.end()) {
    std::cerr << "usage: gpu_measure ceilings | correctness | doors | stress | bench | profile [--tiny] [--seed N] "
                 "[--cases N] [--seconds S] [--measured FILE]\n";
    return 2;
  }
  (void)queue();  // or nothing can be done
  const bool right = found->second(s);
  queue().finish();
  return right ? 0 : 1;
}

}  // namespace

void under_way(const char* stage, const std::string& call) {
  const std::string line = json{{"stage", stage}, {"unfinished", call}}.dump() + "\n";
  letters = 0;
  letters = static_cast<int>(line.copy(unfinished, sizeof unfinished));
}

}  // namespace trigon::gpu

int main(int argc, char** argv) {
  setenv("TRIGON_BACKEND", trigon::gpu::backend().c_str(), 1);  // for explain()
  std::signal(SIGTERM, trigon::gpu::tell_unfinished);
  try {
    return trigon::gpu::run(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "gpu_measure: " << e.what() << "\n";
    return 1;
  }
}
