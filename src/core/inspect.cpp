// explain, tasks and the lists behind `trigon info`.
#include "core/canonical.hpp"
#include "core/dispatch.hpp"
#include "core/failure.hpp"
#include "core/plugin.hpp"
#include "core/recorder.hpp"
#include "core/scalars.hpp"
#include "core/trace.hpp"

#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <algorithm>

namespace trigon {
namespace {

core::Request checked(const Call& given, bool operands) {
  const Call call = core::as_taken(given);
  Argument wrong = check(call);
  const bool pointer = wrong == Argument::A || wrong == Argument::B || wrong == Argument::C || wrong == Argument::X;
  if (pointer && !operands) wrong = Argument::None;  // a described call has no operands
  if (wrong != Argument::None)
    throw argument_error(routine(call), std::string(name(call.operation, wrong)), position(call.operation, wrong, true),
                         complaint(call, wrong));
  core::Request r = core::canonical(call);
  r.solve = core::environment().solve;
  return r;
}

std::string provider(const core::Plan& p, const core::Plugin& backend) {
  if (!p.provider) return "own";
  return backend.provider ? backend.provider() : gemm_provider().name;
}

std::string words(const Call& call, const core::Request& r, const core::Plan& p, const core::Plugin& backend) {
  std::string text = to_text(call) + "\n";
  const auto line = [&](const std::string& s) { text += "  " + s + "\n"; };
  line("backend: " + std::string(backend.name));
  if (backend.words) {
    for (const std::string& s : backend.words(r, p)) line(s);
    return text;
  }
  switch (p.path) {
    case core::Path::Nothing: line("path: nothing to do, the call returns at once"); return text;
    case core::Path::Scale: line("path: scale, the result is cleared or multiplied by beta"); return text;
    case core::Path::Narrow:
      line("path: narrow, " + std::to_string(r.b.cols) +
           " right-hand side(s): the triangle is read where it lies, block by block");
      break;
    case core::Path::Packed: {
      const bool triangle = r.operation == Operation::Trmm || r.operation == Operation::Trsm;
      line(std::string("path: packed, one pass of the packed kernels") +
           (triangle ? ", or of those that leave small triangles where they lie" : ""));
      break;
    }
    case core::Path::Recursion:
      line("path: recursion, order " + std::to_string(r.operation == Operation::Gemm ? r.c.rows : r.a.rows) +
           " is halved down to leaves of at most " + std::to_string(p.leaf));
      break;
  }
  const bool solves = r.operation == Operation::Trsm || r.operation == Operation::Trsv;
  if (solves && r.solve == Solve::Inverted) line("solve: exact, this backend inverts no blocks");
  line("GEMM: " + (p.provider ? gemm_provider().name + " for blocks" : std::string("own packed kernels")));
  const bool symmetric = r.operation == Operation::Symm || r.operation == Operation::Hemm;
  const bool by_rows =
      p.threads > 1 &&
      (p.by_rows || (symmetric && p.path == core::Path::Packed && !core::shares_columns(r, p.threads)));
  line("threads: " + std::to_string(p.threads) + (by_rows ? ", each with its share of the rows" : ""));
  return text;
}

}  // namespace

std::string version() { return TRIGON_VERSION; }

std::vector<BackendInfo> backends() {
  std::vector<BackendInfo> list;
  for (const core::Registered* b : core::all_backends()) {
    const bool opened = b->why.empty();
    if (opened && b->table->queues && core::forked_off_devices()) {
      list.push_back({b->name, false, core::off_devices, {}});
      continue;
    }
    const char* const none = opened && b->table->no_device ? b->table->no_device() : nullptr;
    // Where TRIGON_DEVICE names none there are others.
    const bool available = opened && (!none || !core::environment().device_of(b->name).empty());
    const std::string detail = none ? none : available ? b->table->device() : b->why;
    list.push_back({b->name, available, detail, {}});
    if (!available) continue;
    list.back().devices = b->table->devices ? b->table->devices() : std::vector{detail};
  }
  return list;
}

TuningInfo tuning() {
  const core::Tuning& t = core::tuning();
  return {t.source, t.provenance, core::entries(t)};
}

PlanInfo explain(const Call& call) {
  const core::Request r = checked(call, false);
  const core::Plugin& backend = core::backend();
  const core::Plan p = backend.plan(r);
  return {backend.name, std::string(core::name(p.path)), provider(p, backend), p.leaf,
          p.threads,    words(call, r, p, backend)};
}

std::vector<Task> tasks(const Call& call) {
  const core::Request r = checked(call, false);
  const core::Plan p = core::backend().plan(r);
  std::vector<Task> list;
  if (p.path == core::Path::Nothing) return list;
  if (p.path == core::Path::Scale || p.path == core::Path::Narrow) return {core::whole(r, p)};
  const index everything = std::max({r.a.rows, r.c.rows, index{1}});
  const index leaf = p.path == core::Path::Recursion ? p.leaf : everything;
  with_type(call.precision, [&]<class T>(T) {
    core::Recorder<T, core::Nothing<T>> recorder({leaf}, list, core::gemms_per_split(r.operation));
    core::dispatch<T>(r, recorder, core::place_view);
  });
  return list;
}

std::vector<Task> execute_timed(const Call& call) {
  core::Request r = checked(call, true);
  char words[512];
  words[0] = 0;
  r.message = {words, sizeof words};
  const core::Plugin& backend = core::backend();
  const core::Plan p = backend.plan(r);
  std::vector<Task> list;
  if (p.path != core::Path::Nothing)
    if (const core::Status status = backend.execute_timed(r, p, list); status != core::Status::Success)
      core::fail(call, status, words);
  return list;
}

}  // namespace trigon
