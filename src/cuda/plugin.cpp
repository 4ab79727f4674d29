// The table of libtrigon-cuda.so. The same source over the CPU shim is a plug-in of the tests.
#include "cuda/plugin.hpp"

#include "core/recorder.hpp"
#include "cuda/plan.hpp"
#include "cuda/queue.hpp"
#include "cuda/staged.hpp"

#include <cstdint>

namespace trigon::cuda::plugin {
namespace {

using core::Path;
using core::Plan;
using core::Request;
using core::Status;

/// Why no device is meant by a name, or "".
std::string why_no(const std::string& name) {
  try {
    device_number(name);
    return {};
  } catch (const failure& f) {
    return f.what();
  }
}

/// No device is opened for this: it may not be the one that is going to be used.
const char* unavailable() {
  static const std::string& why = *new std::string(why_none());
  return why.empty() ? nullptr : why.c_str();
}

const char* no_device() {
  static const std::string& why = *new std::string([] {
    const std::string& name = host->environment.device_of(TRIGON_CUDA_NAME);
    const std::string none = why_no(name);
    return (none.empty() || name.empty() ? "" : "TRIGON_DEVICE: ") + none;
  }());
  return why.empty() ? nullptr : why.c_str();
}

/// With what computes GEMM there.
const char* device() {
  static const std::string& words =
      *new std::string(found().devices[static_cast<std::size_t>(host_device())] + "; " + provider().words);
  return words.c_str();
}

std::vector<std::string> all_devices() { return found().devices; }

Plan plan(const Request& r) { return cuda::plan(r, host->tuning, provider().use); }

/// The queue of host-resident calls. Never closed: device runtimes are gone before static objects are.
Queue& host_queue() {
  static Queue& q = *new Queue(open_stream(host_device()), false, provider().use);
  return q;
}

std::size_t workspace_size(const Request& r, const Plan& p) { return cuda::workspace_size(r, p, host->tuning); }

/// What elements of a precision are aligned to, in operands and in workspaces: their parts.
std::size_t alignment(Precision precision) {
  return with_type(precision, []<class T>(T) { return sizeof(real_t<T>); });
}

/// `element`: what the address is a multiple of. (A kernel that finds out is the last one of its process.)
void check_address(const Stream& stream, const char* name, const void* address, std::size_t element) {
  if (const std::string why = objection(stream, address); !why.empty())
    throw failure(Status::InvalidArgument, std::string(name) + ": " + why);
  if (reinterpret_cast<std::uintptr_t>(address) % element != 0)
    throw failure(Status::InvalidArgument,
                  std::string(name) + ": the address is no multiple of " + std::to_string(element));
}

void check_operand(const Stream& stream, const char* name, Precision precision, const core::Operand& o, bool used) {
  if (!used || o.rows == 0 || o.cols == 0) return;
  check_address(stream, name, o.handle, alignment(precision));
}

void check_workspace(const Stream& stream, const Request& r, const Plan& p) {
  const std::size_t needed = needed_bytes(r, p);
  if (needed == 0 || !r.workspace) return;
  if (r.workspace_bytes < needed)
    throw failure(Status::InvalidArgument, "the workspace has " + std::to_string(r.workspace_bytes) +
                                               " bytes, the call takes " + std::to_string(needed));
  check_address(stream, "the workspace", r.workspace, p.path == Path::Narrow ? alignof(int) : alignment(r.precision));
}

/// What the call itself needs: the caller's, or the queue's.
void* workspace(Queue& queue, const Request& r, const Plan& p) {
  const std::size_t needed = needed_bytes(r, p);
  if (needed == 0) return nullptr;
  return r.workspace ? r.workspace : queue.workspace(needed);
}

Choice choice(const Request& r) { return cuda::choice(r.precision, host->tuning, host->environment.reproducible); }

std::vector<std::string> in_words(const Request& r, const Plan& p) { return words(r, p, choice(r)); }

Means means(const Queue& queue, const Request& r, const Plan& p, void* workspace) {
  return {choice(r), p.provider ? queue.cublas() : nullptr, provider_work(provider().use, r.precision, host->tuning),
          workspace};
}

void enqueue(const Queue& queue, const Request& r, const Plan& p, void* workspace) {
  if (p.path == Path::Nothing) return;
  with_type(r.precision, [&]<class T>(T) { cuda::execute<T>(queue.stream(), r, p, means(queue, r, p, workspace)); });
}

void submit(const Request& r, const Plan& p) {
  Queue& queue = *static_cast<Queue*>(r.queue);
  const std::lock_guard lock(queue.mutex());
  const OnDevice scope(queue.stream());
  const core::Parts need = core::parts(r, p);
  constexpr auto none = core::Part::None;
  check_operand(queue.stream(), "A", r.precision, r.a, need.a.kind != none);
  check_operand(queue.stream(), "B", r.precision, r.b,
                need.b.kind != none || (need.writes_b && need.written.kind != none));
  check_operand(queue.stream(), "C", r.precision, r.c, !need.writes_b && need.written.kind != none);
  check_workspace(queue.stream(), r, p);
  for (unsigned i = 0; i < r.waits; ++i) wait_for_event(queue.stream(), r.wait_list[i]);
  // Only now is it known whether the call is captured: the stream is with an event of one that is.
  enqueue(queue, r, p, workspace(queue, r, p));
  if (r.event) *r.event = record_event(queue.stream());
}

Status execute(const Request& r, const Plan& p) {
  return guarded(r.message, [&] {
    if (r.memory == core::Memory::Device) return submit(r, p);
    if (p.path == Path::Nothing) return;
    Queue& queue = host_queue();
    const std::lock_guard lock(queue.mutex());
    const OnDevice scope(queue.stream());
    with_type(r.precision, [&]<class T>(T) {
      staged<T>(queue.stream(), r, p,
                [&](const Request& there) { enqueue(queue, there, p, workspace(queue, there, p)); });
    });
  });
}

/// Over host operands.
Status execute_timed(const Request& r, const Plan& p, std::vector<Task>& tasks) {
  return guarded(r.message, [&] {
    Queue& queue = host_queue();
    const std::lock_guard lock(queue.mutex());
    const OnDevice scope(queue.stream());
    with_type(r.precision, [&]<class T>(T) {
      staged<T>(queue.stream(), r, p, [&](const Request& there) {
        const Means with = means(queue, there, p, workspace(queue, there, p));
        if (p.path == Path::Scale || p.path == Path::Narrow) {
          Task task = whole(r, p);
          const double start = now(queue.stream());
          cuda::execute<T>(queue.stream(), there, p, with);
          task.seconds = now(queue.stream()) - start;
          return tasks.push_back(task);
        }
        core::Recorder<T, Backend<T>> recorder(backend<T>(queue.stream(), there, p, with), tasks,
                                               core::gemms_per_split(r.operation));
        core::dispatch<T>(there, recorder, core::host_view<T>);
      });
    });
  });
}

}  // namespace
}  // namespace trigon::cuda::plugin

extern "C" __attribute__((visibility("default"))) const trigon::core::Plugin* trigon_plugin(
    const trigon::core::Host& host) {
  using namespace trigon;
  using namespace trigon::cuda;
  static constexpr core::Plugin table{.name = TRIGON_CUDA_NAME,
                                      .unavailable = plugin::unavailable,
                                      .device = plugin::device,
                                      .plan = plugin::plan,
                                      .workspace_size = plugin::workspace_size,
                                      .execute = plugin::execute,
                                      .execute_timed = plugin::execute_timed,
                                      .words = plugin::in_words,
                                      .devices = plugin::all_devices,
                                      .queues = &plugin::queues,
                                      .provider = [] { return "cublas"; },
                                      .no_device = plugin::no_device};
  if (host.abi == core::plugin_abi) plugin::host = &host;
  return &table;
}
