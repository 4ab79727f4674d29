// One call from the door to a backend: check, canonical, plan, trace.
#include "core/canonical.hpp"
#include "core/failure.hpp"
#include "core/plugin.hpp"
#include "core/trace.hpp"

#include <trigon/call.hpp>
#include <trigon/error.hpp>

namespace trigon {
namespace {

[[gnu::noinline]] void as_planned(const Call& call) {
  const core::Plugin& backend = core::backend();
  const bool observing = core::observing();
  core::Request request;
  core::canonical(call, call.operation, call.precision, request);
  request.solve = core::environment().solve;
  char words[512];  // not cleared: a small call would feel it
  words[0] = 0;
  request.message = {words, sizeof words};
  const core::Plan plan = backend.plan(request);
  const double start = observing ? core::now() : 0;
  if (plan.path != core::Path::Nothing)
    if (const core::Status status = backend.execute(request, plan); status != core::Status::Success)
      core::fail(call, status, words);
  if (observing) core::note(call, plan, core::now() - start);
}

}  // namespace

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

void execute(const Call& call) {
  if (const Argument wrong = check(call); wrong != Argument::None)
    throw argument_error(routine(call), std::string(name(call.operation, wrong)), position(call.operation, wrong, true),
                         complaint(call, wrong));
  execute_checked(call);
}

void execute_checked(const Call& call) {
  if (!core::observing()) [[likely]]
    if (const core::Direct* const direct = core::backend().direct; direct && (*direct)(call)(call)) return;
  as_planned(call);
}

}  // namespace trigon
