// Threads that share a chain of blocks and meet at none of them.
#pragma once

#include "cpu/pool.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

namespace trigon::cpu {

/// Which rounds may begin, and how far each thread but the first has come. What a thread has not begun when the first
/// one needs it, the first one does itself: a late thread, or none, costs no waiting.
class Rounds {
 public:
  static constexpr int most_threads = 64;  ///< more would have too little each

  /// Rounds before `end` may begin; for the first thread.
  void open(int end) { open_.store(end, std::memory_order_release); }

  /// Part `part` of every round, f(round, part), each after the round before it of all parts.
  template <class F>
  void follow(int threads, int part, int rounds, const F& f) {
    for (int round = 0; round < rounds; ++round) {
      await(open_, round + 1);
      for (int other = 1; other < threads; ++other)
        if (other != part) await(parts_[other].state, 2 * round);
      take(part, round, f);
    }
  }

  /// Returns when all parts of a round but the first are done; for the first thread.
  template <class F>
  void finish(int threads, int round, const F& f) {
    for (int part = 1; part < threads; ++part)
      if (!take(part, round, f)) await(parts_[part].state, 2 * (round + 1));
  }

 private:
  /// Unless somebody else has.
  template <class F>
  bool take(int part, int round, const F& f) {
    std::atomic<int>& state = parts_[part].state;
    int next = 2 * round;
    if (!state.compare_exchange_strong(next, 2 * round + 1, std::memory_order_acq_rel)) return false;
    f(round, part);
    state.store(2 * round + 2, std::memory_order_release);
    return true;
  }

  static void await(const std::atomic<int>& value, int least) {
    for (int spins = 1; value.load(std::memory_order_acquire) < least; ++spins) linger(spins);
  }

  static constexpr std::size_t line = 64;
  struct alignas(line) Part {
    std::atomic<int> state{0};  ///< twice the rounds that are done, and one while the next is
  };
  alignas(line) std::atomic<int> open_{0};
  std::array<Part, most_threads> parts_;
};

/// A triangle that is solved block after block, of `width` rows but for the last one. If its columns are contiguous,
/// what a block does to the rows after it comes from those; else what its rows get comes from rows.
struct Blocks {
  index n, width;
  bool by_columns;

  int count() const { return static_cast<int>((n + width - 1) / width); }
  /// How many times there is something worth sharing.
  int rounds() const {
    constexpr index worth = 64;  ///< rows, of columns that are shared
    const index most = by_columns ? (n - worth) / width - 1 : count() - 2;
    return static_cast<int>(std::max<index>(0, most));
  }
  index begin(int k) const { return k * width; }
  index end(int k) const { return std::min(n, begin(k) + width); }
};

/// Solves them on threads. The first one brings block k up to date with block k - 1 and solves it: solve(k). Shared is
/// what block j then does to those after j + 1 (by columns), or what blocks up to j do to block j + 2 (by rows):
/// carry(j, part, threads) comes after solve(j) and after carry(j - 1, ...) of all threads but the first, and before
/// solve(j + 2). So the first thread is a block ahead, and the others find something to do. Where nothing is worth
/// sharing, carry(j, 0, 1) is all of it.
///
/// What others wrote in carry(j - 1, ...) the first one may take over in carry(j, ...), but not the other way round.
template <class Solve, class Carry>
void in_rounds(const Blocks& blocks, int threads, const Solve& solve, const Carry& carry) {
  const int rounds = blocks.rounds();
  threads = std::min(threads, Rounds::most_threads);
  Rounds all;
  const auto share = [&](int round, int part) { carry(round, part, threads); };
  parallel(rounds > 0 ? threads : 1, [&](int part) {
    if (part != 0) return all.follow(threads, part, rounds, share);
    for (int k = 0; k < blocks.count(); ++k) {
      if (k >= 2 && k - 2 < rounds) all.finish(threads, k - 2, share);
      solve(k);
      if (k < rounds) all.open(k + 1);
      if (k >= 1) carry(k - 1, 0, k - 1 < rounds ? threads : 1);
    }
  });
}

/// A thread's part of `lines` lines of `length` elements, in multiples of `grain`. The first thread has so many less as
/// it has another square of order `width` to do, and half a square, which takes as long.
inline std::pair<index, index> share_beside_block(index lines, index length, index width, int threads, int part,
                                                  index grain) {
  if (threads == 1) return {0, lines};
  const double other = 2 * static_cast<double>(width * width) / static_cast<double>(length);
  const double fair = (static_cast<double>(lines) + other) / threads - other;
  const index own =
      std::clamp<index>(static_cast<index>(fair + 0.5 * static_cast<double>(grain)) / grain * grain, 0, lines);
  if (part == 0) return {0, own};
  const auto [first, size] = share(lines - own, threads - 1, part - 1, grain);
  return {own + first, size};
}

}  // namespace trigon::cpu
