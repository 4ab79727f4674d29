// The trace (one replayable line per call), the report at exit, and the counts behind both.
#pragma once

#include "core/plan.hpp"

#include <trigon/call.hpp>

namespace trigon::core {

/// Whether calls must be observed: one relaxed load on the path of every call.
bool observing();
void observe(bool on);

/// One finished call.
void note(const Call&, const Plan&, double seconds);

/// One block handed to a provider's GEMM.
void note_provider_gemm();

double now();  ///< seconds, monotonic

}  // namespace trigon::core
