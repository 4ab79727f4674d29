/* A library whose constructor calls BLAS: with the loader's lock. */
#include <stdint.h>
#include <time.h>

#ifdef TRIGON_BLAS_ILP64
typedef int64_t Int;
#define ddot_ ddot_64_
#else
typedef int32_t Int;
#endif

double ddot_(const Int* n, const double* x, const Int* incx, const double* y, const Int* incy);

double dot_of_constructor;

__attribute__((constructor)) static void call(void) {
  const struct timespec while_others_call = {0, 200000000};
  nanosleep(&while_others_call, 0);
  const Int one = 1;
  const double two = 2;
  dot_of_constructor = ddot_(&one, &two, &one, &two, &one);
}
