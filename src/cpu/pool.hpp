// The threads: one small pool, started on first use, that nobody waits for in vain.
#pragma once

#include <trigon/types.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace trigon::cpu {

/// Threads that one call may use, and why: TRIGON_NUM_THREADS, else the main thread's affinity mask, lowered by
/// OMP_NUM_THREADS; one inside an OpenMP parallel region.
struct ThreadLimit {
  int threads;
  std::string why;
};
/// Null before it is asked for, and again in the child of a fork, which may have other processors.
extern std::atomic<const ThreadLimit*> limit_in_force;
const ThreadLimit& find_thread_limit();
inline const ThreadLimit& thread_limit() {
  const ThreadLimit* const known = limit_in_force.load(std::memory_order_acquire);
  return known ? *known : find_thread_limit();
}
int threads_now();

using Work = void (*)(void* context, int part);

/// Calls work(context, part) for every part in [0, parts), on the caller and on idle workers. A busy pool
/// means the caller works alone: calls never wait for each other. Survives fork; creates nothing per call.
void run_parts(int parts, Work work, void* context);

template <class F>
void parallel(int parts, F&& f) {
  using Body = std::remove_reference_t<F>;
  if (parts == 1) return f(0);
  run_parts(
      parts, [](void* context, int part) { (*static_cast<Body*>(context))(part); }, std::addressof(f));
}

/// A moment of waiting, the `spins`-th. Others may need this processor, the one that is waited for among them.
void linger(int spins);

/// How rows or columns lie that are divided: contiguous in memory; far apart, and broadcast or few at a time in tiles
/// of products; or far apart, but packed to vectors as the right-hand sides of a solve are.
enum class Division { Contiguous, Apart, InVectors };

/// What n rows or columns are divided in multiples of. Rows of tiles: eight, or four of complex numbers. Elements of
/// vectors: eight, or more if shares then differ by less than an eighth. Not whole register tiles: a tile with fewer
/// vectors at the end of each share takes less time than half a tile that one thread has too many. Contiguous shares
/// end with a line of a cache, which would move to and fro between two threads (with vectors of half a line, only if
/// shares are short, since lines divide less evenly), and with a vector where the last one does.
template <class T>
index share_grain(index n, int parts, Division division, int lanes) {
  constexpr index least = 8, line = 64 / sizeof(T), longest = 64 / sizeof(real_t<T>), few = 64;
  if (division == Division::Apart) return is_complex<T> ? least / 2 : least;
  const index even = std::clamp<index>(n / (8 * parts) / 8 * 8, least, longest);
  if (division == Division::InVectors) return even;
  const index whole = lanes >= line || n < few * parts ? line : least;
  return std::max({n % lanes == 0 ? index{lanes} : even, whole, least});
}

/// Part `part` of [0, n): where it begins and how much it is, in multiples of `grain`.
inline std::pair<index, index> share(index n, int parts, int part, index grain) {
  const index each = ((n + parts - 1) / parts + grain - 1) / grain * grain;
  const index begin = std::min(n, part * each);
  return {begin, std::min(each, n - begin)};
}

/// Where band `part` of the rows of a lower triangle of order n begins and ends: each has as much of it. In multiples
/// of 16, but for the last one.
inline std::pair<index, index> equal_band(index n, int parts, int part) {
  const auto edge = [&](int p) {
    const index rows = static_cast<index>(static_cast<double>(n) * std::sqrt(static_cast<double>(p) / parts));
    return p == parts ? n : rows / 16 * 16;
  };
  return {edge(part), edge(part + 1)};
}

/// f(begin, size) for shares of [0, n), at most `parts` of them and none empty.
template <class F>
void in_shares(int parts, index n, index grain, const F& f) {
  const index most = (n + grain - 1) / grain;
  parts = static_cast<int>(std::min<index>(parts, most));
  if (parts == 0) return;
  parallel(parts, [&](int part) {
    const auto [begin, size] = share(n, parts, part, grain);
    if (size > 0) f(begin, size);
  });
}

}  // namespace trigon::cpu
