// A BLAS whose GEMM is plain loops, counted, and whose other Level 2 and 3 routines end the program:
// Trigon may hand a provider nothing but GEMM.
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long long gemms;
unsigned long long spy_gemms(void) { return gemms; }

#define GEMM(name, T, CONJ)                                                                                          \
  void name(const char* ta, const char* tb, const int* m, const int* n, const int* k, const T* alpha, const T* a,    \
            const int* lda, const T* b, const int* ldb, const T* beta, T* c, const int* ldc, size_t la, size_t lb) { \
    (void)la;                                                                                                        \
    (void)lb;                                                                                                        \
    __atomic_fetch_add(&gemms, 1, __ATOMIC_RELAXED);                                                                 \
    for (size_t j = 0; j < (size_t)*n; ++j)                                                                          \
      for (size_t i = 0; i < (size_t)*m; ++i) {                                                                      \
        T sum = 0;                                                                                                   \
        for (size_t l = 0; l < (size_t)*k; ++l) {                                                                    \
          const T x = *ta == 'N' ? a[i + l * (size_t)*lda] : a[l + i * (size_t)*lda];                                \
          const T y = *tb == 'N' ? b[l + j * (size_t)*ldb] : b[j + l * (size_t)*ldb];                                \
          sum += (*ta == 'C' ? CONJ(x) : x) * (*tb == 'C' ? CONJ(y) : y);                                            \
        }                                                                                                            \
        T* const out = c + i + j * (size_t)*ldc;                                                                     \
        *out = *beta == 0 ? *alpha * sum : *alpha * sum + *beta * *out;                                              \
      }                                                                                                              \
  }
GEMM(sgemm_, float, )
GEMM(dgemm_, double, )
GEMM(cgemm_, float complex, conjf)
GEMM(zgemm_, double complex, conj)

#define FORBIDDEN(name)                                       \
  void name(void) {                                           \
    fprintf(stderr, "the provider's " #name " was called\n"); \
    abort();                                                  \
  }
#define FORBIDDEN_SDCZ(op) FORBIDDEN(s##op##_) FORBIDDEN(d##op##_) FORBIDDEN(c##op##_) FORBIDDEN(z##op##_)
FORBIDDEN_SDCZ(symm)
FORBIDDEN_SDCZ(syrk)
FORBIDDEN_SDCZ(syr2k)
FORBIDDEN_SDCZ(trmm)
FORBIDDEN_SDCZ(trsm)
FORBIDDEN_SDCZ(trmv)
FORBIDDEN_SDCZ(trsv)
FORBIDDEN(chemm_)
FORBIDDEN(zhemm_)
FORBIDDEN(cherk_)
FORBIDDEN(zherk_)
FORBIDDEN(cher2k_)
FORBIDDEN(zher2k_)
