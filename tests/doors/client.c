/* A program that uses BLAS and knows nothing of Trigon. Linked to a libblas.so.3 that is only there to be replaced. */
#include <complex.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

double ddot_(const int*, const double*, const int*, const double*, const int*);
float _Complex cdotc_(const int*, const float _Complex*, const int*, const float _Complex*, const int*);
void zdotc_(double _Complex*, const int*, const double _Complex*, const int*, const double _Complex*, const int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*, const double*,
            const int*, double*, const int*);

typedef void (*Copy)(int, int, int, int, double, const double*, int, double*, int);

static void solve(int lda) {
  const int two = 2, one = 1;
  const double alpha = 1, a[] = {2, 1, 0, 4};
  double b[] = {2, 9};
  dtrsm_("L", "L", "N", "N", &two, &one, &alpha, a, &lda, b, &two);
  printf("x = %g %g\n", b[0], b[1]);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (strcmp(argv[1], "solve") == 0) {
    solve(2);
  } else if (strcmp(argv[1], "bad") == 0) {
    solve(1);
  } else if (strcmp(argv[1], "dot") == 0) {
    const int n = 2, one = 1;
    const double x[] = {3, 4};
    printf("dot = %g\n", ddot_(&n, x, &one, x, &one));
  } else if (strcmp(argv[1], "complex") == 0) {
    const int n = 3, incx = 5, incy = 7;
    const float _Complex x = 1 + 2 * I, y = 3 - I;
    const double _Complex v = 1 + 2 * I, w = 3 - I;
    double _Complex second = 0;
    for (int i = 0; i < 2; ++i) {
      const float _Complex first = cdotc_(&n, &x, &incx, &y, &incy);
      zdotc_(&second, &n, &v, &incx, &w, &incy);
      printf("dots = %g %g, %g %g\n", crealf(first), cimagf(first), creal(second), cimag(second));
    }
  } else if (strcmp(argv[1], "scaled") == 0) {
    const double a = 3;
    double b = 0;
    const Copy copy = (Copy)dlsym(RTLD_DEFAULT, "cblas_domatcopy");
    if (copy == NULL) return 3;
    copy(102, 112, 1, 1, 5, &a, 1, &b, 1);
    printf("scaled = %g\n", b);
  } else if (strcmp(argv[1], "extension") == 0) {
    void (*gemmt)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "dgemmt_");
    if (gemmt == NULL) return 3;
    gemmt();
  } else if (strcmp(argv[1], "sum") == 0) {
    const int n = 2, one = 1;
    const double x[] = {3, 4};
    double (*sum)(const int*, const double*, const int*) =
        (double (*)(const int*, const double*, const int*))dlsym(RTLD_DEFAULT, "dsum_");
    if (sum == NULL) return 3;
    printf("sum = %g\n", sum(&n, x, &one));
  } else if (strcmp(argv[1], "copy") == 0) {
    const double a = 3;
    double b = 0;
    const Copy copy = (Copy)dlsym(RTLD_DEFAULT, "cblas_domatcopy");
    if (copy == NULL) return 3;
    copy(1, 2, 3, 4, 5, &a, 6, &b, 7);
    printf("copy = %.0f\n", b);
  } else if (strcmp(argv[1], "threads") == 0) {
    void (*set)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    int (*get)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "openblas_get_num_threads");
    if (set == NULL || get == NULL) return 3;
    set(5);
    printf("threads = %d\n", get());
  } else {
    return 2;
  }
  return 0;
}
