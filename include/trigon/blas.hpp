// The C++ door: triangular, symmetric and matrix products in the argument order of BLAS++.
//
// T is float, double, std::complex<float> or std::complex<double>. Sizes and leading dimensions are in
// elements, 64-bit. A matrix of r rows and c columns is stored column by column (ColMajor, ld >= max(1, r))
// or row by row (RowMajor, ld >= max(1, c)). Flags behave as in BLAS: the triangle that `uplo` does not
// name has no say and is not written, nor has a diagonal declared Unit (a vector may be read across them, but
// not beyond the matrix); alpha = 0 and beta = 0 overwrite without reading. Results and inputs must not overlap.
//
// Errors: argument_error before anything is written; backend_error when a backend cannot do its work.
// A singular triangle is no error: the quotients are IEEE infinities and NaNs, as in the reference BLAS.
// All functions may be called from any number of threads at once.
#pragma once

#include <trigon/call.hpp>
#include <trigon/error.hpp>
#include <trigon/types.hpp>

namespace trigon {

namespace detail {
// Keeps alpha and beta out of deduction, so that plain literals convert.
template <class T>
using scalar = std::type_identity_t<T>;

template <class T>
Call call(Operation operation, Layout layout) {
  Call c;
  c.operation = operation;
  c.precision = precision_of<T>;
  c.layout = layout;
  return c;
}
template <class T>
std::complex<double> widen(T x) {
  return std::complex<double>(x);
}

template <class T>
Call gemm(Layout layout, Op transa, Op transb, index m, index n, index k, T alpha, const void* A, index lda,
          const void* B, index ldb, T beta, void* C, index ldc) {
  Call c = call<T>(Operation::Gemm, layout);
  c.transa = transa, c.transb = transb;
  c.m = m, c.n = n, c.k = k;
  c.alpha = widen(alpha), c.beta = widen(beta);
  c.a = A, c.lda = lda, c.b = const_cast<void*>(B), c.ldb = ldb, c.c = C, c.ldc = ldc;
  return c;
}

template <class T>
Call product(Operation operation, Layout layout, Side side, Uplo uplo, index m, index n, T alpha, const void* A,
             index lda, const void* B, index ldb, T beta, void* C, index ldc) {
  Call c = call<T>(operation, layout);
  c.side = side, c.uplo = uplo;
  c.m = m, c.n = n;
  c.alpha = widen(alpha), c.beta = widen(beta);
  c.a = A, c.lda = lda, c.b = const_cast<void*>(B), c.ldb = ldb, c.c = C, c.ldc = ldc;
  return c;
}

template <class T>
Call update(Operation operation, Layout layout, Uplo uplo, Op trans, index n, index k, std::complex<double> alpha,
            const void* A, index lda, const void* B, index ldb, std::complex<double> beta, void* C, index ldc) {
  Call c = call<T>(operation, layout);
  c.uplo = uplo, c.transa = trans;
  c.n = n, c.k = k;
  c.alpha = alpha, c.beta = beta;
  c.a = A, c.lda = lda, c.b = const_cast<void*>(B), c.ldb = ldb, c.c = C, c.ldc = ldc;
  return c;
}

template <class T>
Call triangular(Operation operation, Layout layout, Side side, Uplo uplo, Op trans, Diag diag, index m, index n,
                T alpha, const void* A, index lda, void* B, index ldb) {
  Call c = call<T>(operation, layout);
  c.side = side, c.uplo = uplo, c.transa = trans, c.diag = diag;
  c.m = m, c.n = n;
  c.alpha = widen(alpha);
  c.a = A, c.lda = lda, c.b = B, c.ldb = ldb;
  return c;
}

template <class T>
Call triangular(Operation operation, Layout layout, Uplo uplo, Op trans, Diag diag, index n, const void* A, index lda,
                void* x, index incx) {
  Call c = call<T>(operation, layout);
  c.uplo = uplo, c.transa = trans, c.diag = diag;
  c.n = n;
  c.a = A, c.lda = lda, c.b = x, c.incx = incx;
  return c;
}
}  // namespace detail

/// C := alpha op(A) op(B) + beta C. C is m × n, op(A) m × k, op(B) k × n.
template <class T>
void gemm(Layout layout, Op transa, Op transb, index m, index n, index k, detail::scalar<T> alpha, const T* A,
          index lda, const T* B, index ldb, detail::scalar<T> beta, T* C, index ldc) {
  execute(detail::gemm<T>(layout, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc));
}

/// C := alpha A B + beta C (Left) or alpha B A + beta C (Right), A symmetric with the triangle `uplo` stored.
/// B and C are m × n, A is m × m on the left and n × n on the right.
template <class T>
void symm(Layout layout, Side side, Uplo uplo, index m, index n, detail::scalar<T> alpha, const T* A, index lda,
          const T* B, index ldb, detail::scalar<T> beta, T* C, index ldc) {
  execute(detail::product<T>(Operation::Symm, layout, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc));
}

/// The same with A Hermitian: the imaginary parts of its diagonal are taken as zero and not read.
/// With a real T this is symm.
template <class T>
void hemm(Layout layout, Side side, Uplo uplo, index m, index n, detail::scalar<T> alpha, const T* A, index lda,
          const T* B, index ldb, detail::scalar<T> beta, T* C, index ldc) {
  execute(detail::product<T>(Operation::Hemm, layout, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc));
}

/// C := alpha op(A) op(A)^T + beta C on the triangle `uplo` of the n × n matrix C; op(A) is n × k.
/// `trans`: N or T, for a real T also C.
template <class T>
void syrk(Layout layout, Uplo uplo, Op trans, index n, index k, detail::scalar<T> alpha, const T* A, index lda,
          detail::scalar<T> beta, T* C, index ldc) {
  execute(detail::update<T>(Operation::Syrk, layout, uplo, trans, n, k, detail::widen(alpha), A, lda, nullptr, 0,
                            detail::widen(beta), C, ldc));
}

/// C := alpha op(A) op(A)^H + beta C, alpha and beta real; the diagonal of C comes out real.
/// `trans`: N or C, for a real T also T.
template <class T>
void herk(Layout layout, Uplo uplo, Op trans, index n, index k, detail::scalar<real_t<T>> alpha, const T* A, index lda,
          detail::scalar<real_t<T>> beta, T* C, index ldc) {
  execute(detail::update<T>(Operation::Herk, layout, uplo, trans, n, k, alpha, A, lda, nullptr, 0, beta, C, ldc));
}

/// C := alpha op(A) op(B)^T + alpha op(B) op(A)^T + beta C on one triangle; op(A) and op(B) are n × k.
/// `trans`: N or T, for a real T also C.
template <class T>
void syr2k(Layout layout, Uplo uplo, Op trans, index n, index k, detail::scalar<T> alpha, const T* A, index lda,
           const T* B, index ldb, detail::scalar<T> beta, T* C, index ldc) {
  execute(detail::update<T>(Operation::Syr2k, layout, uplo, trans, n, k, detail::widen(alpha), A, lda, B, ldb,
                            detail::widen(beta), C, ldc));
}

/// C := alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C, beta real; the diagonal comes out real.
/// `trans`: N or C, for a real T also T.
template <class T>
void her2k(Layout layout, Uplo uplo, Op trans, index n, index k, detail::scalar<T> alpha, const T* A, index lda,
           const T* B, index ldb, detail::scalar<real_t<T>> beta, T* C, index ldc) {
  execute(detail::update<T>(Operation::Her2k, layout, uplo, trans, n, k, detail::widen(alpha), A, lda, B, ldb, beta, C,
                            ldc));
}

/// B := alpha op(A) B (Left) or alpha B op(A) (Right), A triangular. B is m × n; A is m × m on the left and
/// n × n on the right. In place, no workspace.
template <class T>
void trmm(Layout layout, Side side, Uplo uplo, Op trans, Diag diag, index m, index n, detail::scalar<T> alpha,
          const T* A, index lda, T* B, index ldb) {
  execute(detail::triangular<T>(Operation::Trmm, layout, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb));
}

/// Solves op(A) X = alpha B (Left) or X op(A) = alpha B (Right); X overwrites B. Sizes as in trmm.
/// Backward stable whatever the condition of A: no inverse of a diagonal block is formed, unless TRIGON_SOLVE=inverted
/// asks a device for it.
template <class T>
void trsm(Layout layout, Side side, Uplo uplo, Op trans, Diag diag, index m, index n, detail::scalar<T> alpha,
          const T* A, index lda, T* B, index ldb) {
  execute(detail::triangular<T>(Operation::Trsm, layout, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb));
}

/// x := op(A) x, A triangular of order n. Element i of x is x[i * incx], or for a negative increment
/// x[(i - n + 1) * incx].
template <class T>
void trmv(Layout layout, Uplo uplo, Op trans, Diag diag, index n, const T* A, index lda, T* x, index incx) {
  execute(detail::triangular<T>(Operation::Trmv, layout, uplo, trans, diag, n, A, lda, x, incx));
}

/// Solves op(A) x = b; x overwrites b. Arguments as in trmv.
template <class T>
void trsv(Layout layout, Uplo uplo, Op trans, Diag diag, index n, const T* A, index lda, T* x, index incx) {
  execute(detail::triangular<T>(Operation::Trsv, layout, uplo, trans, diag, n, A, lda, x, incx));
}

}  // namespace trigon
