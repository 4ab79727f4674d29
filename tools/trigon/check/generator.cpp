#include "trigon/check/generator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trigon/bench/variants.hpp"

namespace trigon::selftest {
namespace {

bool is_real(Precision p) { return p == Precision::Single || p == Precision::Double; }
bool rank_update(Operation op) { return op >= Operation::Syrk && op <= Operation::Her2k; }
bool sided(Operation op) { return bench::has(op, Argument::Side); }

std::complex<double> scalar(Dice& dice, const Call& c) {
  constexpr double values[] = {1, 1, -1, 0, 0.5, -1.75, 0.375};
  const double re = dice.any(values);
  const bool one_or_zero = re == 1 || re == 0;
  return {re, is_real(c.precision) || (one_or_zero && !dice.one_in(4)) ? 0 : dice.any(values)};
}

/// Short and long ones, and the multiples of 512 elements where caches collide.
index leading(index least, Dice& dice) {
  constexpr index paddings[] = {0, 0, 1, 3, 8};
  least = std::max<index>(least, 1);
  return dice.one_in(24) ? (least + 511) / 512 * 512 : least + dice.any(paddings);
}

}  // namespace

std::uint64_t Dice::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

Generator::Generator(const CaseOptions& options) : options_(options) {
  for (const Operation op : options_.operations)
    for (const Precision p : bench::precisions_of(op, options_.precisions))
      for (const std::string& letters : bench::variants(op, p))
        for (const Layout layout : {Layout::ColMajor, Layout::RowMajor}) {
          Call c;
          c.operation = op, c.precision = p, c.layout = layout;
          bench::apply(c, letters);
          combinations_.push_back(c);
        }
  Dice dice(options_.seed);
  for (std::size_t i = combinations_.size(); i > 1; --i) std::swap(combinations_[i - 1], combinations_[dice.below(i)]);
}

/// Sizes around the edges of vectors, register tiles and packed blocks are as likely as all others.
index Generator::size(Dice& dice) const {
  constexpr index edges[] = {4, 6, 8, 12, 14, 16, 24, 28, 32, 48, 64, 96, 120, 128, 144, 192, 240, 256, 384, 512};
  const index most = options_.max_size;
  if (options_.large) return dice.between(std::min<index>(96, most), most);
  switch (dice.below(16)) {
    case 0: return std::min(dice.between(0, 2), most);
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6: return dice.between(1, std::min<index>(40, most));
    case 7:
    case 8:
    case 9:
    case 10:
    case 11: {
      std::size_t fitting = 0;
      while (fitting < std::size(edges) && edges[fitting] + 1 <= most) ++fitting;
      if (fitting > 0) return edges[dice.below(fitting)] + dice.between(-1, 1);
      [[fallthrough]];
    }
    default: {
      const double unit = static_cast<double>(dice.next() >> 11) * 0x1p-53;
      return std::clamp<index>(std::lround(std::exp(unit * std::log(static_cast<double>(most) + 0.5))), 1, most);
    }
  }
}

void Generator::set_sizes(Call& c, Dice& dice) const {
  const index few = dice.between(1, std::min<index>(options_.max_size, 24));
  c.m = size(dice), c.n = size(dice), c.k = size(dice);
  if (dice.one_in(3)) {
    // Few right-hand sides: paths of their own.
    if (rank_update(c.operation) || c.operation == Operation::Gemm)
      c.k = few;
    else
      (c.side == Side::Left ? c.n : c.m) = few;
  }
  if (bench::is_vector(c.operation)) c.n = size(dice);
}

Case Generator::at(std::uint64_t number) const {
  Dice dice(options_.seed ^ (number + 1) * 0xd1342543de82ef95u);
  Case result;
  Call& c = result.call;
  c = combinations_[number % combinations_.size()];
  set_sizes(c, dice);
  if (!bench::has(c.operation, Argument::M)) c.m = 0;
  if (!bench::has(c.operation, Argument::K)) c.k = 0;
  // For real types the conjugate transpose is the transpose: callers use both.
  if (is_real(c.precision) && c.transa == Op::Trans && dice.one_in(3)) c.transa = Op::ConjTrans;
  c.alpha = scalar(dice, c), c.beta = scalar(dice, c);
  if (c.operation == Operation::Herk) c.alpha = c.alpha.real();
  if (c.operation == Operation::Herk || c.operation == Operation::Her2k) c.beta = c.beta.real();
  if (bench::is_vector(c.operation)) {
    constexpr index increments[] = {1, 1, 1, -1, 2, -3, 7};
    c.incx = dice.any(increments);
    c.alpha = 1;
  }
  for (const auto& [operand, ld] : {std::pair{Argument::A, &c.lda}, {Argument::B, &c.ldb}, {Argument::C, &c.ldc}}) {
    if (operand == Argument::A || bench::has(c.operation, operand)) {
      const Extent e = extent(c, operand);
      *ld = leading(c.layout == Layout::ColMajor ? e.rows : e.cols, dice);
    }
  }

  OperandOptions& o = result.operands;
  o.seed = dice.next() >> 16;
  o.place = dice.one_in(2) ? GuardedMemory::Place::EndsAtGuard : GuardedMemory::Place::StartsAtGuard;
  if (dice.one_in(2)) o.shift = dice.below(8) * bench::element_size(c.precision);
  // Its right-hand sides come from the oracle, which is slow.
  o.ill_conditioned = dice.one_in(4) && flops(c) < 3e6;
  if (options_.device)
    result.door = bench::Entry::Device;
  else if (options_.drop_in && dice.one_in(3))
    result.door = dice.one_in(2) ? bench::Entry::Fortran : bench::Entry::Cblas;
  return result;
}

}  // namespace trigon::selftest
