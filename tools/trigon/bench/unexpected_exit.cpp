#include "trigon/bench/unexpected_exit.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "trigon/commands.hpp"

namespace trigon::bench {
namespace {

bool alive = false;

/// Never destroyed: the handler comes after destructors of static objects that were made later than it.
std::string& suspected() {
  static std::string& who = *new std::string;
  return who;
}

void at_exit() {
  if (!alive) return;
  std::fflush(stdout);
  const std::string& who = suspected();
  std::fprintf(stderr, "trigon: %s ended this process in the middle of the benchmark\n",
               who.empty() ? "a library" : who.c_str());
  _exit(cli::exit_backend);
}

}  // namespace

UnexpectedExit::UnexpectedExit() {
  static const bool registered = std::atexit(at_exit) == 0;
  alive = registered;
}

UnexpectedExit::~UnexpectedExit() {
  alive = false;
  suspected().clear();
}

void UnexpectedExit::suspect(const std::string& who) { suspected() = who; }

}  // namespace trigon::bench
