/* A BLAS whose dtrsm leaves B as it was, or reads where nothing is: what `trigon bench` and `check` must notice. With
   TEST_BLAS_MENDS only the first call does nothing, the others solve with a lower triangle on the left; with
   TEST_BLAS_IS_SLOW all do, and take a millisecond of the processor's time; with TEST_BLAS_QUICKENS so many take a
   tenth of that, and the others no time but for the solution. */
#include <stdlib.h>
#include <time.h>

static void broken(void) {
  if (getenv("TEST_BLAS_CRASHES")) {
    volatile int* nowhere = (volatile int*)64;
    (void)*nowhere;
  }
}

#ifdef TEST_PREFIXED /* as in SciPy's wheels */
__attribute__((visibility("default"))) void scipy_dgemm_(void) { broken(); }
__attribute__((visibility("default"))) void scipy_dtrsm_(void) { broken(); }
#else
__attribute__((visibility("default"))) void dtrsm_(const char* side, const char* uplo, const char* trans,
                                                   const char* diag, const int* m, const int* n, const double* alpha,
                                                   const double* a, const int* lda, double* b, const int* ldb) {
  static int calls;
  (void)side, (void)uplo, (void)trans, (void)diag;
  broken();
  const char* const quickens = getenv("TEST_BLAS_QUICKENS");
  const int slow = getenv("TEST_BLAS_IS_SLOW") ? 1000 : quickens ? (calls++ < atoi(quickens) ? 100 : 1) : 0;
  if (slow)
    for (const clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC / 1000000 * slow;) continue;
  else if (!getenv("TEST_BLAS_MENDS") || calls++ == 0)
    return;
  for (int j = 0; j < *n; ++j)
    for (int i = 0; i < *m; ++i) {
      double x = *alpha * b[i + j * *ldb];
      for (int k = 0; k < i; ++k) x -= a[i + k * *lda] * b[k + j * *ldb];
      b[i + j * *ldb] = x / a[i + i * *lda];
    }
}
__attribute__((visibility("default"))) void cblas_dtrsm(void) { broken(); }
#endif
