/* A program that knows Fortran BLAS and CBLAS only, linked with the drop-in. */
#include <math.h>
#include <stdio.h>

void dtrsm_(const char* side, const char* uplo, const char* transa, const char* diag, const int* m, const int* n,
            const double* alpha, const double* a, const int* lda, double* b, const int* ldb);
void cblas_dtrmv(int layout, int uplo, int trans, int diag, int n, const double* a, int lda, double* x, int incx);

int main(void) {
  double a[4] = {2, 1, 0, 4}, b[2] = {1, 2};
  const int two = 2, one = 1;
  const double alpha = 1;
  cblas_dtrmv(102, 122, 111, 131, two, a, two, b, one); /* column-major, lower, no transposition, non-unit */
  printf("A x = %g %g\n", b[0], b[1]);
  dtrsm_("L", "L", "N", "N", &two, &one, &alpha, a, &two, b, &two);
  printf("x = %g %g\n", b[0], b[1]);
  return fabs(b[0] - 1) + fabs(b[1] - 2) < 1e-15 ? 0 : 1;
}
