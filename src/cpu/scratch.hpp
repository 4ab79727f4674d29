// Memory for packing: one growing block per thread, kept between calls.
#pragma once

#include <cstddef>

namespace trigon::cpu {

/// At least `bytes`, aligned to a page; null if there is no memory. Valid until the next call on this
/// thread. `slot` names one of the blocks that a kernel needs at the same time.
void* scratch(int slot, std::size_t bytes) noexcept;
inline constexpr int scratch_slots = 4;

template <class R>
R* scratch(int slot, std::size_t count) noexcept {
  return static_cast<R*>(scratch(slot, count * sizeof(R)));
}

}  // namespace trigon::cpu
