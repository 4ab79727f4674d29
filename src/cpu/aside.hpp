// Where a worker that sleeps may be woken.
#pragma once

#include <sched.h>
#include <unistd.h>

#include <mutex>

namespace trigon::cpu {

/// Keeps a worker that sleeps away from the caller's processor. Else it may be woken there, behind the caller, while
/// another one is idle: in a virtual machine that was the rule, and milliseconds of calls were done alone. One for each
/// worker, made by it. A worker whose processors someone has chosen since is left where that one wants it.
class Aside {
 public:
  Aside() : thread_(gettid()), known_(sched_getaffinity(0, sizeof all_, &all_) == 0) {}
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

  /// By the worker, which is about to sleep.
  void begin(int processor) {
    const std::lock_guard lock(changing_);
    // Not from what it may use now: whoever lends it to one processor for a moment would have it bound there for ever.
    if (known_ && may_use(all_)) keep_from(processor);
  }

  /// By a caller that is about to wake the worker, if it sleeps: callers are moved, too.
  void follow(int processor) {
    // A worker that is changing its own is not asleep.
    const std::unique_lock lock(changing_, std::try_to_lock);
    if (lock && avoided_ != none && avoided_ != processor && may_use(others_)) keep_from(processor);
  }

  /// By the worker, awake.
  void end() {
    const std::lock_guard lock(changing_);
    if (avoided_ != none && may_use(others_)) sched_setaffinity(thread_, sizeof all_, &all_);
    avoided_ = none;
  }

  Aside* next = nullptr;  ///< of the workers of a pool

 private:
  static constexpr int none = -1;

  /// Whether its processors are these, which someone else may have changed.
  bool may_use(const cpu_set_t& set) const {
    cpu_set_t now;
    return sched_getaffinity(thread_, sizeof now, &now) == 0 && CPU_EQUAL(&now, &set);
  }

  void keep_from(int processor) {
    cpu_set_t others = all_;
    CPU_CLR(static_cast<unsigned>(processor), &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(thread_, sizeof others, &others) != 0) return;
    others_ = others;
    avoided_ = processor;
  }

  const pid_t thread_;
  cpu_set_t all_, others_;
  const bool known_;
  std::mutex changing_;
  int avoided_ = none;
};

}  // namespace trigon::cpu
