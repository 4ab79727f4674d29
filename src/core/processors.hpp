// Defaults of the tuning table that depend on the processor, as far as they have been measured.
#pragma once

#include "core/tuning.hpp"

namespace trigon::core {

/// Whose it is, and its vectors: 512 bits in thirty-two registers, or at most 256 bits in sixteen. Zen 4 carries those
/// of 512 bits out in `halves`: loads keep up with multiply-adds of which each has one. A second cache of 2 MiB is a
/// `large_cache`.
struct Processor {
  bool avx512 = false, avx2_alone = false, intel = false, amd = false, halves = false, large_cache = false;
};

Processor this_processor();

/// The built-in table with that processor's values.
Tuning tuning_of(const Processor&);

}  // namespace trigon::core
