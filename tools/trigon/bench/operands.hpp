// The operands of one benchmark row: every implementation works on the same memory.
#pragma once

#include <trigon/call.hpp>

#include <cstdint>
#include <memory>

namespace trigon::bench {

/// Memory and values for the operands of a call, aligned to cache lines and not to pages.
///
/// Values are such that a solve or product can be repeated on its own result without overflow or
/// subnormals, which would change its speed: diagonals have modulus 1 ± 0.001 and what is off the
/// diagonal is small against the order.
class Operands {
 public:
  /// `shape` has sizes, leading dimensions and flags; its pointers are ignored.
  Operands(const Call& shape, std::uint64_t seed);

  /// The call with its operands; what it overwrites is the working copy.
  const Call& call() const { return call_; }
  /// The call as it was before: the overwritten operand is the pristine one.
  const Call& before() const { return before_; }
  const void* result() const { return result_.get(); }

  /// Makes the overwritten operand what it was before the first call.
  void restore();
  /// Evicts all operands from the caches.
  void flush() const;

 private:
  struct Free {
    void operator()(void* p) const;
  };
  using Memory = std::unique_ptr<void, Free>;
  struct Buffer {
    Memory memory;
    std::size_t bytes = 0;
  };
  Buffer make(Argument operand, int slot);

  Call call_, before_;
  std::uint64_t seed_;
  Buffer a_, b_, c_;
  Memory result_;
  std::size_t result_bytes_ = 0;
};

/// Elements an operand occupies, from its first to its last.
std::size_t storage(const Call&, Argument operand);
std::size_t element_size(Precision);
/// Bytes that the call must touch at least once.
double footprint(const Call&);
/// Whether the operation overwrites b (else c).
bool overwrites_b(Operation);
bool is_vector(Operation);
bool has(Operation, Argument);

}  // namespace trigon::bench
