// The trace (one replayable line per call), the report at exit, and the counts behind both.
#pragma once

#include "core/plan.hpp"

#include <trigon/call.hpp>

#include <atomic>

namespace trigon::core {

/// Whether calls must be observed: one relaxed load on the path of every call, once it has been looked up.
enum class Observed : signed char { Unknown, No, Yes };
inline std::atomic<Observed> observed{Observed::Unknown};
bool look_up_observed();
inline bool observing() {
  const Observed now = observed.load(std::memory_order_relaxed);
  if (now == Observed::No) [[likely]]
    return false;
  return now == Observed::Unknown ? look_up_observed() : true;
}
void observe(bool on);

/// One finished call. Where there is no memory to keep that, it is not kept.
void note(const Call&, const Plan&, double seconds) noexcept;

/// One block handed to a provider's GEMM.
void note_provider_gemm();

double now();  ///< seconds, monotonic

}  // namespace trigon::core
