// The table that a backend exports. The CPU's is compiled in; others come from libtrigon-NAME.so.
#pragma once

#include "core/environment.hpp"
#include "core/plan.hpp"
#include "core/request.hpp"
#include "core/tiny.hpp"

#include <trigon/call.hpp>
#include <trigon/inspect.hpp>

#include <atomic>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace trigon::core {

inline constexpr int plugin_abi = 9;

/// The queues of a backend whose operands may lie in device memory (Memory::Device). What `adopt` and `create` return
/// is the plug-in's own object around a native queue and travels as Request::queue; null means failure, in words.
struct Queues {
  /// The caller's queue (a cl_command_queue, a cudaStream_t), which stays his.
  void* (*adopt)(void* native, Message) = nullptr;
  /// A new one on a device, named by its number or a part of its name; "" is the first that can be used.
  void* (*create)(const char* device, Message) = nullptr;
  void* (*native)(void* queue) = nullptr;
  /// Waits for all that was submitted, and reports what failed meanwhile.
  Status (*finish)(void* queue, Message) = nullptr;
  /// Ends an object of adopt or create. May wait.
  void (*close)(void* queue) = nullptr;
  /// Optional, these four together: device memory for programs that know no driver. `at` counts bytes; copies come
  /// after what was submitted and are done on return.
  Status (*allocate)(void* queue, std::size_t bytes, void** memory, Message) = nullptr;
  void (*release)(void* queue, void* memory) = nullptr;
  Status (*write)(void* queue, void* memory, std::size_t at, const void* from, std::size_t bytes, Message) = nullptr;
  Status (*read)(void* queue, void* memory, std::size_t at, void* to, std::size_t bytes, Message) = nullptr;
};

/// Ways past the plan, one for each operation and precision: carries out a checked call whose plan is known beforehand,
/// or returns false with nothing written.
struct Direct {
  using Way = bool (*)(const Call&);
  Way way[operation_count][4] = {};  ///< precisions in the order s d c z

  /// For doors that know all of a call but its sizes: kernels of TRMM, TRSM with at most `rhs` right-hand sides, of
  /// TRMV and of TRSV.
  template <class T>
  struct OfTriangles {
    index rhs = 0;
    TinyTable<T> trmm, trsm, trmv, trsv;
  };
  std::tuple<OfTriangles<float>, OfTriangles<double>, OfTriangles<std::complex<float>>,
             OfTriangles<std::complex<double>>>
      tiny;
};

struct Plugin {
  int abi = plugin_abi;
  const char* name = "";
  /// Why no device can be used here, or null. Opens none that a program may not want: see `no_device`.
  const char* (*unavailable)() = nullptr;
  /// The device of host operands in words. Not asked for where `no_device` says why there is none.
  const char* (*device)() = nullptr;
  Plan (*plan)(const Request&) = nullptr;
  /// Bytes of workspace that a call takes, from its queue's pool or from the caller.
  std::size_t (*workspace_size)(const Request&, const Plan&) = nullptr;
  /// Host operands: done on return. Device operands: submitted to Request::queue, whatever the path, so that the event
  /// of a call that has nothing to do comes after its wait list.
  Status (*execute)(const Request&, const Plan&) = nullptr;
  /// The recursion of the plan on one thread, each task timed and appended.
  Status (*execute_timed)(const Request&, const Plan&, std::vector<Task>&) = nullptr;
  /// Optional; asked for after a first plan.
  const Direct& (*direct)() = nullptr;
  /// Optional: a plan in words, one line each, instead of those about the CPU.
  std::vector<std::string> (*words)(const Request&, const Plan&) = nullptr;
  /// Optional: every device in words, by number; without it there is one.
  std::vector<std::string> (*devices)() = nullptr;
  /// Optional: null where operands are always in the host's memory.
  const Queues* queues = nullptr;
  /// Optional: the name of the GEMM behind Plan::provider, where that is not the CPU's.
  const char* (*provider)() = nullptr;
  /// Optional: why operands in the host's memory have no device (Environment::device_of names none, or none that can be
  /// opened), or null. Queues have theirs all the same.
  const char* (*no_device)() = nullptr;
};

/// What the core lends to a plug-in for as long as the process lives.
struct Host {
  int abi = plugin_abi;
  const Environment& environment;
  const Tuning& tuning;
};

/// The one symbol of a plug-in, `trigon_plugin`. With an abi that it does not know it reads no more of the host; the
/// core reads no more than the abi of a table that it does not know.
using PluginEntry = const Plugin*(const Host&);

/// A backend by name. Where it cannot be used, `why` says so, and `table` may be null.
struct Registered {
  std::string name;
  const Plugin* table = nullptr;
  std::string why;
};

/// Opens it on first use. A plug-in lies beside libtrigon.so.
const Registered& registered(std::string_view name);

/// All that are here: the CPU, and every plug-in beside libtrigon.so.
std::vector<const Registered*> all_backends();

/// Chooses what TRIGON_BACKEND names, or the CPU. Throws where that is unavailable.
const Plugin& choose_backend();
inline std::atomic<const Plugin*> chosen_backend{nullptr};

/// The backend in force for operands in the host's memory.
inline const Plugin& backend() {
  const Plugin* const p = chosen_backend.load(std::memory_order_acquire);
  return p ? *p : choose_backend();
}

/// Whether this is a child forked off a process that had opened a plug-in, or was doing so. Devices do not survive
/// that: host operands go to the CPU, device operands are refused, and no plug-in is opened.
bool forked_off_devices();
inline constexpr const char* off_devices =
    "a child forked off a process that has used a device, or was opening one, cannot use it";

}  // namespace trigon::core
