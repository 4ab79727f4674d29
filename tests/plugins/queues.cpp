// A plug-in whose device can be used and does nothing but wait, with queues and memory.
#include "core/plugin.hpp"

#include <pthread.h>

using namespace trigon;
using namespace trigon::core;

namespace {

int object;  // stands for a queue, and for memory

const char* usable() { return nullptr; }
const char* device() { return "does nothing"; }
/// Drivers wait, and open files: there a thread would be cancelled.
template <class Result>
Result after_waiting(Result result) {
  pthread_testcancel();
  return result;
}

Plan plan(const Request&) { return after_waiting(Plan()); }
std::size_t workspace_size(const Request&, const Plan&) { return after_waiting(0); }
Status execute(const Request&, const Plan&) { return after_waiting(Status::Success); }
Status execute_timed(const Request&, const Plan&, std::vector<Task>&) { return Status::Success; }

constexpr Queues queues{
    .adopt = [](void*, Message) -> void* { return after_waiting(&object); },
    .create = [](const char*, Message) -> void* { return after_waiting(&object); },
    .native = [](void* queue) { return queue; },
    .finish = [](void*, Message) { return after_waiting(Status::Success); },
    .close = [](void*) { pthread_testcancel(); },
    .allocate =
        [](void*, std::size_t, void** memory, Message) {
          *memory = &object;
          return after_waiting(Status::Success);
        },
    .release = [](void*, void*) { pthread_testcancel(); },
    .write = [](void*, void*, std::size_t, const void*, std::size_t,
                Message) { return after_waiting(Status::Success); },
    .read = [](void*, void*, std::size_t, void*, std::size_t, Message) { return after_waiting(Status::Success); },
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const Plugin* trigon_plugin(const Host&) {
  static const Plugin table{.abi = plugin_abi,
                            .name = "queues",
                            .unavailable = usable,
                            .device = device,
                            .plan = plan,
                            .workspace_size = workspace_size,
                            .execute = execute,
                            .execute_timed = execute_timed,
                            .queues = &queues};
  return &table;
}
