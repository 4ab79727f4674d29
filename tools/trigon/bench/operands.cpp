#include "trigon/bench/operands.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace trigon::bench {
namespace {

struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
  }
  /// Uniform in (-1, 1), never tiny: a value near the subnormals would be a different benchmark.
  float uniform() {
    const auto bits = static_cast<std::int32_t>(next() >> 33);  // 31 bits
    return (static_cast<float>(bits) + 0.5f) * 0x1p-30f - 1.0f;
  }
};

template <class T>
void fill(T* data, std::size_t count, Random random, real_t<T> scale) {
  auto* reals = reinterpret_cast<real_t<T>*>(data);
  for (std::size_t i = 0; i < count * (sizeof(T) / sizeof(real_t<T>)); ++i) reals[i] = scale * random.uniform();
}

template <class T>
T unit_modulus(Random& random) {
  const real_t<T> modulus = 1 + real_t<T>(1e-3) * random.uniform();
  if constexpr (is_complex<T>) return std::polar(modulus, real_t<T>(3.14159265) * random.uniform());
  return random.uniform() < 0 ? -modulus : modulus;
}

bool is_triangular(Operation op) {
  return op == Operation::Trmm || op == Operation::Trsm || op == Operation::Trmv || op == Operation::Trsv;
}

constexpr std::size_t line = 64;

}  // namespace

bool overwrites_b(Operation op) { return is_triangular(op); }
bool is_vector(Operation op) { return op == Operation::Trmv || op == Operation::Trsv; }
bool has(Operation op, Argument operand) { return position(op, operand, false) != 0; }

std::size_t element_size(Precision p) {
  return with_type(p, [](auto t) { return sizeof t; });
}

namespace {

/// Elements of `lines` lines, `ld` apart. What no memory holds is not there, however the number would wrap around.
std::size_t stored(index length, index lines, index ld) {
  constexpr index most = index{1} << 56;
  index before = 0, all = 0;
  if (__builtin_mul_overflow(lines - 1, ld, &before) || __builtin_add_overflow(before, length, &all) || all > most)
    throw std::bad_alloc();
  return static_cast<std::size_t>(all);
}

}  // namespace

std::size_t storage(const Call& call, Argument operand) {
  const Extent e = extent(call, operand);
  if (e.rows <= 0 || e.cols <= 0) return 0;
  if (operand == Argument::X || (operand == Argument::B && is_vector(call.operation)))
    return stored(1, e.rows, std::abs(call.incx));
  const index ld = operand == Argument::A ? call.lda : operand == Argument::B ? call.ldb : call.ldc;
  const bool columns = call.layout == Layout::ColMajor;
  return stored(columns ? e.rows : e.cols, columns ? e.cols : e.rows, ld);
}

double footprint(const Call& call) {
  const Operation op = call.operation;
  const auto elements = [&](Argument operand) {
    const Extent e = extent(call, operand);
    return static_cast<double>(e.rows) * static_cast<double>(e.cols);
  };
  const bool half_a = is_triangular(op) || op == Operation::Symm || op == Operation::Hemm;
  double touched = elements(Argument::A) * (half_a ? 0.5 : 1);
  if (has(op, Argument::B) || is_vector(op)) touched += elements(Argument::B);
  if (has(op, Argument::C)) touched += elements(Argument::C) * (has(op, Argument::M) ? 1 : 0.5);
  return touched * static_cast<double>(element_size(call.precision));
}

void Operands::Free::operator()(void* p) const {
  // The slot's offset from the allocation is within its first page.
  std::free(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(p) & ~std::uintptr_t{4095}));
}

namespace {

/// Page-aligned memory entered at a different cache line per slot, so that operands of one
/// size do not all fall on the same cache sets.
void* allocate(std::size_t bytes, int slot) {
  const std::size_t offset = static_cast<std::size_t>(slot) * 11 * line;
  auto* base = static_cast<char*>(std::aligned_alloc(4096, (bytes + offset + 8191) / 4096 * 4096));
  if (!base) throw std::bad_alloc();
  return base + offset;
}

}  // namespace

Operands::Buffer Operands::make(Argument operand, int slot) {
  const std::size_t count = storage(call_, operand);
  Buffer buffer{Memory(allocate(count * element_size(call_.precision), slot)), count * element_size(call_.precision)};
  Random random{seed_ * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(slot) * 0xBF58476D1CE4E5B9u + 1};
  for (int i = 0; i < 8; ++i) random.next();
  const index order = extent(call_, Argument::A).rows;
  const bool triangle = operand == Argument::A && is_triangular(call_.operation);
  with_type(call_.precision, [&](auto zero) {
    using T = decltype(zero);
    auto* data = static_cast<T*>(buffer.memory.get());
    fill(data, count, random, triangle ? real_t<T>(0.5) / static_cast<real_t<T>>(order + 1) : real_t<T>(1));
    if (triangle)
      for (index i = 0; i < order; ++i) data[i * (call_.lda + 1)] = unit_modulus<T>(random);
  });
  return buffer;
}

Operands::Operands(const Call& shape, std::uint64_t seed) : call_(shape), seed_(seed) {
  const bool in_place = overwrites_b(shape.operation);
  a_ = make(Argument::A, 1);
  if (has(shape.operation, Argument::B) || is_vector(shape.operation)) b_ = make(Argument::B, 2);
  if (has(shape.operation, Argument::C)) c_ = make(Argument::C, 3);
  const Buffer& written = in_place ? b_ : c_;
  result_bytes_ = written.bytes;
  result_ = Memory(allocate(result_bytes_, 4));
  call_.a = a_.memory.get(), call_.b = b_.memory.get(), call_.c = c_.memory.get();
  before_ = call_;
  (in_place ? call_.b : call_.c) = result_.get();
  restore();
}

void Operands::restore() {
  const Buffer& written = overwrites_b(call_.operation) ? b_ : c_;
  if (result_bytes_) std::memcpy(result_.get(), written.memory.get(), result_bytes_);
}

namespace {

void evict(const void* data, std::size_t bytes) {
#if defined(__x86_64__)
  const auto* p = static_cast<const char*>(data);
  for (std::size_t i = 0; i < bytes; i += line) _mm_clflush(p + i);
  _mm_mfence();
#else
  (void)data, (void)bytes;
#endif
}

}  // namespace

void Operands::flush() const {
#if defined(__x86_64__)
  evict(call_.a, a_.bytes);
  if (has(call_.operation, Argument::C)) evict(call_.b, b_.bytes);
  evict(result_.get(), result_bytes_);
#else
  // No portable eviction: read and write more than any cache holds.
  static std::vector<char> other(std::size_t{256} << 20);
  for (std::size_t i = 0; i < other.size(); i += line) other[i] = static_cast<char>(other[i] + 1);
#endif
}

}  // namespace trigon::bench
