// The dependency-chain floor of a triangular solve on a device: what is left of it when there is nothing to read.
#pragma once

#include "device.hpp"

namespace trigon::gpu {

/// A chain of links, each of which waits for the one before by a flag in device memory, multiplies 32 entries of that
/// by a tile that it has in registers, solves a triangle of 32 rows that it has in shared memory, and passes on the
/// result: what no solve in tiles of 32 rows can do without.
class RelayRace {
 public:
  /// precision: s, d, c or z.
  RelayRace(char precision, int links);
  /// Enqueues it on stream().
  void run() const;
  /// Whether the last run, which has ended, passed on what it should.
  bool right() const;

 private:
  char precision_;
  int links_;
  Memory control_, x_;
};

}  // namespace trigon::gpu
