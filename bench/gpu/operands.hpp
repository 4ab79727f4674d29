// Host operands of a call and their place on the device.
#pragma once

#include "device.hpp"

#include <trigon/call.hpp>
#include <trigon/verify.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace trigon::gpu {

/// Elements that an operand spans, from its first to its last.
inline std::size_t span_of(const Call& c, Argument operand) {
  if (operand == Argument::X) return static_cast<std::size_t>((c.n - 1) * std::abs(c.incx) + 1);
  const Extent e = extent(c, operand);
  const index inner = c.layout == Layout::ColMajor ? e.rows : e.cols,
              outer = c.layout == Layout::ColMajor ? e.cols : e.rows;
  const index ld = operand == Argument::A ? c.lda : operand == Argument::B ? c.ldb : c.ldc;
  return inner > 0 && outer > 0 ? static_cast<std::size_t>((outer - 1) * ld + inner) : 0;
}

inline bool has(const Call& c, Argument operand) {
  for (const Argument a : parameters(c.operation))
    if (a == operand) return true;
  return false;
}

/// Calls work(from, to) for pieces of [0, count), which do not depend on how many threads there are.
template <class Work>
void in_pieces(std::size_t count, const Work& work) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::atomic<std::size_t> next{0};
  const auto some = [&] {
    for (std::size_t from; (from = next++ * piece) < count;) work(from, std::min(count, from + piece));
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < std::min<std::size_t>(std::thread::hardware_concurrency(), count / piece); ++i)
    others.emplace_back(some);
  some();
  for (std::thread& t : others) t.join();
}

/// Seeded operands of one call, on the host and on the device. Triangles are well-conditioned.
class Problem {
 public:
  Problem(const Call& call, std::uint64_t seed) : host_(call), device_(call) {
    size_ = with_type(call.precision, [](auto zero) { return sizeof zero; });
    const Argument second = has(call, Argument::X) ? Argument::X : Argument::B;
    if (has(call, Argument::A)) host_.a = make(a_, Argument::A, seed), device_.a = on_a_->address();
    if (has(call, second)) host_.b = make(b_, second, seed + 1), device_.b = on_b_->address();
    if (has(call, Argument::C)) host_.c = make(c_, Argument::C, seed + 2), device_.c = on_c_->address();
    const bool in_b = call.operation >= Operation::Trmm;
    on_result_ = in_b ? on_b_.get() : on_c_.get();
    fresh_ = std::make_unique<Memory>(on_result_->bytes());
    copy(fresh_->address(), on_result_->address(), on_result_->bytes());
  }

  /// The call on device addresses, and the same on the operands as they were made.
  const Call& device() const { return device_; }
  const Call& host() const { return host_; }

  /// Puts the overwritten operand back.
  void restore() const { copy(on_result_->address(), fresh_->address(), on_result_->bytes()); }

  std::vector<std::byte> result() const {
    std::vector<std::byte> bytes(on_result_->bytes());
    download(bytes.data(), on_result_->address(), bytes.size());
    return bytes;
  }

 private:
  using Bytes = std::unique_ptr<std::byte[]>;

  void* make(Bytes& memory, Argument operand, std::uint64_t seed) {
    const std::size_t bytes = span_of(host_, operand) * size_;
    memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
    with_type(host_.precision, [&]<class T>(T) {
      using R = real_t<T>;
      R* const numbers = reinterpret_cast<R*>(memory.get());
      const std::size_t count = bytes / sizeof(R);
      const bool triangle = operand == Argument::A && host_.operation >= Operation::Trmm;
      const double order = static_cast<double>(std::max<index>(1, extent(host_, Argument::A).rows));
      const R most = static_cast<R>(triangle ? 1 / order : 1);
      in_pieces(count, [&](std::size_t from, std::size_t to) {
        std::uint64_t state = (seed + 0x632be59bd9b4e019u * (from + 1)) * 0x9e3779b97f4a7c15u + 1;
        for (std::size_t i = from; i < to; ++i) {
          state = state * 6364136223846793005u + 1442695040888963407u;
          numbers[i] = most * static_cast<R>(static_cast<double>(state >> 11) * 0x1p-52 - 1);
        }
      });
      if (triangle)
        for (index i = 0; i < extent(host_, Argument::A).rows; ++i)
          reinterpret_cast<T*>(memory.get())[i * (host_.lda + 1)] += T(2);
    });
    auto& there = operand == Argument::A ? on_a_ : operand == Argument::C ? on_c_ : on_b_;
    there = std::make_unique<Memory>(bytes);
    upload(there->address(), memory.get(), bytes);
    return memory.get();
  }

  Call host_, device_;
  std::size_t size_ = 0;
  Bytes a_, b_, c_;
  std::unique_ptr<Memory> on_a_, on_b_, on_c_, fresh_;
  const Memory* on_result_ = nullptr;
};

}  // namespace trigon::gpu
