// A matrix of a test: any layout and padding, NaN wherever nothing is to be read, in guarded memory.
#pragma once

#include <trigon/guarded_memory.hpp>
#include <trigon/reference.hpp>
#include <trigon/types.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace trigon::test {

template <class T>
class Matrix {
 public:
  using R = real_t<T>;

  Matrix(Layout layout, index rows, index cols, index padding = 3)
      : layout_(layout),
        rows_(rows),
        cols_(cols),
        padding_(padding),
        lda_(std::max<index>(1, layout == Layout::ColMajor ? rows : cols) + padding),
        memory_(bytes(), GuardedMemory::Place::EndsAtGuard) {
    for (index at = 0; at < elements(); ++at) data()[at] = poison();
  }

  T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  index lda() const { return lda_; }
  index rows() const { return rows_; }
  index cols() const { return cols_; }
  T& operator()(index i, index j) const { return data()[layout_ == Layout::ColMajor ? i + j * lda_ : i * lda_ + j]; }

  std::vector<T> content() const { return {data(), data() + elements()}; }
  /// Of a matrix of the same shape.
  void set_content(const std::vector<T>& content) const { std::copy(content.begin(), content.end(), data()); }
  Matrix copy() const {
    Matrix other(layout_, rows_, cols_, padding_);
    std::copy_n(data(), elements(), other.data());
    return other;
  }

  static T poison() {
    const R nan = std::numeric_limits<R>::quiet_NaN();
    if constexpr (is_complex<T>)
      return {nan, nan};
    else
      return nan;
  }

 private:
  // The last line has no padding after it.
  index elements() const {
    const index lines = layout_ == Layout::ColMajor ? cols_ : rows_;
    const index length = layout_ == Layout::ColMajor ? rows_ : cols_;
    return lines == 0 ? 0 : (lines - 1) * lda_ + length;
  }
  std::size_t bytes() const { return static_cast<std::size_t>(elements()) * sizeof(T); }

  Layout layout_;
  index rows_, cols_, padding_, lda_;
  GuardedMemory memory_;
};

/// The same bits, NaNs included, but for the entries that `written` names by their place in memory.
template <class T>
testing::AssertionResult same_but_for(const std::vector<T>& before, const std::vector<T>& after,
                                      const std::vector<bool>& written) {
  for (std::size_t at = 0; at < before.size(); ++at)
    if (!written[at] && std::memcmp(&before[at], &after[at], sizeof(T)) != 0)
      return testing::AssertionFailure() << "element " << at << " was written";
  return testing::AssertionSuccess();
}

template <class T>
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  T operator()() {
    if constexpr (is_complex<T>) {
      const real_t<T> re = part();
      return {re, part()};
    } else {
      return part();
    }
  }

 private:
  real_t<T> part() { return std::uniform_real_distribution<real_t<T>>(-1, 1)(engine_); }
  std::mt19937 engine_;
};

/// 2 (k + 4) u, u of complex numbers as docs/numerics.md has it.
template <class T>
double bound(index k) {
  const double u = static_cast<double>(std::numeric_limits<real_t<T>>::epsilon()) / 2;
  return 2 * static_cast<double>(k + 4) * u * (is_complex<T> ? 2.83 : 1);
}

/// Squares of numbers so wide neither overflow nor vanish here; std::abs(), which sees to that, takes long.
template <class T>
double size(const T& x) {
  if constexpr (std::is_same_v<T, std::complex<long double>>)
    if (const long double squares = x.real() * x.real() + x.imag() * x.imag(); std::isfinite(squares))
      return static_cast<double>(std::sqrt(squares));
  return static_cast<double>(std::abs(x));
}

}  // namespace trigon::test
