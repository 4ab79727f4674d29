/* A BLAS whose dtrsm leaves B as it was, or reads where nothing is: what `trigon bench` and `check` must notice. */
#include <stdlib.h>

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
__attribute__((visibility("default"))) void dtrsm_(void) { broken(); }
__attribute__((visibility("default"))) void cblas_dtrsm(void) { broken(); }
#endif
