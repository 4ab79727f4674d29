/* A BLAS that ends the process as a STOP of Fortran does: nothing is wrong with the status. What `trigon bench` and
   `check` must notice. With TEST_EXITS_WHEN_LOADED, before anything is called. */
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void when_loaded(void) {
  if (getenv("TEST_EXITS_WHEN_LOADED")) exit(0);
}

/* Two threads must not exit at once: their handlers would run together. */
static void stop(void) {
  static atomic_flag begun = ATOMIC_FLAG_INIT;
  while (atomic_flag_test_and_set(&begun)) pause();
  exit(0);
}

void sgemm_(void) { stop(); }
void dgemm_(void) { stop(); }
void cgemm_(void) { stop(); }
void zgemm_(void) { stop(); }
void dtrsm_(void) { stop(); }
void cblas_dtrsm(void) { stop(); }
