// Calls on operands in device memory: the same check, canonical form and plan, submitted to a queue.
#include "core/canonical.hpp"
#include "core/failure.hpp"
#include "core/plugin.hpp"
#include "core/scalars.hpp"
#include "core/trace.hpp"
#include "core/uncancelled.hpp"

#include <trigon/device.hpp>

namespace trigon {

struct Queue::State {
  const core::Plugin& backend;
  void* queue = nullptr;

  explicit State(const core::Plugin& backend) : backend(backend) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    const core::Uncancelled until_closed;
    if (queue && !core::forked_off_devices()) backend.queues->close(queue);
  }
};

namespace {

/// Begins what uses a device, in which drivers wait and open files: no thread is cancelled there, as in no other call.
class Use {
 public:
  Use() {
    if (core::forked_off_devices()) throw backend_error(core::off_devices);
  }

 private:
  const core::Uncancelled until_done_;
};

const core::Plugin& with_queues(const std::string& name) {
  const Use here;
  const core::Registered& b = core::registered(name);
  if (!b.table || !b.why.empty()) throw backend_error(name + ": not available, because " + b.why);
  if (!b.table->queues) throw backend_error(name + ": its operands are in the host's memory, it has no queues");
  return *b.table;
}

/// Throws what the status of a backend's queue or memory stands for.
void succeed(const core::Plugin& backend, core::Status status, const char* words) {
  if (status == core::Status::Success) return;
  const std::string why = std::string(backend.name) + ": " + words;
  if (status == core::Status::OutOfMemory) throw out_of_memory(why);
  throw backend_error(why);
}

template <class Open>
std::shared_ptr<const Queue::State> opened(const core::Plugin& backend, Open&& open) {
  const Use here;
  char words[512] = "";
  const auto state = std::make_shared<Queue::State>(backend);  // first: it may not fail afterwards
  state->queue = open(*backend.queues, core::Message{words, sizeof words});
  if (!state->queue) throw backend_error(std::string(backend.name) + ": " + words);
  return state;
}

core::Request resident(const Call& given, const Offsets& offsets, const Queue& queue, Solve solve) {
  const Call call = core::as_taken(given);
  if (const Argument wrong = check(call); wrong != Argument::None)
    throw argument_error(routine(call), std::string(name(call.operation, wrong)), position(call.operation, wrong, true),
                         complaint(call, wrong));
  core::Request r = core::canonical(call);
  for (const auto& [operand, by] : {std::pair{&r.a, offsets.a}, {&r.b, offsets.b}, {&r.c, offsets.c}})
    if (__builtin_add_overflow(operand->offset, by, &operand->offset))
      throw backend_error(routine(call) + ": the offset " + std::to_string(by) + " is beyond any buffer");
  r.solve = solve == Solve::Default ? core::environment().solve : solve;
  r.memory = core::Memory::Device;
  r.queue = queue.state().queue;
  return r;
}

}  // namespace

Queue::Queue(const std::string& backend, void* native)
    : state_(opened(with_queues(backend), [&](const core::Queues& q, core::Message m) { return q.adopt(native, m); })) {
}

Queue::Queue(const std::string& device)
    : state_(opened(with_queues(device.substr(0, device.find(':'))), [&](const core::Queues& q, core::Message m) {
        const auto colon = device.find(':');
        const std::string which =
            colon == std::string::npos ? core::environment().device_of(device) : device.substr(colon + 1);
        return q.create(which.c_str(), m);
      })) {}

void* Queue::native() const { return state_->backend.queues->native(state_->queue); }

void Queue::finish() const {
  const Use here;
  char words[512] = "";
  succeed(state_->backend, state_->backend.queues->finish(state_->queue, {words, sizeof words}), words);
}

DeviceMemory::DeviceMemory(const Queue& queue, std::size_t bytes) : queue_(queue) {
  const Use here;
  char words[512] = "";
  const Queue::State& s = queue_.state();
  if (!s.backend.queues->allocate)
    throw backend_error(std::string(s.backend.name) + ": allocate with the driver's own interface");
  succeed(s.backend, s.backend.queues->allocate(s.queue, bytes, &memory_, {words, sizeof words}), words);
}

DeviceMemory::~DeviceMemory() {
  const core::Uncancelled until_released;
  const Queue::State& s = queue_.state();
  if (!core::forked_off_devices()) s.backend.queues->release(s.queue, memory_);
}

void DeviceMemory::write(const void* from, std::size_t bytes, std::size_t at) {
  const Use here;
  char words[512] = "";
  const Queue::State& s = queue_.state();
  succeed(s.backend, s.backend.queues->write(s.queue, memory_, at, from, bytes, {words, sizeof words}), words);
}

void DeviceMemory::read(void* to, std::size_t bytes, std::size_t at) const {
  const Use here;
  char words[512] = "";
  const Queue::State& s = queue_.state();
  succeed(s.backend, s.backend.queues->read(s.queue, memory_, at, to, bytes, {words, sizeof words}), words);
}

void execute(const Call& call, const Offsets& offsets, const Submission& on) {
  const Use here;
  core::Request r = resident(call, offsets, on.queue, on.solve);
  r.wait_list = on.wait_list.data(), r.waits = static_cast<unsigned>(on.wait_list.size());
  r.event = on.event;
  r.workspace = on.workspace, r.workspace_bytes = on.workspace_bytes;
  char words[512] = "";
  r.message = {words, sizeof words};
  const core::Plugin& backend = on.queue.state().backend;
  const core::Plan plan = backend.plan(r);
  const bool observing = core::observing();
  const double start = observing ? core::now() : 0;
  if (const core::Status status = backend.execute(r, plan); status != core::Status::Success)
    core::fail(call, status, words);
  if (observing) core::note(call, plan, core::now() - start);
}

std::size_t workspace_bytes(const Call& call, const Queue& queue, Solve solve) {
  const core::Uncancelled until_known;
  const core::Request r = resident(call, {}, queue, solve);
  const core::Plugin& backend = queue.state().backend;
  return backend.workspace_size(r, backend.plan(r));
}

}  // namespace trigon
