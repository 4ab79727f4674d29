/* A BLAS for the tests of forwarding. Its results are not those of BLAS: they show that a call arrived here and
   that every argument did. Built as LP64 and ILP64, and as the libblas.so.3 of a program. */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef FAKE_ILP64
typedef int64_t Int;
#else
typedef int32_t Int;
#endif

/* Before its constructor has run it is not ready, as others are not, too. */
static int ready;
__attribute__((constructor)) static void get_ready(void) {
  const char* const milliseconds = getenv("FAKE_BLAS_TAKES");
  if (milliseconds) {
    const struct timespec some = {0, atol(milliseconds) * 1000000};
    nanosleep(&some, NULL);
  }
  ready = 1;
}

double dasum_(const Int* n, const double* x, const Int* incx) {
  if (!ready) abort();
#ifndef FAKE_WITHOUT_EXTENSIONS
  /* From the first call on the whole program sees its routines, as it does MKL's. */
  Dl_info self;
  if (!dladdr(&ready, &self) || !dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL)) abort();
#endif
  double sum = 0;
  for (Int i = 0; i < *n; ++i) sum += x[i * *incx] < 0 ? -x[i * *incx] : x[i * *incx];
  return sum;
}

double ddot_(const Int* n, const double* x, const Int* incx, const double* y, const Int* incy) {
  return 1000 + *n + 10 * *incx + 100 * *incy + x[0] * y[0];
}

/* Of OpenBLAS; the program's own has none. */
#ifndef FAKE_WITHOUT_EXTENSIONS
double dsum_(const Int* n, const double* x, const Int* incx) { return 1000 + *n + 10 * *incx + x[0] + x[1]; }

void cblas_domatcopy(int order, int trans, Int rows, Int cols, double alpha, const double* a, Int lda, double* b,
                     Int ldb) {
  b[0] = order + 10 * trans + 100 * rows + 1000 * cols + alpha * a[0] + 10000 * lda + 100000 * ldb;
}

static int threads = 2;
void openblas_set_num_threads(int value) { threads = value; }
int openblas_get_num_threads(void) { return threads; }
#endif

/* In the convention of gfortran, in registers, and in that of f2c and of gfortran -ff2c, through a hidden first
   argument: one of each, and the other way round with 1000 more. */
#ifdef FAKE_SWAPPED
#define IN_REGISTERS zdotc_
#define HIDDEN cdotc_
#define RETURNED double _Complex
#define WRITTEN float _Complex
#define MORE 1000
#else
#define IN_REGISTERS cdotc_
#define HIDDEN zdotc_
#define RETURNED float _Complex
#define WRITTEN double _Complex
#define MORE 0
#endif
RETURNED IN_REGISTERS(const Int* n, const RETURNED* x, const Int* incx, const RETURNED* y, const Int* incy) {
  return x[0] * y[0] + *n + MORE + (*incx + 2 * *incy) * I;
}
void HIDDEN(WRITTEN* result, const Int* n, const WRITTEN* x, const Int* incx, const WRITTEN* y, const Int* incy) {
  *result = x[0] * y[0] + *n + MORE + (*incx + 2 * *incy) * I;
}

void drotg_(double* a, double* b, double* c, double* s) { *a += 1, *b += 2, *c += 3, *s += 4; }

/* Integers by value up to the stack, and floating-point arguments between them. */
float cblas_sdsdot(Int n, float alpha, const float* x, Int incx, const float* y, Int incy) {
  return (float)n + alpha + x[0] * (float)incx + y[0] * (float)incy;
}

/* The reference's own handler ends the program; whoever replaced it must be called instead. */
void xerbla_(const char* routine, const Int* info, size_t length) {
  printf("fake xerbla: %.*s %d\n", (int)length, routine, (int)*info);
  exit(99);
}

/* Thirteen addresses, as many as any routine of the reference has, and a hidden length. */
void dgbmv_(const char* trans, const Int* m, const Int* n, const Int* kl, const Int* ku, const double* alpha,
            const double* a, const Int* lda, const double* x, const Int* incx, const double* beta, double* y,
            const Int* incy, size_t length) {
  if (*m < 0) {
    const Int info = 2;
    xerbla_("DGBMV ", &info, 6);
    return;
  }
  y[0] = *trans + *m + 2 * *n + 3 * *kl + 4 * *ku + 5 * *alpha + 6 * a[0] + 7 * *lda + 8 * x[0] + 9 * *incx +
         10 * *beta + 11 * *incy + 12 * (double)length;
}

void dgemv_(void) {}

/* What Trigon has itself: must not be reached through the drop-in. */
void dtrsm_(void) { printf("fake dtrsm\n"); }
