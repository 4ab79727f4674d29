// Eigen behind Fortran BLAS names, as a program would write each operation in Eigen, one thread.
// It has no complex symmetric products (only Hermitian ones), so csymm, csyrk, csyr2k and the z ones are not here.
#include <Eigen/Core>
#include <complex>
#include <type_traits>
#include <utility>

namespace {

template <class T>
using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using In = Eigen::Map<const Dense<T>, 0, Eigen::OuterStride<>>;
template <class T>
using InOut = Eigen::Map<Dense<T>, 0, Eigen::OuterStride<>>;
template <class T>
using Vector = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>, 0, Eigen::InnerStride<>>;

/// Calls f(op(A)).
template <class M, class F>
void with_op(char trans, const M& a, const F& f) {
  switch (trans) {
    case 'N': return f(a);
    case 'T': return f(a.transpose());
    default: return f(a.adjoint());
  }
}

/// Calls f(triangle of op(A)), whose side of the diagonal changes with a transposition.
template <class M, class F>
void with_triangle(char uplo, char trans, char diag, const M& a, const F& f) {
  const bool lower = (uplo == 'L') == (trans == 'N');
  with_op(trans, a, [&](const auto& op) {
    if (lower && diag == 'N') return f(op.template triangularView<Eigen::Lower>());
    if (lower) return f(op.template triangularView<Eigen::UnitLower>());
    if (diag == 'N') return f(op.template triangularView<Eigen::Upper>());
    return f(op.template triangularView<Eigen::UnitUpper>());
  });
}

/// Calls f(the Hermitian matrix of which `uplo` is stored).
template <class M, class F>
void with_hermitian(char uplo, M&& a, const F& f) {
  if (uplo == 'L') return f(a.template selfadjointView<Eigen::Lower>());
  return f(a.template selfadjointView<Eigen::Upper>());
}

template <class C, class T>
void scale(C& c, T beta) {
  if (beta == T(0))
    c.setZero();
  else if (beta != T(1))
    c *= beta;
}

template <class C, class T>
void scale_triangle(char uplo, C& c, T beta) {
  if (beta == T(1)) return;
  const auto apply = [&](auto triangle) {
    if (beta == T(0))
      triangle.setZero();
    else
      triangle *= beta;
  };
  uplo == 'L' ? apply(c.template triangularView<Eigen::Lower>()) : apply(c.template triangularView<Eigen::Upper>());
}

/// BLAS takes the diagonal of a Hermitian matrix as real, whatever is stored.
template <class C>
void make_diagonal_real(C& c) {
  using T = typename C::Scalar;
  if constexpr (Eigen::NumTraits<T>::IsComplex) c.diagonal() = c.diagonal().real().template cast<T>();
}

template <class T>
void gemm(char transa, char transb, int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta,
          T* c, int ldc) {
  InOut<T> C(c, m, n, Eigen::OuterStride<>(ldc));
  const In<T> A(a, transa == 'N' ? m : k, transa == 'N' ? k : m, Eigen::OuterStride<>(lda));
  const In<T> B(b, transb == 'N' ? k : n, transb == 'N' ? n : k, Eigen::OuterStride<>(ldb));
  scale(C, beta);
  with_op(transa, A, [&](const auto& left) {
    with_op(transb, B, [&](const auto& right) { C.noalias() += alpha * left * right; });
  });
}

template <class T>
void hemm(char side, char uplo, int m, int n, T alpha, const T* a, int lda, const T* b, int ldb, T beta, T* c,
          int ldc) {
  const int order = side == 'L' ? m : n;
  const In<T> A(a, order, order, Eigen::OuterStride<>(lda)), B(b, m, n, Eigen::OuterStride<>(ldb));
  InOut<T> C(c, m, n, Eigen::OuterStride<>(ldc));
  scale(C, beta);
  with_hermitian(uplo, A, [&](const auto& symmetric) {
    if (side == 'L')
      C.noalias() += alpha * symmetric * B;
    else
      C.noalias() += alpha * B * symmetric;
  });
}

template <class T, class R>
void herk(char uplo, char trans, int n, int k, R alpha, const T* a, int lda, R beta, T* c, int ldc) {
  const In<T> A(a, trans == 'N' ? n : k, trans == 'N' ? k : n, Eigen::OuterStride<>(lda));
  InOut<T> C(c, n, n, Eigen::OuterStride<>(ldc));
  scale_triangle(uplo, C, T(beta));
  make_diagonal_real(C);
  with_hermitian(uplo, C, [&](auto symmetric) {
    if (trans == 'N')
      symmetric.rankUpdate(A, alpha);
    else
      symmetric.rankUpdate(A.adjoint(), alpha);
  });
  make_diagonal_real(C);
}

template <class T, class R>
void her2k(char uplo, char trans, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, R beta, T* c,
           int ldc) {
  const int rows = trans == 'N' ? n : k, columns = trans == 'N' ? k : n;
  const In<T> A(a, rows, columns, Eigen::OuterStride<>(lda)), B(b, rows, columns, Eigen::OuterStride<>(ldb));
  InOut<T> C(c, n, n, Eigen::OuterStride<>(ldc));
  scale_triangle(uplo, C, T(beta));
  make_diagonal_real(C);
  // Eigen's rank-2 update is one of vectors; a rank-2k update is a triangle of two products.
  const auto update = [&](auto triangle) {
    if (trans == 'N') {
      triangle += alpha * A * B.adjoint();
      triangle += Eigen::numext::conj(alpha) * B * A.adjoint();
    } else {
      triangle += alpha * A.adjoint() * B;
      triangle += Eigen::numext::conj(alpha) * B.adjoint() * A;
    }
  };
  uplo == 'L' ? update(C.template triangularView<Eigen::Lower>()) : update(C.template triangularView<Eigen::Upper>());
  make_diagonal_real(C);
}

template <class T>
void trmm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T* a, int lda, T* b, int ldb) {
  const int order = side == 'L' ? m : n;
  const In<T> A(a, order, order, Eigen::OuterStride<>(lda));
  InOut<T> B(b, m, n, Eigen::OuterStride<>(ldb));
  with_triangle(uplo, trans, diag, A, [&](const auto& triangle) {
    if (side == 'L')
      B = triangle * (alpha * B);
    else
      B = (alpha * B) * triangle;
  });
}

template <class T>
void trsm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T* a, int lda, T* b, int ldb) {
  const int order = side == 'L' ? m : n;
  const In<T> A(a, order, order, Eigen::OuterStride<>(lda));
  InOut<T> B(b, m, n, Eigen::OuterStride<>(ldb));
  scale(B, alpha);
  with_triangle(uplo, trans, diag, A, [&](const auto& triangle) {
    if (side == 'L')
      triangle.template solveInPlace<Eigen::OnTheLeft>(B);
    else
      triangle.template solveInPlace<Eigen::OnTheRight>(B);
  });
}

/// Calls f on the vector as Eigen has it: from its first element on.
template <class T, class F>
void with_vector(T* x, int n, int incx, const F& f) {
  if (incx > 0) {
    Vector<T> v(x, n, Eigen::InnerStride<>(incx));
    return f(v);
  }
  Vector<T> v(x + static_cast<std::ptrdiff_t>(1 - n) * incx, n, Eigen::InnerStride<>(incx));
  f(v);
}

template <class T>
void trmv(char uplo, char trans, char diag, int n, const T* a, int lda, T* x, int incx) {
  const In<T> A(a, n, n, Eigen::OuterStride<>(lda));
  with_vector(x, n, incx,
              [&](auto& v) { with_triangle(uplo, trans, diag, A, [&](const auto& triangle) { v = triangle * v; }); });
}

template <class T>
void trsv(char uplo, char trans, char diag, int n, const T* a, int lda, T* x, int incx) {
  const In<T> A(a, n, n, Eigen::OuterStride<>(lda));
  with_vector(x, n, incx, [&](auto& v) {
    with_triangle(uplo, trans, diag, A, [&](const auto& triangle) { triangle.solveInPlace(v); });
  });
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))
#define CH const char*
#define INT const int*

#define COMMON(p, T)                                                                                                \
  EXPORT void p##gemm_(CH ta, CH tb, INT m, INT n, INT k, const T* alpha, const T* a, INT lda, const T* b, INT ldb, \
                       const T* beta, T* c, INT ldc) {                                                              \
    gemm<T>(*ta, *tb, *m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);                                        \
  }                                                                                                                 \
  EXPORT void p##trmm_(CH side, CH uplo, CH t, CH diag, INT m, INT n, const T* alpha, const T* a, INT lda, T* b,    \
                       INT ldb) {                                                                                   \
    trmm<T>(*side, *uplo, *t, *diag, *m, *n, *alpha, a, *lda, b, *ldb);                                             \
  }                                                                                                                 \
  EXPORT void p##trsm_(CH side, CH uplo, CH t, CH diag, INT m, INT n, const T* alpha, const T* a, INT lda, T* b,    \
                       INT ldb) {                                                                                   \
    trsm<T>(*side, *uplo, *t, *diag, *m, *n, *alpha, a, *lda, b, *ldb);                                             \
  }                                                                                                                 \
  EXPORT void p##trmv_(CH uplo, CH t, CH diag, INT n, const T* a, INT lda, T* x, INT incx) {                        \
    trmv<T>(*uplo, *t, *diag, *n, a, *lda, x, *incx);                                                               \
  }                                                                                                                 \
  EXPORT void p##trsv_(CH uplo, CH t, CH diag, INT n, const T* a, INT lda, T* x, INT incx) {                        \
    trsv<T>(*uplo, *t, *diag, *n, a, *lda, x, *incx);                                                               \
  }

#define HERMITIAN(mm, rk, r2k, T, R)                                                                               \
  EXPORT void mm(CH side, CH uplo, INT m, INT n, const T* alpha, const T* a, INT lda, const T* b, INT ldb,         \
                 const T* beta, T* c, INT ldc) {                                                                   \
    hemm<T>(*side, *uplo, *m, *n, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);                                       \
  }                                                                                                                \
  EXPORT void rk(CH uplo, CH t, INT n, INT k, const R* alpha, const T* a, INT lda, const R* beta, T* c, INT ldc) { \
    herk<T, R>(*uplo, *t, *n, *k, *alpha, a, *lda, *beta, c, *ldc);                                                \
  }                                                                                                                \
  EXPORT void r2k(CH uplo, CH t, INT n, INT k, const T* alpha, const T* a, INT lda, const T* b, INT ldb,           \
                  const R* beta, T* c, INT ldc) {                                                                  \
    her2k<T, R>(*uplo, *t, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);                                      \
  }

COMMON(s, float)
COMMON(d, double)
COMMON(c, std::complex<float>)
COMMON(z, std::complex<double>)
HERMITIAN(ssymm_, ssyrk_, ssyr2k_, float, float)
HERMITIAN(dsymm_, dsyrk_, dsyr2k_, double, double)
HERMITIAN(chemm_, cherk_, cher2k_, std::complex<float>, float)
HERMITIAN(zhemm_, zherk_, zher2k_, std::complex<double>, double)

EXPORT const char* eigen_version() {
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
  return "Eigen " TEXT(EIGEN_WORLD_VERSION) "." TEXT(EIGEN_MAJOR_VERSION) "." TEXT(EIGEN_MINOR_VERSION);
}
