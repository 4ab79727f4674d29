// A plug-in whose device can be used and does nothing, with queues and memory.
#include "core/plugin.hpp"

using namespace trigon;
using namespace trigon::core;

namespace {

int object;  // stands for a queue, and for memory

const char* usable() { return nullptr; }
const char* device() { return "does nothing"; }
Plan plan(const Request&) { return {}; }
std::size_t workspace_size(const Request&, const Plan&) { return 0; }
Status execute(const Request&, const Plan&) { return Status::Success; }
Status execute_timed(const Request&, const Plan&, std::vector<Task>&) { return Status::Success; }

constexpr Queues queues{
    .adopt = [](void*, Message) -> void* { return &object; },
    .create = [](const char*, Message) -> void* { return &object; },
    .native = [](void* queue) { return queue; },
    .finish = [](void*, Message) { return Status::Success; },
    .close = [](void*) {},
    .allocate = [](void*, std::size_t, Message) -> void* { return &object; },
    .release = [](void*, void*) {},
    .write = [](void*, void*, std::size_t, const void*, std::size_t, Message) { return Status::Success; },
    .read = [](void*, void*, std::size_t, void*, std::size_t, Message) { return Status::Success; },
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
