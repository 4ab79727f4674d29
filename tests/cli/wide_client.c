/* A program for such a BLAS. */
#include <stdint.h>
#include <stdio.h>

void dtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int64_t* m, const int64_t* n,
            const double* alpha, const double* a, const int64_t* lda, double* b, const int64_t* ldb);

int main(void) {
  const double one = 1, a[1] = {2};
  double b[1] = {8};
  const int64_t n = 1;
  dtrsm_("L", "L", "N", "N", &n, &n, &one, a, &n, b, &n);
  printf("x = %g\n", b[0]);
  return 0;
}
