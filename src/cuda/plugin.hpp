// What the parts of the plug-in share: what the core lent, the devices, and how errors leave.
#pragma once

#include "core/plugin.hpp"
#include "cuda/runtime.hpp"

#include <new>
#include <optional>
#include <string>
#include <vector>

#if !defined(TRIGON_CUDA_NAME)
#define TRIGON_CUDA_NAME "cuda"
#endif

namespace trigon::cuda::plugin {

/// What the core lent; set once, before anything else is called.
extern const core::Host* host;

/// What the runtime said when it was first asked.
struct Found {
  std::vector<std::string> devices;
  std::string why;  ///< there is none
};
const Found& found();

/// Why none of them can be used, as far as they tell without being opened, or "".
std::string why_none();

/// The number of the device that `name` means: a number, or a part of its name; "" is any. Of several it is the first
/// that can be used; where there is none, throws failure, which says why.
int device_number(const std::string& name);

/// That of operands in the host's memory.
inline int host_device() { return device_number(host->environment.device_of(TRIGON_CUDA_NAME)); }

/// Whether general products go to cuBLAS, and why. Opened on first use, for `device`: without one, for that of host
/// operands.
struct Provider {
  core::ProviderUse use = core::ProviderUse::Never;
  std::string words;
};
const Provider& provider(std::optional<int> device = {});

/// The queues of the table: the caller's streams and new ones, as cuda::Queue, and device memory.
extern const core::Queues queues;

/// Runs `work`; what it throws becomes a status and words.
template <class Work>
core::Status guarded(const core::Message& message, Work&& work) {
  try {
    work();
    return core::Status::Success;
  } catch (const failure& f) {
    message(f.what());
    return f.status;
  } catch (const std::bad_alloc&) {
    message("the host is out of memory");
    return core::Status::OutOfMemory;
  } catch (const std::exception& e) {
    message(e.what());
    return core::Status::DeviceError;
  }
}

}  // namespace trigon::cuda::plugin
