/* A program that knows LAPACK: a system of equations, and a Cholesky factor, with which it solves by way of BLAS. */
#include <math.h>
#include <stdio.h>

void dgesv_(const int* n, const int* nrhs, double* a, const int* lda, int* pivots, double* b, const int* ldb,
            int* info);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dtrsv_(const char* uplo, const char* trans, const char* diag, const int* n, const double* a, const int* lda,
            double* x, const int* incx);

int main(void) {
  double a[4] = {0, 4, 2, 1}, b[2] = {6, 11}, c[4] = {4, 2, 2, 17}, x[2] = {2, 9};
  const int two = 2, one = 1;
  int pivots[2], solved, factored;
  dgesv_(&two, &one, a, &two, pivots, b, &two, &solved);
  dpotrf_("L", &two, c, &two, &factored);
  dtrsv_("L", "N", "N", &two, c, &two, x, &one);
  printf("x = %g %g, L = %g %g %g\n", b[0], b[1], c[0], c[1], c[3]);
  const double error = fabs(b[0] - 2) + fabs(b[1] - 3) + fabs(c[0] - 2) + fabs(c[1] - 1) + fabs(c[3] - 4) +
                       fabs(x[0] - 1) + fabs(x[1] - 2);
  return solved == 0 && factored == 0 && error < 1e-14 ? 0 : 1;
}
