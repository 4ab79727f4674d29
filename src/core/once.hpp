// Values that are made when they are first asked for, and never destroyed: calls may still come from other libraries'
// exit handlers.
#pragma once

#include "core/uncancelled.hpp"

#include <atomic>
#include <mutex>
#include <new>
#include <type_traits>

namespace trigon::core {

/// What `make` returned when it was called for the first time; a lambda has one such value. Not a static variable
/// of a function: where a fork interrupts another thread that makes it, the child would wait for that thread for ever.
/// pthread_once beneath call_once starts over there.
template <class Make>
[[gnu::always_inline]] inline const std::invoke_result_t<Make>& once(const Make& make) {
  using Value = std::invoke_result_t<Make>;
  static_assert(std::is_class_v<Make>, "functions of one type would share a value");
  static constinit std::atomic<bool> made{false};
  static constinit std::once_flag flag;
  alignas(Value) static constinit unsigned char room[sizeof(Value)]{};
  if (!made.load(std::memory_order_acquire)) [[unlikely]] {
    const Uncancelled now;
    std::call_once(flag, [&] {
      new (room) Value(make());
      made.store(true, std::memory_order_release);
    });
  }
  return *std::launder(reinterpret_cast<const Value*>(room));
}

/// The same for what a library has to be loaded for. Nobody waits for another thread, which might wait for the loader's
/// lock while this one, in a constructor of a library that is being loaded, has it: of several values that are made at
/// once the first one stays.
template <class Make>
const std::invoke_result_t<Make>& first_of(const Make& make) {
  using Value = std::invoke_result_t<Make>;
  static_assert(std::is_class_v<Make>, "functions of one type would share a value");
  static constinit std::atomic<const Value*> first{nullptr};
  const Value* found = first.load(std::memory_order_acquire);
  if (found) return *found;
  const Uncancelled now;
  const Value* const mine = new Value(make());
  if (first.compare_exchange_strong(found, mine, std::memory_order_acq_rel)) return *mine;
  delete mine;
  return *found;
}

}  // namespace trigon::core
