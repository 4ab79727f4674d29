// The kernels in plain loops: in place, any strides, no scratch. They serve machines without a vector
// instruction set of ours and calls for which there is no memory to pack into.
//
// Every entry is the chain of fused multiply-adds that the packed kernels compute, in the same order, so
// falling back changes no bit.
#pragma once

#include "core/backend.hpp"
#include "cpu/kernels.hpp"
#include "cpu/reciprocal.hpp"

#include <algorithm>
#include <cmath>

namespace trigon::cpu::generic {

template <class T>
T& at(Matrix<T*> a, index i, index j) {
  return a.data[i * a.row_stride + j * a.col_stride];
}

template <class T>
T get(Matrix<T*> a, index i, index j) {
  const T x = at(a, i, j);
  if constexpr (is_complex<T>)
    if (a.conj) return std::conj(x);
  return x;
}

/// acc + a x, or acc - a x.
template <bool minus, class T>
T add(T acc, T a, T x) {
  if constexpr (is_complex<T>) {
    const auto ar = minus ? -a.real() : a.real(), ai = minus ? -a.imag() : a.imag();
    const auto re = std::fma(ar, x.real(), acc.real()), im = std::fma(ar, x.imag(), acc.imag());
    return {std::fma(-ai, x.imag(), re), std::fma(ai, x.real(), im)};
  } else {
    return std::fma(minus ? -a : a, x, acc);
  }
}

template <class T>
T scaled(T s, T x) {
  if constexpr (is_complex<T>)
    return {std::fma(-s.imag(), x.imag(), s.real() * x.real()), std::fma(s.imag(), x.real(), s.real() * x.imag())};
  else
    return s * x;
}

/// s x for a caller's scalar: a real one scales both parts alone, or 0 times an infinity would make a NaN.
template <class T>
T by_scalar(T s, T x) {
  if constexpr (is_complex<T>)
    if (s.imag() == 0) return {s.real() * x.real(), s.real() * x.imag()};
  return scaled(s, x);
}

/// beta old + alpha acc as the register tile writes it.
template <class T>
T combined(T alpha, T acc, T beta, const T& old) {
  const T fresh = is_complex<T> && alpha == T(1) ? acc : by_scalar(alpha, acc);
  if (beta == T(0)) return fresh;
  if constexpr (is_complex<T>)
    return fresh + (beta == T(1) ? old : by_scalar(beta, old));
  else
    return std::fma(alpha, acc, beta == T(1) ? old : beta * old);
}

/// c := beta c, without reading when beta is 0.
template <class T>
void scale(T beta, Matrix<T*> c) {
  if (beta == T(1)) return;
  if (std::abs(c.row_stride) > std::abs(c.col_stride)) c = core::transpose(c);
  for (index j = 0; j < c.cols; ++j)
    for (index i = 0; i < c.rows; ++i) at(c, i, j) = beta == T(0) ? T(0) : by_scalar(beta, at(c, i, j));
}

/// Entry (i, j) of a factor, completed from its stored triangle or its second matrix.
template <class T>
T entry(const Factor<T>& f, index i, index j) {
  if (f.form == Form::General) return get(f.a, i, j);
  if (f.form == Form::Pair) return j < f.a.cols ? get(f.a, i, j) : get(f.b, i, j - f.a.cols);
  i += f.first;
  const bool stored = f.uplo == Uplo::Lower ? i >= j : i <= j;
  T x = stored ? get(f.a, i, j) : get(f.a, j, i);
  if constexpr (is_complex<T>)
    if (f.form == Form::Hermitian) {
      if (i == j) x.imag(0);
      if (!stored) x = std::conj(x);
    }
  return x;
}

inline bool exists(Mask mask, index i, index j) {
  if (mask == Mask::All) return true;
  return lower(mask) ? i >= j : i <= j;
}

/// The factors play the parts that the packed kernel gives them: a complex product is a chain in which they
/// differ.
template <class T>
void gemm(T alpha, const Factor<T>& rows_of_c, const Factor<T>& columns_of_c, T beta, Matrix<T*> c, Mask mask,
          index kc) {
  const bool turn = c.row_stride == 1;
  const Factor<T>& a = turn ? columns_of_c : rows_of_c;
  const Factor<T>& bt = turn ? rows_of_c : columns_of_c;
  if (turn) c = core::transpose(c), mask = transposed(mask);
  for (index k0 = 0; k0 < a.depth(); k0 += kc) {
    const index end = std::min(k0 + kc, a.depth());
    for (index j = 0; j < c.cols; ++j)
      for (index i = 0; i < c.rows; ++i) {
        if (!exists(mask, i, j)) continue;
        T acc(0);
        for (index k = k0; k < end; ++k) acc = add<false>(acc, entry(a, i, k), entry(bt, j, k));
        T& x = at(c, i, j);
        [[maybe_unused]] const bool real = hermitian(mask) && i == j;
        if constexpr (is_complex<T>)
          if (real && beta != T(0)) x.imag(0);
        x = combined(alpha, acc, k0 == 0 ? beta : T(1), x);
        if constexpr (is_complex<T>)
          if (real) x.imag(0);
      }
  }
}

/// Row i of a triangle in dependency order.
template <class T>
index ordered(const Triangle<T*>& t, index i) {
  return t.uplo == Uplo::Lower ? i : t.n() - 1 - i;
}

template <class T>
void solve(T alpha, const Triangle<T*>& t, Matrix<T*> b) {
  const bool unit = t.diag == Diag::Unit, divide = !unit && !reciprocals_are_safe(t.a);
  for (index q = 0; q < t.n(); ++q) {
    const index i = ordered(t, q);
    const T d = unit ? T() : divide ? get(t.a, i, i) : Reciprocal{}(get(t.a, i, i));
    for (index j = 0; j < b.cols; ++j) {
      T x = at(b, i, j);
      if (alpha != T(1)) x = scaled(alpha, x);
      for (index w = 0; w < q; ++w) x = add<true>(x, get(t.a, i, ordered(t, w)), at(b, ordered(t, w), j));
      at(b, i, j) = unit ? x : divide ? quotient(x, d) : scaled(d, x);  // (1, 0) times an infinity is a NaN
    }
  }
}

template <class T>
void multiply(T alpha, const Triangle<T*>& t, Matrix<T*> b) {
  for (index q = t.n() - 1; q >= 0; --q) {
    const index i = ordered(t, q);
    for (index j = 0; j < b.cols; ++j) {
      T x(0);
      for (index w = 0; w < q; ++w) x = add<false>(x, get(t.a, i, ordered(t, w)), at(b, ordered(t, w), j));
      x = t.diag == Diag::Unit ? x + at(b, i, j) : add<false>(x, get(t.a, i, i), at(b, i, j));
      at(b, i, j) = alpha == T(1) ? x : scaled(alpha, x);
    }
  }
}

/// The triangle c := beta c; a Hermitian one gets a real diagonal.
template <Mirror mirror, class T>
void scale(T beta, const Triangle<T*>& c) {
  for (index j = 0; j < c.n(); ++j) {
    const index begin = c.uplo == Uplo::Lower ? j : 0, end = c.uplo == Uplo::Lower ? c.n() : j + 1;
    for (index i = begin; i < end; ++i) {
      T& x = at(c.a, i, j);
      if constexpr (is_complex<T> && mirror == Mirror::Hermitian)
        if (i == j && beta != T(0)) x.imag(0);
      if (beta != T(1)) x = beta == T(0) ? T(0) : by_scalar(beta, x);
    }
  }
}

}  // namespace trigon::cpu::generic
