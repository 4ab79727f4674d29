/** @file
 *  The C door of Trigon: dense triangular, symmetric and general matrix products, and triangular solves.
 *
 *  A routine trigon_<p><operation> has the arguments of cblas_<p><operation> in the same order, with 64-bit
 *  sizes, and returns a status. The letter p is the precision: s (float), d (double), c (complex float) or
 *  z (complex double). Real scalars are passed by value; complex scalars by address, and complex arrays as void
 *  pointers to pairs of real numbers, so `float _Complex`, `std::complex<float>` and `float[2]` all fit.
 *
 *  A matrix of r rows and c columns is stored column by column (TRIGON_COL_MAJOR, element (i, j) at i + j ld,
 *  ld >= max(1, r)) or row by row (TRIGON_ROW_MAJOR, element (i, j) at i ld + j, ld >= max(1, c)). Sizes, leading
 *  dimensions and increments are in elements. op(A) is A, its transpose or its conjugate transpose. Results
 *  must not overlap with other operands.
 *
 *  Errors: a routine that returns TRIGON_INVALID_ARGUMENT has written nothing; trigon_last_error() says what was
 *  wrong. All functions may be called from any number of threads at once.
 */
#ifndef TRIGON_TRIGON_H
#define TRIGON_TRIGON_H

#include <stdint.h>

#if defined(__GNUC__)
#define TRIGON_API __attribute__((visibility("default")))
#else
#define TRIGON_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What a routine returns. */
typedef enum trigon_status {
  TRIGON_SUCCESS = 0,
  TRIGON_INVALID_ARGUMENT = 1, /**< an argument is wrong; nothing has been written */
  TRIGON_OUT_OF_MEMORY = 2,    /**< memory ran out; the output operand may have been written in part */
  TRIGON_BACKEND_ERROR = 3     /**< the backend is unavailable or failed; as above */
} trigon_status;

/** The flags. Their values are those of CBLAS, whose constants may be used in their place. */
enum trigon_flag {
  TRIGON_ROW_MAJOR = 101,  /**< layout */
  TRIGON_COL_MAJOR = 102,  /**< layout */
  TRIGON_NO_TRANS = 111,   /**< op(A) = A */
  TRIGON_TRANS = 112,      /**< op(A) = A^T */
  TRIGON_CONJ_TRANS = 113, /**< op(A) = A^H; the same as TRIGON_TRANS for real matrices */
  TRIGON_UPPER = 121,      /**< uplo: the upper triangle is stored */
  TRIGON_LOWER = 122,      /**< uplo: the lower triangle is stored */
  TRIGON_NON_UNIT = 131,   /**< diag: the diagonal is stored */
  TRIGON_UNIT = 132,       /**< diag: the diagonal is all ones, and not read */
  TRIGON_LEFT = 141,       /**< side: A stands on the left of the other factor */
  TRIGON_RIGHT = 142       /**< side: A stands on its right */
};

/** The version of the library, "major.minor.patch". */
TRIGON_API const char* trigon_version(void);

/** The message of the last routine on this thread that did not return TRIGON_SUCCESS, "" if there was none. For a
 *  bad argument, it names the routine, the argument, its position and what it was: "dtrsm: argument 10 (lda)
 *  is 3, must be at least 5". The string is valid until the thread's next failure. */
TRIGON_API const char* trigon_last_error(void);

/** The position of the bad argument, counted from 1 with the layout first, if that failure was
 *  TRIGON_INVALID_ARGUMENT; 0 otherwise. */
TRIGON_API int trigon_last_argument(void);

/** C := alpha op(A) op(B) + beta C.
 *
 *  C is m x n, op(A) is m x k and op(B) is k x n. A is not read when alpha is 0, C not when beta is 0. */
TRIGON_API trigon_status trigon_sgemm(int layout, int transa, int transb, int64_t m, int64_t n, int64_t k, float alpha,
                                      const float* a, int64_t lda, const float* b, int64_t ldb, float beta, float* c,
                                      int64_t ldc);
TRIGON_API trigon_status trigon_dgemm(int layout, int transa, int transb, int64_t m, int64_t n, int64_t k, double alpha,
                                      const double* a, int64_t lda, const double* b, int64_t ldb, double beta,
                                      double* c, int64_t ldc);
TRIGON_API trigon_status trigon_cgemm(int layout, int transa, int transb, int64_t m, int64_t n, int64_t k,
                                      const void* alpha, const void* a, int64_t lda, const void* b, int64_t ldb,
                                      const void* beta, void* c, int64_t ldc);
TRIGON_API trigon_status trigon_zgemm(int layout, int transa, int transb, int64_t m, int64_t n, int64_t k,
                                      const void* alpha, const void* a, int64_t lda, const void* b, int64_t ldb,
                                      const void* beta, void* c, int64_t ldc);

/** C := alpha A B + beta C with A symmetric and `side` TRIGON_LEFT, or C := alpha B A + beta C with TRIGON_RIGHT.
 *
 *  B and C are m x n; A has order m on the left and n on the right, and only the triangle `uplo` of it is read. */
TRIGON_API trigon_status trigon_ssymm(int layout, int side, int uplo, int64_t m, int64_t n, float alpha, const float* a,
                                      int64_t lda, const float* b, int64_t ldb, float beta, float* c, int64_t ldc);
TRIGON_API trigon_status trigon_dsymm(int layout, int side, int uplo, int64_t m, int64_t n, double alpha,
                                      const double* a, int64_t lda, const double* b, int64_t ldb, double beta,
                                      double* c, int64_t ldc);
TRIGON_API trigon_status trigon_csymm(int layout, int side, int uplo, int64_t m, int64_t n, const void* alpha,
                                      const void* a, int64_t lda, const void* b, int64_t ldb, const void* beta, void* c,
                                      int64_t ldc);
TRIGON_API trigon_status trigon_zsymm(int layout, int side, int uplo, int64_t m, int64_t n, const void* alpha,
                                      const void* a, int64_t lda, const void* b, int64_t ldb, const void* beta, void* c,
                                      int64_t ldc);

/** As symm, with A Hermitian. The imaginary parts of A's diagonal are taken to be zero. */
TRIGON_API trigon_status trigon_chemm(int layout, int side, int uplo, int64_t m, int64_t n, const void* alpha,
                                      const void* a, int64_t lda, const void* b, int64_t ldb, const void* beta, void* c,
                                      int64_t ldc);
TRIGON_API trigon_status trigon_zhemm(int layout, int side, int uplo, int64_t m, int64_t n, const void* alpha,
                                      const void* a, int64_t lda, const void* b, int64_t ldb, const void* beta, void* c,
                                      int64_t ldc);

/** C := alpha op(A) op(A)^T + beta C for the triangle `uplo` of the symmetric n x n matrix C.
 *
 *  op(A) is n x k. `trans` is TRIGON_NO_TRANS or TRIGON_TRANS; real routines take TRIGON_CONJ_TRANS for TRIGON_TRANS.
 */
TRIGON_API trigon_status trigon_ssyrk(int layout, int uplo, int trans, int64_t n, int64_t k, float alpha,
                                      const float* a, int64_t lda, float beta, float* c, int64_t ldc);
TRIGON_API trigon_status trigon_dsyrk(int layout, int uplo, int trans, int64_t n, int64_t k, double alpha,
                                      const double* a, int64_t lda, double beta, double* c, int64_t ldc);
TRIGON_API trigon_status trigon_csyrk(int layout, int uplo, int trans, int64_t n, int64_t k, const void* alpha,
                                      const void* a, int64_t lda, const void* beta, void* c, int64_t ldc);
TRIGON_API trigon_status trigon_zsyrk(int layout, int uplo, int trans, int64_t n, int64_t k, const void* alpha,
                                      const void* a, int64_t lda, const void* beta, void* c, int64_t ldc);

/** C := alpha op(A) op(A)^H + beta C for the triangle `uplo` of the Hermitian n x n matrix C, alpha and beta real.
 *
 *  op(A) is n x k. `trans` is TRIGON_NO_TRANS or TRIGON_CONJ_TRANS. The diagonal of C comes out real. */
TRIGON_API trigon_status trigon_cherk(int layout, int uplo, int trans, int64_t n, int64_t k, float alpha, const void* a,
                                      int64_t lda, float beta, void* c, int64_t ldc);
TRIGON_API trigon_status trigon_zherk(int layout, int uplo, int trans, int64_t n, int64_t k, double alpha,
                                      const void* a, int64_t lda, double beta, void* c, int64_t ldc);

/** C := alpha op(A) op(B)^T + alpha op(B) op(A)^T + beta C for the triangle `uplo` of the symmetric n x n matrix C.
 *
 *  op(A) and op(B) are n x k. `trans` as in syrk. */
TRIGON_API trigon_status trigon_ssyr2k(int layout, int uplo, int trans, int64_t n, int64_t k, float alpha,
                                       const float* a, int64_t lda, const float* b, int64_t ldb, float beta, float* c,
                                       int64_t ldc);
TRIGON_API trigon_status trigon_dsyr2k(int layout, int uplo, int trans, int64_t n, int64_t k, double alpha,
                                       const double* a, int64_t lda, const double* b, int64_t ldb, double beta,
                                       double* c, int64_t ldc);
TRIGON_API trigon_status trigon_csyr2k(int layout, int uplo, int trans, int64_t n, int64_t k, const void* alpha,
                                       const void* a, int64_t lda, const void* b, int64_t ldb, const void* beta,
                                       void* c, int64_t ldc);
TRIGON_API trigon_status trigon_zsyr2k(int layout, int uplo, int trans, int64_t n, int64_t k, const void* alpha,
                                       const void* a, int64_t lda, const void* b, int64_t ldb, const void* beta,
                                       void* c, int64_t ldc);

/** C := alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C for the triangle `uplo` of the Hermitian n x n matrix
 *  C, beta real.
 *
 *  op(A) and op(B) are n x k. `trans` as in herk. The diagonal of C comes out real. */
TRIGON_API trigon_status trigon_cher2k(int layout, int uplo, int trans, int64_t n, int64_t k, const void* alpha,
                                       const void* a, int64_t lda, const void* b, int64_t ldb, float beta, void* c,
                                       int64_t ldc);
TRIGON_API trigon_status trigon_zher2k(int layout, int uplo, int trans, int64_t n, int64_t k, const void* alpha,
                                       const void* a, int64_t lda, const void* b, int64_t ldb, double beta, void* c,
                                       int64_t ldc);

/** B := alpha op(A) B with A triangular and `side` TRIGON_LEFT, or B := alpha B op(A) with TRIGON_RIGHT.
 *
 *  B is m x n; A has order m on the left and n on the right. Only the triangle `uplo` of A is read, and of a
 *  TRIGON_UNIT triangle not the diagonal either. With alpha = 0 nothing is read and B becomes zero. */
TRIGON_API trigon_status trigon_strmm(int layout, int side, int uplo, int transa, int diag, int64_t m, int64_t n,
                                      float alpha, const float* a, int64_t lda, float* b, int64_t ldb);
TRIGON_API trigon_status trigon_dtrmm(int layout, int side, int uplo, int transa, int diag, int64_t m, int64_t n,
                                      double alpha, const double* a, int64_t lda, double* b, int64_t ldb);
TRIGON_API trigon_status trigon_ctrmm(int layout, int side, int uplo, int transa, int diag, int64_t m, int64_t n,
                                      const void* alpha, const void* a, int64_t lda, void* b, int64_t ldb);
TRIGON_API trigon_status trigon_ztrmm(int layout, int side, int uplo, int transa, int diag, int64_t m, int64_t n,
                                      const void* alpha, const void* a, int64_t lda, void* b, int64_t ldb);

/** Solves op(A) X = alpha B with A triangular and `side` TRIGON_LEFT, or X op(A) = alpha B with TRIGON_RIGHT; X
 *  overwrites B.
 *
 *  Shapes and triangles as in trmm. A singular A is no error: the result then has infinities and NaNs, as in BLAS. */
TRIGON_API trigon_status trigon_strsm(int layout, int side, int uplo, int transa, int diag, int64_t m, int64_t n,
                                      float alpha, const float* a, int64_t lda, float* b, int64_t ldb);
TRIGON_API trigon_status trigon_dtrsm(int layout, int side, int uplo, int transa, int diag, int64_t m, int64_t n,
                                      double alpha, const double* a, int64_t lda, double* b, int64_t ldb);
TRIGON_API trigon_status trigon_ctrsm(int layout, int side, int uplo, int transa, int diag, int64_t m, int64_t n,
                                      const void* alpha, const void* a, int64_t lda, void* b, int64_t ldb);
TRIGON_API trigon_status trigon_ztrsm(int layout, int side, int uplo, int transa, int diag, int64_t m, int64_t n,
                                      const void* alpha, const void* a, int64_t lda, void* b, int64_t ldb);

/** x := op(A) x with A triangular of order n.
 *
 *  Element i of the vector is x[i * incx], or x[(i - n + 1) * incx] when incx is negative; incx must not be 0. */
TRIGON_API trigon_status trigon_strmv(int layout, int uplo, int trans, int diag, int64_t n, const float* a, int64_t lda,
                                      float* x, int64_t incx);
TRIGON_API trigon_status trigon_dtrmv(int layout, int uplo, int trans, int diag, int64_t n, const double* a,
                                      int64_t lda, double* x, int64_t incx);
TRIGON_API trigon_status trigon_ctrmv(int layout, int uplo, int trans, int diag, int64_t n, const void* a, int64_t lda,
                                      void* x, int64_t incx);
TRIGON_API trigon_status trigon_ztrmv(int layout, int uplo, int trans, int diag, int64_t n, const void* a, int64_t lda,
                                      void* x, int64_t incx);

/** Solves op(A) x = b with A triangular of order n; x overwrites b. The vector is laid out as in trmv; a singular A is
 *  no error, as in trsm. */
TRIGON_API trigon_status trigon_strsv(int layout, int uplo, int trans, int diag, int64_t n, const float* a, int64_t lda,
                                      float* x, int64_t incx);
TRIGON_API trigon_status trigon_dtrsv(int layout, int uplo, int trans, int diag, int64_t n, const double* a,
                                      int64_t lda, double* x, int64_t incx);
TRIGON_API trigon_status trigon_ctrsv(int layout, int uplo, int trans, int diag, int64_t n, const void* a, int64_t lda,
                                      void* x, int64_t incx);
TRIGON_API trigon_status trigon_ztrsv(int layout, int uplo, int trans, int diag, int64_t n, const void* a, int64_t lda,
                                      void* x, int64_t incx);

#ifdef __cplusplus
}
#endif

#endif
