// The threads: one small pool, started on first use, that nobody waits for in vain.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

namespace trigon::cpu {

/// Threads that one call may use, and why: TRIGON_NUM_THREADS, else the affinity mask, lowered by
/// OMP_NUM_THREADS; one inside an OpenMP parallel region.
struct ThreadLimit {
  int threads;
  std::string why;
};
const ThreadLimit& thread_limit();
int threads_now();

using Work = void (*)(void* context, int part);

/// Calls work(context, part) for every part in [0, parts), on the caller and on idle workers. A busy pool
/// means the caller works alone: calls never wait for each other. Survives fork; creates nothing per call.
void run_parts(int parts, Work work, void* context);

template <class F> void parallel(int parts, F&& f) {
  using Body = std::remove_reference_t<F>;
  if (parts == 1) return f(0);
  run_parts(parts, [](void* context, int part) { (*static_cast<Body*>(context))(part); }, std::addressof(f));
}

}  // namespace trigon::cpu
