// Is a result right? The error of every entry against the bound of docs/numerics, in higher precision.
#pragma once

#include <trigon/call.hpp>
#include <trigon/reference.hpp>
#include <trigon/types.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace trigon {

/// How much of a result to look at: `lines` whole rows and as many whole columns (always the first and the
/// last, the others at random), or everything when negative. The work is O(lines (m + n) K).
struct Sample {
  index lines = -1;
  std::uint64_t seed = 1;
};

struct Verdict {
  double ratio = 0;             ///< the worst error / bound; infinite for a wrong NaN or Inf
  index row = -1, column = -1;  ///< where, in the result
  std::string words;            ///< the value there, what was expected, and the bound
  bool ok() const { return ratio <= 1; }
};

namespace detail {

/// Products:  |C^ - C| <= 2 (K + 4) u (|alpha| |A| |B| + |beta| |C|), entry by entry.
/// Solves:    |alpha B - op(A) X^| <= 2 (K + 4) u (|op(A)| |X^| + |alpha B|), whatever the condition.
///
/// K is k for Gemm, Syrk and Herk, 2k for Syr2k and Her2k, and the order of the triangular or symmetric matrix
/// otherwise. For complex types u becomes 2 sqrt(2) u: Higham, ASNA 2nd ed., Lemma 3.5 bounds a product by
/// sqrt(2) gamma_2. Underflow adds K + 4 times the smallest subnormal, magnified by what may multiply it.
/// A NaN or Inf must be one in the reference too, and the same one where T is real.
template <class T>
class Verifier {
  using R = real_t<T>;
  using W = reference::wide_t<T>;
  using WR = real_t<W>;

 public:
  Verifier(const Call& before, const void* after, Sample sample)
      : call_(before),
        after_(static_cast<const T*>(after)),
        sample_(sample),
        alpha_(reference::scalar<T>(real_alpha() ? before.alpha.real() : before.alpha)),
        beta_(reference::scalar<T>(real_beta() ? before.beta.real() : before.beta)) {}

  Verdict operator()() {
    switch (call_.operation) {
      case Operation::Gemm: gemm(); break;
      case Operation::Symm:
      case Operation::Hemm: symm(); break;
      case Operation::Syrk:
      case Operation::Herk: syrk(); break;
      case Operation::Syr2k:
      case Operation::Her2k: syr2k(); break;
      case Operation::Trmm:
      case Operation::Trsm: triangular(call_.operation == Operation::Trsm); break;
      case Operation::Trmv:
      case Operation::Trsv: vector(call_.operation == Operation::Trsv); break;
    }
    return verdict_;
  }

 private:
  using Entry = std::function<W(index, index)>;
  struct Range {
    index begin, end;
  };
  /// Sums over l of left(i, l) right(l, j), for l in the ranges of row i and of column j.
  struct Sums {
    index rows, columns, inner;
    Entry left, right;
    std::function<Range(index)> row_range = {}, column_range = {};
  };
  /// A gathered row of `left` or column of `right`, with the moduli.
  struct Line {
    Range range;
    std::vector<W> value;
    std::vector<WR> modulus;  // outside the range, of earlier lines
    WR largest = 0;
  };
  enum class Kind { Product, Residual, Unchanged };

  bool real_alpha() const { return call_.operation == Operation::Herk; }
  bool real_beta() const { return real_alpha() || call_.operation == Operation::Her2k; }
  bool hermitian_result() const { return real_beta(); }
  bool one_triangle() const { return call_.operation >= Operation::Syrk && call_.operation <= Operation::Her2k; }
  bool is_vector() const { return call_.operation == Operation::Trmv || call_.operation == Operation::Trsv; }
  bool overwrites_b() const { return call_.operation >= Operation::Trmm; }

  reference::Stored<const T> a() const { return {static_cast<const T*>(call_.a), call_.lda, call_.layout}; }
  reference::Stored<const T> b() const { return {static_cast<const T*>(call_.b), call_.ldb, call_.layout}; }

  /// An entry of the overwritten operand, in the copy from before the call or in the result.
  T entry(const T* data, index i, index j) const {
    if (is_vector()) return reference::Strided<const T>{data, call_.n, call_.incx}(i);
    return reference::Stored<const T>{data, overwrites_b() ? call_.ldb : call_.ldc, call_.layout}(i, j);
  }
  T old(index i, index j) const { return entry(static_cast<const T*>(overwrites_b() ? call_.b : call_.c), i, j); }
  T result(index i, index j) const { return entry(after_, i, j); }

  template <class E>
  static Entry widen(E e, W factor = W(1)) {
    return [e, factor](index i, index j) { return reference::times(factor, W(e(i, j))); };
  }

  void gemm() {
    product(call_.k, call_.k,
            {call_.m, call_.n, call_.k, widen(reference::General<T>{a(), call_.transa}, W(alpha_)),
             widen(reference::General<T>{b(), call_.transb})});
  }

  void symm() {
    const reference::Symmetric<T> s{a(), call_.uplo, call_.operation == Operation::Hemm};
    const reference::General<T> g{b()};
    const bool left = call_.side == Side::Left;
    const index order = left ? call_.m : call_.n;
    product(order, order,
            {call_.m, call_.n, order, left ? widen(s, W(alpha_)) : widen(g, W(alpha_)), left ? widen(g) : widen(s)});
  }

  template <class G>
  Entry mirrored(G g) const {
    return
        [g, conj = hermitian_result()](index l, index j) { return W(conj ? reference::conjugate(g(j, l)) : g(j, l)); };
  }

  void syrk() {
    const reference::General<T> g{a(), call_.transa};
    product(call_.k, call_.k, {call_.n, call_.n, call_.k, widen(g, W(alpha_)), mirrored(g)});
  }

  void syr2k() {
    const reference::General<T> ga{a(), call_.transa}, gb{b(), call_.transa};
    const index k = call_.k;
    const Entry la = widen(ga, W(alpha_));
    const Entry lb = widen(gb, W(hermitian_result() ? reference::conjugate(alpha_) : alpha_));
    const Entry ra = mirrored(ga), rb = mirrored(gb);
    product(k, 2 * k,
            {call_.n, call_.n, 2 * k, [=](index i, index l) { return l < k ? la(i, l) : lb(i, l - k); },
             [=](index l, index j) { return l < k ? rb(l, j) : ra(l - k, j); }});
  }

  void triangular(bool solving) {
    const reference::Triangular<T> t{a(), call_.uplo, call_.transa, call_.diag};
    const bool left = call_.side == Side::Left, lower = t.lower();
    const index m = call_.m, n = call_.n, order = left ? m : n;
    const Entry wide_t = widen(t);
    const Entry other = [this, solving](index i, index j) {
      return solving ? W(result(i, j)) : reference::times(W(alpha_), W(old(i, j)));
    };
    Sums sums{m, n, order, left ? wide_t : other, left ? other : wide_t};
    if (left) {
      sums.row_range = [=](index i) { return lower ? Range{0, i + 1} : Range{i, m}; };
    } else {
      sums.column_range = [=](index j) { return lower ? Range{j, n} : Range{0, j + 1}; };
    }
    triangular(solving, order, std::move(sums));
  }

  void vector(bool solving) {
    const reference::Triangular<T> t{a(), call_.uplo, call_.transa, call_.diag};
    const index n = call_.n;
    alpha_ = T(1);
    Sums sums{n, 1, n, widen(t), [this, solving](index i, index) { return W(solving ? result(i, 0) : old(i, 0)); }};
    sums.row_range = [n, lower = t.lower()](index i) { return lower ? Range{0, i + 1} : Range{i, n}; };
    triangular(solving, n, std::move(sums));
  }

  void triangular(bool solving, index order, Sums sums) {
    beta_ = T(0);
    factor_ = bound_factor(order);
    const bool none = alpha_ == T(0);
    if (none) sums.inner = 0;
    lines(sums, solving && !none ? Kind::Residual : Kind::Product);
    for (const index line : irregular_) compare_with_substitution(line);
  }

  void product(index k, index bound_k, Sums sums) {
    factor_ = bound_factor(bound_k);
    const bool none = alpha_ == T(0) || k == 0;
    if (none) sums.inner = 0;
    lines(sums, none && beta_ == T(1) ? Kind::Unchanged : Kind::Product);
  }

  static WR bound_factor(index k) {
    const WR u = WR(std::numeric_limits<R>::epsilon()) / 2;
    return 2 * WR(k + 4) * u * (is_complex<T> ? 2 * std::sqrt(WR(2)) : WR(1));
  }

  /// All indices, or the first, the last and some others.
  std::vector<index> some(index n) {
    std::vector<index> chosen;
    if (sample_.lines < 0 || sample_.lines >= n) {
      chosen.resize(std::max<index>(n, 0));
      std::iota(chosen.begin(), chosen.end(), index(0));
      return chosen;
    }
    std::set<index> set;
    for (index i = 0; i < sample_.lines; ++i) {
      sample_.seed = sample_.seed * 6364136223846793005u + 1442695040888963407u;
      set.insert(i == 0   ? 0
                 : i == 1 ? n - 1
                          : static_cast<index>((sample_.seed >> 33) % static_cast<std::uint64_t>(n)));
    }
    chosen.assign(set.begin(), set.end());
    return chosen;
  }

  void lines(const Sums& sums, Kind kind) {
    if (sums.rows <= 0 || sums.columns <= 0) return;
    std::vector<index> all_rows(sums.rows), all_columns(sums.columns);
    std::iota(all_rows.begin(), all_rows.end(), index(0));
    std::iota(all_columns.begin(), all_columns.end(), index(0));
    const std::vector<index> columns = some(sums.columns), rows = some(sums.rows);
    entries(sums, all_rows, columns, kind);
    if (static_cast<index>(columns.size()) < sums.columns) entries(sums, rows, all_columns, kind);
  }

  /// Squares of what is wider than an operand neither overflow nor vanish; std::abs(), which sees to that, takes long.
  static WR modulus(const W& value) {
    if constexpr (is_complex<T>) {
      const WR size = std::sqrt(value.real() * value.real() + value.imag() * value.imag());
      if (std::isfinite(size)) return size;
    }
    return std::abs(value);
  }

  template <class Value>
  static void gather(Range range, index inner, const Value& value, Line& line) {
    line.range = {range.begin, std::min(range.end, inner)};
    line.value.resize(inner);
    line.modulus.resize(inner);
    line.largest = 0;
    for (index l = line.range.begin; l < line.range.end; ++l) {
      line.value[l] = value(l);
      line.modulus[l] = modulus(line.value[l]);
      if (line.modulus[l] > line.largest) line.largest = line.modulus[l];
    }
  }

  void entries(const Sums& sums, const std::vector<index>& rows, const std::vector<index>& columns, Kind kind) {
    constexpr std::size_t chunk = 32;
    const auto whole = [&](index) { return Range{0, sums.inner}; };
    std::vector<Line> right(std::min(chunk, columns.size()));
    Line left;
    for (std::size_t first = 0; first < columns.size(); first += chunk) {
      const std::size_t last = std::min(first + chunk, columns.size());
      for (std::size_t c = first; c < last; ++c) {
        const index j = columns[c];
        gather((sums.column_range ? sums.column_range : whole)(j), sums.inner,
               [&](index l) { return sums.right(l, j); }, right[c - first]);
      }
      for (const index i : rows) {
        gather((sums.row_range ? sums.row_range : whole)(i), sums.inner, [&](index l) { return sums.left(i, l); },
               left);
        for (std::size_t c = first; c < last; ++c) {
          const index j = columns[c];
          if (one_triangle() && (call_.uplo == Uplo::Lower ? i < j : i > j)) continue;
          judge(kind, i, j, left, right[c - first]);
        }
      }
    }
  }

  void judge(Kind kind, index i, index j, const Line& left, const Line& right) {
    const T got = result(i, j);
    if (kind == Kind::Unchanged) return note(i, j, same_bits(got, old(i, j)) ? 0 : infinity(), W(old(i, j)), 0);
    W sum(0);
    WR magnitude(0);
    const index begin = std::max(left.range.begin, right.range.begin);
    const index end = std::min(left.range.end, right.range.end);
    for (index l = begin; l < end; ++l) {
      sum += reference::times(left.value[l], right.value[l]);
      magnitude += left.modulus[l] * right.modulus[l];
    }
    const bool diagonal = hermitian_result() && i == j;
    W expected = sum, have = W(got);
    if (kind == Kind::Residual) {
      have = reference::times(W(alpha_), W(old(i, j)));
      magnitude += std::abs(have);
    } else if (beta_ != T(0)) {
      const W before = diagonal ? reference::real_part(W(old(i, j))) : W(old(i, j));
      expected += reference::scaled(W(beta_), before);
      magnitude += std::abs(W(beta_)) * std::abs(before);
    }
    if (diagonal && is_complex<T>) {
      if (got != reference::real_part(got) && !std::isnan(std::real(got)))
        return note(i, j, infinity(), reference::real_part(expected), 0);
      expected = reference::real_part(expected);
      have = reference::real_part(have);
    }
    if (kind == Kind::Residual && !(finite(expected) && finite(have))) {
      irregular_.insert(call_.side == Side::Left || is_vector() ? j : i);
      return;
    }
    if (!finite(expected) || !finite(have)) return note(i, j, wrong_non_finite(expected, have, magnitude), expected, 0);
    const WR tiny = WR(std::numeric_limits<R>::denorm_min()) * (factor_ / std::numeric_limits<R>::epsilon()) *
                    (1 + left.largest + right.largest + std::abs(W(alpha_)));
    const WR bound = factor_ * magnitude + (magnitude > 0 ? tiny : WR(0));
    const WR error = std::abs(have - expected);
    note(i, j,
         error == 0   ? 0
         : bound == 0 ? infinity()
                      : static_cast<double>(error / bound),
         expected, bound, kind == Kind::Residual);
  }

  static double infinity() { return std::numeric_limits<double>::infinity(); }

  template <class V>
  static bool finite(const V& v) {
    return std::isfinite(std::real(v)) && std::isfinite(std::imag(v));
  }

  static bool same_bits(const T& x, const T& y) {
    const auto same = [](R p, R q) { return p == q || (std::isnan(p) && std::isnan(q)); };
    return same(std::real(x), std::real(y)) && same(std::imag(x), std::imag(y));
  }

  /// 0 where a NaN or Inf is as it should be. A sum whose terms come close to overflow may overflow on its way.
  static double wrong_non_finite(const W& expected, const W& have, WR magnitude) {
    if (finite(expected)) return magnitude >= WR(std::numeric_limits<R>::max()) / 4 ? 0 : infinity();
    if (finite(have)) return infinity();
    if constexpr (is_complex<T>) return 0;
    return std::isnan(std::real(expected)) == std::isnan(std::real(have)) &&
                   (std::isnan(std::real(have)) || expected == have)
               ? 0
               : infinity();
  }

  /// Where a NaN or Inf takes part, a residual says nothing: the pattern must be that of plain substitution. Entries
  /// whose own terms are finite have been judged by theirs; any other one that is finite belongs to an infinite pivot,
  /// which makes it zero.
  void compare_with_substitution(index line) {
    const bool column = call_.side == Side::Left || is_vector();
    const index length = is_vector() || !column ? call_.n : call_.m;
    std::vector<T> x(length);
    for (index l = 0; l < length; ++l) x[l] = column ? old(l, line) : old(line, l);
    Call one = call_;
    (column ? one.n : one.m) = 1;
    if (is_vector()) one.n = length;
    one.b = x.data();
    one.incx = 1;
    one.ldb = column == (call_.layout == Layout::ColMajor) ? length : 1;
    reference::execute_plain(one);
    const reference::Triangular<T> t{a(), call_.uplo, call_.transa, call_.diag};
    for (index l = 0; l < length; ++l) {
      const index i = column ? l : line, j = column ? line : l;
      const W expected = W(x[l]), have = W(result(i, j));
      if (finite(expected) && finite(have)) {
        if (!finite(t(l, l)) && have != W(0)) note(i, j, infinity(), W(0), 0);
        continue;
      }
      note(i, j, finite(expected) ? infinity() : wrong_non_finite(expected, have, 0), expected, 0);
    }
  }

  void note(index i, index j, double ratio, const W& expected, WR bound, bool residual = false) {
    if (!(ratio > verdict_.ratio)) return;
    std::ostringstream words;
    words.precision(17);
    words << "entry (" << i << ", " << j << ") is " << result(i, j) << ", "
          << (residual ? "op(A) X there is " : "expected about ") << expected;
    words.precision(3);
    words << ", error / bound = " << ratio << " (bound " << bound << ")";
    verdict_ = {ratio, i, j, words.str()};
  }

  Call call_;
  const T* after_;
  Sample sample_;
  T alpha_, beta_;
  WR factor_ = 0;
  std::set<index> irregular_;
  Verdict verdict_;
};

}  // namespace detail

/// Judges the result of a call. `before` has the operands as they were before the call; `after` points to
/// what the call made of the overwritten one (b for Trmm, Trsm, Trmv, Trsv, else c), with the same leading
/// dimension or increment. Nothing that BLAS does not reference is read.
Verdict verify(const Call& before, const void* after, Sample sample = {});

#ifndef TRIGON_ORACLE_LINKED
TRIGON_ORACLE_INLINE Verdict verify(const Call& before, const void* after, Sample sample) {
  return with_type(before.precision,
                   [&](auto zero) { return detail::Verifier<decltype(zero)>(before, after, sample)(); });
}
#endif

}  // namespace trigon
