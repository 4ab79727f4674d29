/* A BLAS that ends the process as a STOP of Fortran does: nothing is wrong with the status. What `trigon bench` and
   `check` must notice. With TEST_EXITS_WHEN_LOADED, before anything is called. */
#include <stdlib.h>

__attribute__((constructor)) static void when_loaded(void) {
  if (getenv("TEST_EXITS_WHEN_LOADED")) exit(0);
}

void sgemm_(void) { exit(0); }
void dgemm_(void) { exit(0); }
void cgemm_(void) { exit(0); }
void zgemm_(void) { exit(0); }
void dtrsm_(void) { exit(0); }
void cblas_dtrsm(void) { exit(0); }
