/* A library whose constructor, with the loader's lock, waits for a thread that makes a bad call. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifdef TRIGON_BLAS_ILP64
typedef int64_t Int;
#define dtrsv_ dtrsv_64_
#else
typedef int32_t Int;
#endif

void dtrsv_(const char* uplo, const char* trans, const char* diag, const Int* n, const double* a, const Int* lda,
            double* x, const Int* incx);

static void* err(void* none) {
  const Int n = -1, one = 1;
  const double a = 1;
  double x = 1;
  dtrsv_("L", "N", "N", &n, &a, &one, &x, &one);
  return none;
}

__attribute__((constructor)) static void wait_for_it(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, err, NULL) == 0) pthread_join(thread, NULL);
}
