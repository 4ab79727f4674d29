// Loading libraries while other threads fork.
#pragma once

#include "core/once.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

#include <atomic>

namespace trigon::core {

/// RTLD_DEEPBIND, which binds a library to itself first, or nothing in programs built with a sanitizer, which refuse to
/// load a library so.
inline int bound_to_itself() {
  for (const char* there : {"__asan_init", "__tsan_init", "__msan_init"})
    if (dlsym(RTLD_DEFAULT, there)) return 0;
  return RTLD_DEEPBIND;
}

/// A library is loaded as long as one of these lives. Forks of other threads wait for it: in a child, to which only the
/// thread that forks goes over, the loader would take the library for loaded, although its constructors never ran. Not
/// for ever: a thread that loads may wait for one that forks (in a constructor, with the loader's lock).
class Loading {
 public:
  Loading() {
    once([] { return pthread_atfork(before_fork, after_fork, after_fork_in_child); });
    if (mine++ > 0) return;
    // Who sees the other one first waits; a fork that both have seen is over when its turn comes.
    if (++threads, forks > 0) --threads, wait_for(forks), ++threads;
  }
  ~Loading() {
    if (--mine == 0) --threads;
  }
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

  /// Whether this thread loads one.
  static bool here() { return mine > 0; }

 private:
  static constexpr int most_milliseconds = 2000;

  static void wait_for(const std::atomic<int>& none) {
    for (int i = 0; none.load() > 0 && i < most_milliseconds; ++i) {
      const timespec millisecond{0, 1'000'000};
      nanosleep(&millisecond, nullptr);
    }
  }
  static void before_fork() {
    ++forks;
    if (mine == 0) wait_for(threads);
  }
  static void after_fork() { --forks; }
  static void after_fork_in_child() { forks = 0, threads = mine > 0; }

  static inline std::atomic<int> threads{0}, forks{0};
  static inline thread_local int mine = 0;
};

}  // namespace trigon::core
