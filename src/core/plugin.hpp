// The table that a backend exports. The CPU's is compiled in; others come from libtrigon-NAME.so.
#pragma once

#include "core/environment.hpp"
#include "core/plan.hpp"
#include "core/request.hpp"

#include <trigon/call.hpp>
#include <trigon/inspect.hpp>

#include <vector>

namespace trigon::core {

inline constexpr int plugin_abi = 1;

struct Plugin {
  int abi = plugin_abi;
  const char* name = "";
  /// Why it cannot be used here, or null.
  const char* (*unavailable)() = nullptr;
  /// The device in words.
  const char* (*device)() = nullptr;
  Plan (*plan)(const Request&) = nullptr;
  std::size_t (*workspace_size)(const Request&, const Plan&) = nullptr;
  Status (*execute)(const Request&, const Plan&) = nullptr;
  /// The recursion of the plan on one thread, each task timed and appended.
  Status (*execute_timed)(const Request&, const Plan&, std::vector<Task>&) = nullptr;
  /// Optional: carries out a checked call whose plan is known beforehand, or returns false with nothing written.
  bool (*direct)(const Call&) = nullptr;
};

/// The backend in force: what TRIGON_BACKEND names, or the CPU.
const Plugin& backend();

/// All that this build knows, the CPU first.
const std::vector<const Plugin*>& plugins();

}  // namespace trigon::core
