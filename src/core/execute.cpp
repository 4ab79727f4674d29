// One call from the door to a backend: check, canonical, plan, trace.
#include "core/canonical.hpp"
#include "core/direct.hpp"
#include "core/failure.hpp"
#include "core/plugin.hpp"
#include "core/scalars.hpp"
#include "core/trace.hpp"
#include "core/uncancelled.hpp"

#include <trigon/call.hpp>
#include <trigon/error.hpp>

namespace trigon {

void core::execute_as_planned(const Call& call) {
  const Uncancelled until_done;
  const Plugin& backend = core::backend();
  const bool observing = core::observing();
  Request request;
  canonical(call, call.operation, call.precision, request);
  request.solve = environment().solve;
  char words[512];  // not cleared: a small call would feel it
  words[0] = 0;
  request.message = {words, sizeof words};
  const Plan plan = backend.plan(request);
  // Afterwards: what plans load libraries for has been loaded then, and short ways wait for nobody who does.
  if (!observing && backend.direct && !ways_in_force) update_ways();
  const double start = observing ? now() : 0;
  if (plan.path != Path::Nothing)
    if (const Status status = backend.execute(request, plan); status != Status::Success) fail(call, status, words);
  if (observing) note(call, plan, now() - start);
}

std::atomic<const core::Direct*> core::ways_in_force{nullptr};

/// Without a lock, which a fork could leave behind: who stores last has seen what was changed before.
void core::update_ways() {
  const auto now = [] {
    const Plugin* const chosen = chosen_backend.load();
    return chosen && chosen->direct && observed.load() == Observed::No ? &chosen->direct() : nullptr;
  };
  const Direct* ways;
  do ways_in_force.store(ways = now());
  while (ways != now());
}

void core::fail(const Call& call, Status status, const char* words) {
  const auto because = [&](const char* otherwise) {
    return routine(call) + ": " + std::string(*words ? words : otherwise);
  };
  switch (status) {
    case Status::OutOfMemory: throw out_of_memory(because("out of memory"));
    case Status::Unavailable: throw backend_error(because("the backend is unavailable"));
    default: throw backend_error(because("the backend failed"));
  }
}

namespace {
void execute_as_taken(const Call& call) {
  if (const Argument wrong = check(call); wrong != Argument::None)
    throw argument_error(routine(call), std::string(name(call.operation, wrong)), position(call.operation, wrong, true),
                         complaint(call, wrong));
  execute_checked(call);
}
}  // namespace

void execute(const Call& call) {
  core::is_taken(call) ? execute_as_taken(call) : execute_as_taken(core::as_taken(call));
}

void execute_checked(const Call& call) {
  if (!core::directly(call, call.operation, call.precision)) core::execute_as_planned(call);
}

}  // namespace trigon
