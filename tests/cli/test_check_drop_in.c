/* A drop-in whose dtrsm is that of the library TEST_BLAS_FORWARD but for the last bit of one element, as
   TEST_BLAS_DIFFERS says: in every second call, with two threads, or where the matrix begins. All of it is within the
   bounds: what `trigon check` must notice by the bits alone. Or with the same bits, but from then on subnormals are
   flushed to zero in the thread that has called. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void* forward(const char* name) {
  void* const library = dlopen(getenv("TEST_BLAS_FORWARD"), RTLD_NOW | RTLD_LOCAL);
  void* const routine = library ? dlsym(library, name) : NULL;
  if (!routine) abort();
  return routine;
}

static void flush_subnormals(void) {
#if defined(__x86_64__)
  unsigned state;
  __asm__ volatile("stmxcsr %0" : "=m"(state));
  state |= 0x8040;
  __asm__ volatile("ldmxcsr %0" : : "m"(state));
#elif defined(__aarch64__)
  uint64_t state;
  __asm__ volatile("mrs %0, fpcr" : "=r"(state));
  state |= (uint64_t)1 << 24;
  __asm__ volatile("msr fpcr, %0" : : "r"(state));
#else
#error "how this processor flushes subnormals is not known here"
#endif
}

static int differs(const double* b) {
  static int calls;
  const char* const when = getenv("TEST_BLAS_DIFFERS");
  const char* const threads = getenv("TRIGON_NUM_THREADS");
  if (strcmp(when, "second call") == 0) return ++calls % 2 == 0;
  if (strcmp(when, "two threads") == 0) return threads && strcmp(threads, "2") == 0;
  if (strcmp(when, "subnormals") == 0) return flush_subnormals(), 0;
  if (strcmp(when, "alignment") == 0) return (uintptr_t)b / sizeof *b % 2 == 0;
  abort();
}

/* A small result would be out of its bounds. */
static void change(int m, int n, double alpha, double* b) {
  if (!differs(b) || m < 16 || n < 16 || alpha == 0) return;
  uint64_t bits;
  memcpy(&bits, b, sizeof bits);
  bits ^= 1;
  memcpy(b, &bits, sizeof bits);
}

__attribute__((visibility("default"))) void dtrsm_(const char* side, const char* uplo, const char* trans,
                                                   const char* diag, const int* m, const int* n, const double* alpha,
                                                   const double* a, const int* lda, double* b, const int* ldb) {
  void (*const right)(const char*, const char*, const char*, const char*, const int*, const int*, const double*,
                      const double*, const int*, double*, const int*) = forward("dtrsm_");
  right(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
  change(*m, *n, *alpha, b);
}

__attribute__((visibility("default"))) void cblas_dtrsm(int layout, int side, int uplo, int trans, int diag, int m,
                                                        int n, double alpha, const double* a, int lda, double* b,
                                                        int ldb) {
  void (*const right)(int, int, int, int, int, int, int, double, const double*, int, double*, int) =
      forward("cblas_dtrsm");
  right(layout, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
  change(m, n, alpha, b);
}
