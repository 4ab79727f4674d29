// Values that are made when they are first asked for, and never destroyed: calls may still come from other libraries'
// exit handlers.
#pragma once

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
  if (!made.load(std::memory_order_acquire)) [[unlikely]]
    std::call_once(flag, [&] {
      new (room) Value(make());
      made.store(true, std::memory_order_release);
    });
  return *std::launder(reinterpret_cast<const Value*>(room));
}

}  // namespace trigon::core
