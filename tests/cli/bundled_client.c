/* Calls the routines of fake_openblas.c as programs call OpenBLAS's, and prints what comes out. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

typedef int32_t n32;
typedef int64_t n64;

#define TRSM(name, integer)                                                                                    \
  void name(const char*, const char*, const char*, const char*, const integer*, const integer*, const double*, \
            const double*, const integer*, double*, const integer*);
TRSM(scipy_dtrsm_, n32)
TRSM(dtrsm_64_, n64)
TRSM(scipy_dtrsm_64_, n64)
void scipy_cblas_dtrsm(int, int, int, int, int, n32, n32, double, const double*, n32, double*, n32);
void cblas_dtrsm64_(int, int, int, int, int, n64, n64, double, const double*, n64, double*, n64);
void scipy_cblas_dtrsm64_(int, int, int, int, int, n64, n64, double, const double*, n64, double*, n64);
void scipy_dpotrf_(const char*, const n32*, double*, const n32*, n32*);
void dpotrf_(const char*, const n32*, double*, const n32*, n32*);
void dpotrf_64_(const char*, const n64*, double*, const n64*, n64*);
void scipy_dpotrf_64_(const char*, const n64*, double*, const n64*, n64*);
void scipy_dgesv_64_(const n64*, const n64*, double*, const n64*, n64*, double*, const n64*, n64*);
void scipy_dgetrf_64_(const n64*, const n64*, double*, const n64*, n64*, n64*);
void scipy_dgetrs_64_(const char*, const n64*, const n64*, const double*, const n64*, const n64*, double*, const n64*,
                      n64*);
void scipy_dtrtrs_64_(const char*, const char*, const char*, const n64*, const n64*, const double*, const n64*, double*,
                      const n64*, n64*);
void scipy_ddot_(void);

static void show(const char* name, const double* x, int count) {
  printf("%s", name);
  for (int i = 0; i < count; ++i) printf(" %.10g", x[i]);
  puts("");
}

int main(void) {
  const double one = 1, triangle[4] = {2, 1, 0, 4};
  const n32 two32 = 2, rhs32 = 1;
  const n64 two = 2, rhs = 1;
  enum { ColMajor = 102, Left = 141, Lower = 122, NoTrans = 111, NonUnit = 131 };
#define B double b[2] = {2, 9} /* the solution is 1, 2 */
  {
    B;
    scipy_dtrsm_("L", "L", "N", "N", &two32, &rhs32, &one, triangle, &two32, b, &two32);
    show("scipy_dtrsm_", b, 2);
  }
  {
    B;
    dtrsm_64_("L", "L", "N", "N", &two, &rhs, &one, triangle, &two, b, &two);
    show("dtrsm_64_", b, 2);
  }
  {
    B;
    scipy_dtrsm_64_("L", "L", "N", "N", &two, &rhs, &one, triangle, &two, b, &two);
    show("scipy_dtrsm_64_", b, 2);
  }
  {
    B;
    scipy_cblas_dtrsm(ColMajor, Left, Lower, NoTrans, NonUnit, 2, 1, 1.0, triangle, 2, b, 2);
    show("scipy_cblas_dtrsm", b, 2);
  }
  {
    B;
    cblas_dtrsm64_(ColMajor, Left, Lower, NoTrans, NonUnit, 2, 1, 1.0, triangle, 2, b, 2);
    show("cblas_dtrsm64_", b, 2);
  }
  {
    B;
    scipy_cblas_dtrsm64_(ColMajor, Left, Lower, NoTrans, NonUnit, 2, 1, 1.0, triangle, 2, b, 2);
    show("scipy_cblas_dtrsm64_", b, 2);
  }

  /* The factor of {4 2; 2 17} is {2 0; 1 4}; info starts with its upper half set. */
#define A double a[4] = {4, 2, -7, 17}
  {
    A;
    n32 info = -1;
    scipy_dpotrf_("L", &two32, a, &two32, &info);
    show("scipy_dpotrf_", a, 4);
    printf("info %d\n", info);
  }
  {
    A;
    n32 info = -1;
    dpotrf_("L", &two32, a, &two32, &info);
    show("dpotrf_", a, 4);
    printf("info %d\n", info);
  }
  {
    A;
    n64 info = -1;
    dpotrf_64_("L", &two, a, &two, &info);
    show("dpotrf_64_", a, 4);
    printf("info %d\n", (int)(info == 0 ? 0 : -9));
  }
  {
    A;
    n64 info = -1;
    scipy_dpotrf_64_("L", &two, a, &two, &info);
    show("scipy_dpotrf_64_", a, 4);
    printf("info %d\n", (int)(info == 0 ? 0 : -9));
  }
  {
    double a[4] = {-1, 0, 0, 1};
    n64 info = 0;
    scipy_dpotrf_64_("L", &two, a, &two, &info);
    printf("indefinite %d\n", (int)info);
  }

  /* {0 1; 2 0}: its rows are exchanged. */
  {
    double a[4] = {0, 2, 1, 0}, b[2] = {3, 4};
    n64 pivots[3] = {-1, -1, -1}, info = -1;
    scipy_dgesv_64_(&two, &rhs, a, &two, pivots, b, &two, &info);
    show("scipy_dgesv_64_", b, 2);
    printf("pivots %d %d %d info %d\n", (int)pivots[0], (int)pivots[1], (int)pivots[2], (int)info);
  }
  {
    const n64 three = 3;
    double a[6] = {0, 2, 1, 1, 0, 3}, b[2] = {3, 4};
    n64 pivots[3] = {-1, -1, -1}, info = -1;
    scipy_dgetrf_64_(&three, &two, a, &three, pivots, &info);
    printf("tall pivots %d %d %d info %d\n", (int)pivots[0], (int)pivots[1], (int)pivots[2], (int)info);
    double c[4] = {0, 2, 1, 0};
    scipy_dgetrf_64_(&two, &two, c, &two, pivots, &info);
    scipy_dgetrs_64_("N", &two, &rhs, c, &two, pivots, b, &two, &info);
    show("scipy_dgetrs_64_", b, 2);
  }
  {
    B;
    n64 info = -1;
    scipy_dtrtrs_64_("L", "N", "N", &two, &rhs, triangle, &two, b, &two, &info);
    show("scipy_dtrtrs_64_", b, 2);
    printf("info %d\n", (int)info);
  }
  scipy_ddot_();

  void* const other = dlopen(OTHER_LAPACK, RTLD_NOW);
  if (!other) return 3;
  ((void (*)(void))dlsym(other, "factor"))();
  return 0;
}
