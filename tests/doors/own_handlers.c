/* A library with error handlers of its own, as extensions of R and Python have them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#ifdef TRIGON_BLAS_ILP64
typedef int64_t Int;
#define xerbla_ xerbla_64_
#define cblas_xerbla cblas_xerbla_64
#define NAME "xerbla_64_"
#define dgemm_ dgemm_64_
#else
typedef int32_t Int;
#define NAME "xerbla_"
#endif

char heard[128];
int goes_on; /* to the default handler */

void xerbla_(const char* routine, const Int* position, size_t length) {
  snprintf(heard, sizeof heard, "%.*s %d", (int)length, routine, (int)*position);
  void (*const first)(const char*, const Int*, size_t) =
      (void (*)(const char*, const Int*, size_t))dlsym(RTLD_DEFAULT, NAME);
  if (goes_on) first(routine, position, length);
}

#ifdef WITH_BLAS
void dgemm_(void) {}
#endif

void cblas_xerbla(Int position, const char* routine, const char* form, ...) {
  va_list values;
  va_start(values, form);
  const int n = snprintf(heard, sizeof heard, "%s %d ", routine, (int)position);
  vsnprintf(heard + n, sizeof heard - (size_t)n, form, values);
  va_end(values);
}
