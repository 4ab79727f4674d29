// The entry points of <trigon/lapack.hpp>: arguments, then the recursion.
#include <trigon/lapack.hpp>

#include "lapack/arguments.hpp"
#include "lapack/lu.hpp"
#include "lapack/lu_inverse.hpp"
#include "lapack/recursion.hpp"

#include <cstdint>
#include <new>
#include <string>

namespace trigon {

using lapack::Arguments;
using lapack::matrix;

namespace {

template <class T>
index first_zero(const core::Matrix<T*>& a) {
  for (index i = 0; i < a.rows; ++i)
    if (lapack::at(a, i, i) == T(0)) return i + 1;
  return 0;
}

/// The workspace of getri.
template <class T>
lapack::PanelOfL<T> panel(Layout layout, index n) {
  try {
    return {layout, n};
  } catch (const std::bad_alloc&) {
    throw out_of_memory(static_cast<char>(precision_of<T>) + std::string("getri: out of memory"));
  }
}

/// A lower triangle: the transpose of an upper one.
template <class T>
core::Triangle<T*> lower(Layout layout, Uplo uplo, index n, T* a, index lda) {
  const auto whole = matrix(layout, a, lda, n, n);
  return {uplo == Uplo::Lower ? whole : core::transpose(whole), Uplo::Lower};
}

template <class T, class Int>
void solve(Layout layout, Op trans, index n, index nrhs, const T* A, index lda, const Int* ipiv, T* B, index ldb) {
  const auto b = matrix(layout, B, ldb, n, nrhs);
  const auto with = [&](Uplo uplo, Diag diag) {
    trsm<T>(layout, Side::Left, uplo, trans, diag, n, nrhs, T(1), A, lda, B, ldb);
  };
  if (trans == Op::NoTrans) {
    lapack::exchange(b, ipiv, n);
    with(Uplo::Lower, Diag::Unit), with(Uplo::Upper, Diag::NonUnit);
  } else {
    with(Uplo::Upper, Diag::NonUnit), with(Uplo::Lower, Diag::Unit);
    lapack::exchange(b, ipiv, n, true);
  }
}

template <class T>
void solve(Layout layout, Uplo uplo, index n, index nrhs, const T* A, index lda, T* B, index ldb) {
  const Op adjoint = is_complex<T> ? Op::ConjTrans : Op::Trans;
  for (const Op op : {uplo == Uplo::Lower ? Op::NoTrans : adjoint, uplo == Uplo::Lower ? adjoint : Op::NoTrans})
    trsm<T>(layout, Side::Left, uplo, op, Diag::NonUnit, n, nrhs, T(1), A, lda, B, ldb);
}

}  // namespace

template <class T>
index potrf(Layout layout, Uplo uplo, index n, T* A, index lda) {
  Arguments<T>("potrf", layout).uplo(uplo).size("n", n).matrix("A", "lda", A, n, n, lda);
  return lapack::cholesky(lower(layout, uplo, n, A, lda));
}

template <class T>
index trtri(Layout layout, Uplo uplo, Diag diag, index n, T* A, index lda) {
  Arguments<T>("trtri", layout).uplo(uplo).diag(diag).size("n", n).matrix("A", "lda", A, n, n, lda);
  const auto a = matrix(layout, A, lda, n, n);
  const index zero = diag == Diag::Unit ? 0 : first_zero(a);
  if (zero == 0) lapack::invert(core::Triangle{a, uplo, diag});
  return zero;
}

template <class T>
void lauum(Layout layout, Uplo uplo, index n, T* A, index lda) {
  Arguments<T>("lauum", layout).uplo(uplo).size("n", n).matrix("A", "lda", A, n, n, lda);
  lapack::square(lower(layout, uplo, n, A, lda));
}

template <class T>
index potri(Layout layout, Uplo uplo, index n, T* A, index lda) {
  Arguments<T>("potri", layout).uplo(uplo).size("n", n).matrix("A", "lda", A, n, n, lda);
  const auto a = matrix(layout, A, lda, n, n);
  const index zero = first_zero(a);
  if (zero != 0) return zero;
  lapack::invert(core::Triangle{a, uplo});
  lapack::square(lower(layout, uplo, n, A, lda));
  return 0;
}

template <class T>
void potrs(Layout layout, Uplo uplo, index n, index nrhs, const T* A, index lda, T* B, index ldb) {
  Arguments<T>("potrs", layout)
      .uplo(uplo)
      .size("n", n)
      .size("nrhs", nrhs)
      .matrix("A", "lda", A, n, n, lda, nrhs > 0)
      .matrix("B", "ldb", B, n, nrhs, ldb);
  solve(layout, uplo, n, nrhs, A, lda, B, ldb);
}

template <class T>
index posv(Layout layout, Uplo uplo, index n, index nrhs, T* A, index lda, T* B, index ldb) {
  Arguments<T>("posv", layout)
      .uplo(uplo)
      .size("n", n)
      .size("nrhs", nrhs)
      .matrix("A", "lda", A, n, n, lda)
      .matrix("B", "ldb", B, n, nrhs, ldb);
  const index bad = lapack::cholesky(lower(layout, uplo, n, A, lda));
  if (bad == 0) solve<T>(layout, uplo, n, nrhs, A, lda, B, ldb);
  return bad;
}

template <class T, class Int>
index getrf(Layout layout, index m, index n, T* A, index lda, Int* ipiv) {
  Arguments<T>("getrf", layout)
      .size("m", m, ipiv)
      .size("n", n)
      .matrix("A", "lda", A, m, n, lda)
      .array("ipiv", ipiv, std::min(m, n));
  return lapack::lu(matrix(layout, A, lda, m, n), ipiv);
}

template <class T, class Int>
void getrs(Layout layout, Op trans, index n, index nrhs, const T* A, index lda, const Int* ipiv, T* B, index ldb) {
  Arguments<T>("getrs", layout)
      .trans(trans)
      .size("n", n)
      .size("nrhs", nrhs)
      .matrix("A", "lda", A, n, n, lda, nrhs > 0)
      .array("ipiv", ipiv, nrhs > 0 ? n : 0)
      .matrix("B", "ldb", B, n, nrhs, ldb);
  solve(layout, trans, n, nrhs, A, lda, ipiv, B, ldb);
}

template <class T, class Int>
index gesv(Layout layout, index n, index nrhs, T* A, index lda, Int* ipiv, T* B, index ldb) {
  Arguments<T>("gesv", layout)
      .size("n", n, ipiv)
      .size("nrhs", nrhs)
      .matrix("A", "lda", A, n, n, lda)
      .array("ipiv", ipiv, n)
      .matrix("B", "ldb", B, n, nrhs, ldb);
  const index zero = lapack::lu(matrix(layout, A, lda, n, n), ipiv);
  if (zero == 0) solve(layout, Op::NoTrans, n, nrhs, A, lda, ipiv, B, ldb);
  return zero;
}

template <class T, class Int>
index getri(Layout layout, index n, T* A, index lda, const Int* ipiv) {
  Arguments<T>("getri", layout).size("n", n).matrix("A", "lda", A, n, n, lda).array("ipiv", ipiv, n);
  const auto a = matrix(layout, A, lda, n, n);
  const index zero = first_zero(a);
  if (zero != 0) return zero;
  lapack::PanelOfL<T> space = panel<T>(layout, n);
  lapack::invert(core::Triangle{a, Uplo::Upper});
  lapack::invert_lu(a, ipiv, space);
  return 0;
}

template <class T>
index trtrs(Layout layout, Uplo uplo, Op trans, Diag diag, index n, index nrhs, const T* A, index lda, T* B,
            index ldb) {
  Arguments<T>("trtrs", layout)
      .uplo(uplo)
      .trans(trans)
      .diag(diag)
      .size("n", n)
      .size("nrhs", nrhs)
      .matrix("A", "lda", A, n, n, lda, nrhs > 0 || diag == Diag::NonUnit)
      .matrix("B", "ldb", B, n, nrhs, ldb);
  const index zero = diag == Diag::Unit ? 0 : first_zero(matrix(layout, A, lda, n, n));
  if (zero == 0) trsm<T>(layout, Side::Left, uplo, trans, diag, n, nrhs, T(1), A, lda, B, ldb);
  return zero;
}

#define TRIGON_WITH_PIVOTS(T, Int)                                                                          \
  template TRIGON_API index getrf<T, Int>(Layout, index, index, T*, index, Int*);                           \
  template TRIGON_API void getrs<T, Int>(Layout, Op, index, index, const T*, index, const Int*, T*, index); \
  template TRIGON_API index gesv<T, Int>(Layout, index, index, T*, index, Int*, T*, index);                 \
  template TRIGON_API index getri<T, Int>(Layout, index, T*, index, const Int*);
#define TRIGON_INSTANTIATE(T)                                                                           \
  template TRIGON_API index potrf<T>(Layout, Uplo, index, T*, index);                                   \
  template TRIGON_API index trtri<T>(Layout, Uplo, Diag, index, T*, index);                             \
  template TRIGON_API void lauum<T>(Layout, Uplo, index, T*, index);                                    \
  template TRIGON_API index potri<T>(Layout, Uplo, index, T*, index);                                   \
  template TRIGON_API void potrs<T>(Layout, Uplo, index, index, const T*, index, T*, index);            \
  template TRIGON_API index posv<T>(Layout, Uplo, index, index, T*, index, T*, index);                  \
  template TRIGON_API index trtrs<T>(Layout, Uplo, Op, Diag, index, index, const T*, index, T*, index); \
  TRIGON_WITH_PIVOTS(T, std::int32_t)                                                                   \
  TRIGON_WITH_PIVOTS(T, std::int64_t)
TRIGON_INSTANTIATE(float)
TRIGON_INSTANTIATE(double)
TRIGON_INSTANTIATE(std::complex<float>)
TRIGON_INSTANTIATE(std::complex<double>)
#undef TRIGON_INSTANTIATE
#undef TRIGON_WITH_PIVOTS

}  // namespace trigon
