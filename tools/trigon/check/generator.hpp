// Cases without end, each a pure function of the seed and its number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trigon/check/case.hpp"

namespace trigon::selftest {

/// A small generator of random numbers, the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// 0 … n - 1.
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  index between(index low, index high) {
    return low + static_cast<index>(below(static_cast<std::uint64_t>(high - low + 1)));
  }
  template <class T, std::size_t N>
  T any(const T (&list)[N]) {
    return list[below(N)];
  }

 private:
  std::uint64_t state_;
};

struct CaseOptions {
  std::vector<Operation> operations;
  std::string precisions = "sdcz";
  index max_size = 500;
  std::uint64_t seed = 1;
  bool large = false;   ///< only sizes that make threads worth while
  bool drop_in = true;  ///< some cases go through Fortran and CBLAS
  bool device = false;  ///< all cases lie in device memory
};

class Generator {
 public:
  explicit Generator(const CaseOptions&);

  /// Operation × precision × variant × layout: any so many cases in a row have each of them.
  std::size_t combinations() const { return combinations_.size(); }
  Case at(std::uint64_t number) const;

 private:
  void set_sizes(Call&, Dice&) const;
  index size(Dice&) const;

  CaseOptions options_;
  std::vector<Call> combinations_;
};

}  // namespace trigon::selftest
