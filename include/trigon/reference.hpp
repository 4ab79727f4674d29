// The oracle: every operation as the obvious loops over its definition, in a higher precision.
// It shares no code with the library, so that a mistake in the library's views cannot hide here.
#pragma once

#include <trigon/call.hpp>
#include <trigon/types.hpp>

#include <complex>
#include <vector>

// A program of many files may compile the oracle in one of them, which defines TRIGON_ORACLE_INLINE as nothing; the
// others define TRIGON_ORACLE_LINKED.
#ifndef TRIGON_ORACLE_INLINE
#define TRIGON_ORACLE_INLINE inline
#endif

namespace trigon::reference {

namespace detail {
template <class T>
struct wide_of {
  using type = long double;
};
template <>
struct wide_of<float> {
  using type = double;
};
template <class R>
struct wide_of<std::complex<R>> {
  using type = std::complex<typename wide_of<R>::type>;
};
}  // namespace detail

/// What sums are kept in by default: at least 11 bits and a far wider exponent than T.
template <class T>
using wide_t = typename detail::wide_of<T>::type;

template <class T>
T conjugate(const T& v) {
  if constexpr (is_complex<T>) return std::conj(v);
  return v;
}

template <class T>
T real_part(const T& v) {
  if constexpr (is_complex<T>) return T(v.real());
  return v;
}

/// The textbook product, as Fortran compilers make it: C's rules for complex infinities do not apply.
template <class T>
T times(const T& a, const T& b) {
  if constexpr (is_complex<T>) {
    return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  } else {
    return a * b;
  }
}

/// s x for a scalar of a call: a real one scales both parts of x alone, so that none meets the other's infinity.
template <class T>
T scaled(const T& s, const T& x) {
  if constexpr (is_complex<T>)
    if (s.imag() == 0) return {s.real() * x.real(), s.real() * x.imag()};
  return times(s, x);
}

/// A scalar of a call, rounded to the precision of the call as every door receives it.
template <class T>
T scalar(std::complex<double> v) {
  if constexpr (is_complex<T>) {
    return T(v);
  } else {
    return T(v.real());
  }
}

/// A matrix as the caller stores it.
template <class T>
struct Stored {
  T* data;
  index ld;
  Layout layout;
  T& operator()(index i, index j) const { return data[layout == Layout::ColMajor ? i + j * ld : i * ld + j]; }
};

/// A vector with an increment; a negative one walks backwards from the far end.
template <class T>
struct Strided {
  T* data;
  index n, inc;
  T& operator()(index i) const { return data[(inc > 0 ? i : i - n + 1) * inc]; }
};

/// op(A) of a general matrix.
template <class T>
struct General {
  Stored<const T> a;
  Op op = Op::NoTrans;
  T operator()(index i, index j) const {
    if (op == Op::NoTrans) return a(i, j);
    return op == Op::Trans ? a(j, i) : conjugate(a(j, i));
  }
};

/// The whole of a symmetric or Hermitian matrix, from the triangle that is stored.
template <class T>
struct Symmetric {
  Stored<const T> a;
  Uplo uplo;
  bool hermitian;
  T operator()(index i, index j) const {
    if (i == j) return hermitian ? real_part(a(i, i)) : a(i, i);
    if ((i > j) == (uplo == Uplo::Lower)) return a(i, j);
    return hermitian ? conjugate(a(j, i)) : a(j, i);
  }
};

/// op(A) of a triangular matrix. Only entries that are not `zero` may be asked for.
template <class T>
struct Triangular {
  Stored<const T> a;
  Uplo uplo;
  Op op;
  Diag diag;
  bool lower() const { return (uplo == Uplo::Lower) == (op == Op::NoTrans); }
  bool zero(index i, index j) const { return lower() ? i < j : i > j; }
  T operator()(index i, index j) const { return i == j && diag == Diag::Unit ? T(1) : General<T>{a, op}(i, j); }
};

/// The call in netlib's meaning from 3.13 on: no test for zero hides a NaN; alpha = 0 and beta = 0 overwrite
/// without reading; what is not referenced is not read. `Acc` is what sums are kept in: Acc = T gives an
/// ordinary BLAS, whose overflows and NaN patterns are those of the precision.
template <class T, class Acc = wide_t<T>>
class Reference {
 public:
  explicit Reference(const Call& call)
      : call_(call),
        alpha_(Acc(scalar<T>(real_alpha() ? call.alpha.real() : call.alpha))),
        beta_(Acc(scalar<T>(real_beta() ? call.beta.real() : call.beta))) {}

  void execute() const {
    switch (call_.operation) {
      case Operation::Gemm: return gemm();
      case Operation::Symm:
      case Operation::Hemm: return symm();
      case Operation::Syrk:
      case Operation::Herk: return syrk();
      case Operation::Syr2k:
      case Operation::Her2k: return syr2k();
      case Operation::Trmm: return trmm();
      case Operation::Trsm: return trsm();
      case Operation::Trmv: return trmv();
      case Operation::Trsv: return trsv();
    }
  }

 private:
  bool real_alpha() const { return call_.operation == Operation::Herk; }
  bool real_beta() const { return real_alpha() || call_.operation == Operation::Her2k; }

  Stored<const T> a() const { return {static_cast<const T*>(call_.a), call_.lda, call_.layout}; }
  Stored<T> b() const { return {static_cast<T*>(call_.b), call_.ldb, call_.layout}; }
  Stored<const T> const_b() const { return {static_cast<const T*>(call_.b), call_.ldb, call_.layout}; }
  Stored<T> c() const { return {static_cast<T*>(call_.c), call_.ldc, call_.layout}; }
  Strided<T> x() const { return {static_cast<T*>(call_.b), call_.n, call_.incx}; }
  Triangular<T> triangle() const { return {a(), call_.uplo, call_.transa, call_.diag}; }

  template <class L, class R>
  static Acc dot(index k, const L& left, const R& right, index i, index j) {
    Acc sum(0);
    for (index l = 0; l < k; ++l) sum += times(Acc(left(i, l)), Acc(right(l, j)));
    return sum;
  }

  /// c := value + beta c, with no look at c when beta is zero.
  void update(T& c, Acc value) const { c = static_cast<T>(beta_ == Acc(0) ? value : value + scaled(beta_, Acc(c))); }

  bool nothing_to_add(index k) const { return alpha_ == Acc(0) || k == 0; }

  template <class L, class R>
  void multiply(index k, const L& left, const R& right) const {
    const bool none = nothing_to_add(k);
    if (none && beta_ == Acc(1)) return;
    for (index j = 0; j < call_.n; ++j)
      for (index i = 0; i < call_.m; ++i) update(c()(i, j), none ? Acc(0) : scaled(alpha_, dot(k, left, right, i, j)));
  }

  void gemm() const { multiply(call_.k, General<T>{a(), call_.transa}, General<T>{const_b(), call_.transb}); }

  void symm() const {
    const Symmetric<T> s{a(), call_.uplo, call_.operation == Operation::Hemm};
    const General<T> g{const_b()};
    if (call_.side == Side::Left) return multiply(call_.m, s, g);
    multiply(call_.n, g, s);
  }

  /// One triangle of C; `sum(i, j)` is what is added to beta C.
  template <class Sum>
  void update_triangle(bool hermitian, const Sum& sum) const {
    const bool none = nothing_to_add(call_.k);
    if (none && beta_ == Acc(1)) return;
    for (index j = 0; j < call_.n; ++j)
      for (index i = 0; i < call_.n; ++i) {
        if (call_.uplo == Uplo::Lower ? i < j : i > j) continue;
        T& entry = c()(i, j);
        if (hermitian && i == j && beta_ != Acc(0)) entry = real_part(entry);
        update(entry, none ? Acc(0) : sum(i, j));
        if (hermitian && i == j) entry = real_part(entry);
      }
  }

  void syrk() const {
    const bool hermitian = call_.operation == Operation::Herk;
    const General<T> left{a(), call_.transa};
    const auto right = [&](index l, index j) { return hermitian ? conjugate(left(j, l)) : left(j, l); };
    update_triangle(hermitian, [&](index i, index j) { return scaled(alpha_, dot(call_.k, left, right, i, j)); });
  }

  void syr2k() const {
    const bool hermitian = call_.operation == Operation::Her2k;
    const General<T> ga{a(), call_.transa}, gb{const_b(), call_.transa};
    const auto mirrored = [&](const General<T>& g) {
      return [&g, hermitian](index l, index j) { return hermitian ? conjugate(g(j, l)) : g(j, l); };
    };
    const Acc second = hermitian ? conjugate(alpha_) : alpha_;
    update_triangle(hermitian, [&](index i, index j) {
      return scaled(alpha_, dot(call_.k, ga, mirrored(gb), i, j)) +
             scaled(second, dot(call_.k, gb, mirrored(ga), i, j));
    });
  }

  /// y := alpha op(A) y for one column y; `y(i)` is a reference to its i-th entry.
  template <class Y>
  void multiply_column(const Triangular<T>& t, index n, Acc alpha, const Y& y) const {
    std::vector<T> old(n);
    for (index i = 0; i < n; ++i) old[i] = y(i);
    for (index i = 0; i < n; ++i) {
      Acc sum(0);
      for (index l = 0; l < n; ++l)
        if (!t.zero(i, l)) sum += l == i && t.diag == Diag::Unit ? Acc(old[l]) : times(Acc(t(i, l)), Acc(old[l]));
      y(i) = static_cast<T>(alpha == Acc(1) ? sum : times(alpha, sum));
    }
  }

  /// Substitution: op(A) y = alpha y_old.
  template <class Y>
  void solve_column(const Triangular<T>& t, index n, Acc alpha, const Y& y) const {
    for (index step = 0; step < n; ++step) {
      const index i = t.lower() ? step : n - 1 - step;
      Acc sum = alpha == Acc(1) ? Acc(y(i)) : times(alpha, Acc(y(i)));
      for (index l = 0; l < n; ++l)
        if (l != i && !t.zero(i, l)) sum -= times(Acc(t(i, l)), Acc(y(l)));
      y(i) = static_cast<T>(call_.diag == Diag::Unit ? sum : sum / Acc(t(i, i)));
    }
  }

  /// Calls `f(triangle, order, column)` for every column of B; on the right side, for every row of B with
  /// the transposed triangle: X op(A) = B is op(A)^T X^T = B^T.
  template <class F>
  void for_each_column(const F& f) const {
    const bool left = call_.side == Side::Left;
    const Stored<T> out = b();
    for (index j = 0; j < (left ? call_.n : call_.m); ++j) {
      if (alpha_ == Acc(0)) {
        for (index i = 0; i < (left ? call_.m : call_.n); ++i) (left ? out(i, j) : out(j, i)) = T(0);
      } else if (left) {
        f(triangle(), call_.m, [&](index i) -> T& { return out(i, j); });
      } else {
        f(transposed(), call_.n, [&](index i) -> T& { return out(j, i); });
      }
    }
  }

  /// op(A)^T as an op of a triangle that is stored: conjugation without transposition is made with a copy.
  Triangular<T> transposed() const {
    if (call_.transa != Op::ConjTrans) {
      const Op op = call_.transa == Op::NoTrans ? Op::Trans : Op::NoTrans;
      return {a(), call_.uplo, op, call_.diag};
    }
    const index n = call_.n;
    if (conjugated_.empty() && n > 0) {
      conjugated_.resize(n * n);
      for (index j = 0; j < n; ++j)
        for (index i = 0; i < n; ++i)
          if ((call_.uplo == Uplo::Lower ? i >= j : i <= j) && (i != j || call_.diag == Diag::NonUnit))
            conjugated_[i + j * n] = conjugate(a()(i, j));
    }
    return {{conjugated_.data(), n, Layout::ColMajor}, call_.uplo, Op::NoTrans, call_.diag};
  }

  void trmm() const {
    for_each_column([&](const Triangular<T>& t, index n, const auto& y) { multiply_column(t, n, alpha_, y); });
  }
  void trsm() const {
    for_each_column([&](const Triangular<T>& t, index n, const auto& y) { solve_column(t, n, alpha_, y); });
  }
  void trmv() const { multiply_column(triangle(), call_.n, Acc(1), x()); }
  void trsv() const { solve_column(triangle(), call_.n, Acc(1), x()); }

  Call call_;
  Acc alpha_, beta_;
  mutable std::vector<T> conjugated_;
};

/// Carries out the call with sums in higher precision. The arguments must be valid: nothing is checked.
void execute(const Call& call);

/// Carries out the call as an ordinary BLAS would, in the precision of the call throughout.
void execute_plain(const Call& call);

#ifndef TRIGON_ORACLE_LINKED
TRIGON_ORACLE_INLINE void execute(const Call& call) {
  with_type(call.precision, [&](auto zero) { Reference<decltype(zero)>(call).execute(); });
}

TRIGON_ORACLE_INLINE void execute_plain(const Call& call) {
  with_type(call.precision, [&](auto zero) { Reference<decltype(zero), decltype(zero)>(call).execute(); });
}
#endif

}  // namespace trigon::reference
