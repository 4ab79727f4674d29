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
#define daxpy_ daxpy_64_
#define NAME "xerbla_64_"
#else
typedef int32_t Int;
#define NAME "xerbla_"
#endif

char heard[128];
int times_heard;
int goes_on;        /* to the default handler */
void (*then)(void); /* what may leave it: a throw, a jump */

typedef void Handler(const char* routine, const Int* position, size_t length);

/* By a function that has no name for the dynamic linker, as the first one in the program or after this one. */
__attribute__((noinline)) static void go_on(const char* routine, const Int* position, size_t length) {
  Handler* const next = (Handler*)dlsym(RTLD_NEXT, NAME);
  Handler* const first = (Handler*)dlsym(RTLD_DEFAULT, NAME);
  (next ? next : first)(routine, position, length);
}

void xerbla_(const char* routine, const Int* position, size_t length) {
  snprintf(heard, sizeof heard, "%.*s %d", (int)length, routine, (int)*position);
  ++times_heard;
  if (then) then();
  if (goes_on) go_on(routine, position, length);
}

#ifdef WITH_BLAS
void daxpy_(void) {}
#endif

void cblas_xerbla(Int position, const char* routine, const char* form, ...) {
  va_list values;
  va_start(values, form);
  const int n = snprintf(heard, sizeof heard, "%s %d ", routine, (int)position);
  vsnprintf(heard + n, sizeof heard - (size_t)n, form, values);
  va_end(values);
}
