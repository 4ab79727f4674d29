/* LAPACK routines timed on request, for lapack_table.py: one of these processes per BLAS, each with another library
 * preloaded. A line "ROUTINE UPLO M N NRHS CALLS" on standard input is answered by the seconds per call; the matrices
 * of a line are made before the first call and restored, untimed, before each. With 0 calls it is answered by the
 * error of the result over its bound. M is N but for getrf, which alone comes in all precisions. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "residual.h"

/* The hidden last arguments are the lengths of the strings. */
void dpotrf_(const char*, const int* n, double* a, const int* lda, int* info, size_t);
void dpotri_(const char*, const int* n, double* a, const int* lda, int* info, size_t);
void dtrtri_(const char*, const char*, const int* n, double* a, const int* lda, int* info, size_t, size_t);
void sgetrf_(const int* m, const int* n, void* a, const int* lda, int* pivots, int* info);
void dgetrf_(const int* m, const int* n, void* a, const int* lda, int* pivots, int* info);
void cgetrf_(const int* m, const int* n, void* a, const int* lda, int* pivots, int* info);
void zgetrf_(const int* m, const int* n, void* a, const int* lda, int* pivots, int* info);
void dgesv_(const int* n, const int* nrhs, double* a, const int* lda, int* pivots, double* b, const int* ldb,
            int* info);
void dgetrs_(const char*, const int* n, const int* nrhs, const double* a, const int* lda, const int* pivots, double* b,
             const int* ldb, int* info, size_t);
void dtrtrs_(const char*, const char*, const char*, const int* n, const int* nrhs, const double* a, const int* lda,
             double* b, const int* ldb, int* info, size_t, size_t, size_t);
void dpotrs_(const char*, const int* n, const int* nrhs, const double* a, const int* lda, double* b, const int* ldb,
             int* info, size_t);
void dposv_(const char*, const int* n, const int* nrhs, double* a, const int* lda, double* b, const int* ldb, int* info,
            size_t);
void dgetri_(const int* n, double* a, const int* lda, const int* pivots, double* work, const int* lwork, int* info);

static double now(int processor) {
  struct timespec t;
  clock_gettime(processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of real numbers; a complex matrix has twice the rows. */
static void* matrix(size_t rows, size_t cols, int single) {
  double* a = aligned_alloc(64, (rows * cols * sizeof *a + 63) / 64 * 64);
  if (!a) exit(3);
  float* const f = (float*)a;
  unsigned long long state = 1;
  for (size_t i = 0; i < rows * cols; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const double x = ((double)(state >> 11) / 4503599627370496.0 - 1.0) / (double)rows;
    if (single)
      f[i] = (float)x;
    else
      a[i] = x;
  }
  return a;
}

/* `work` has n x 64 elements. Returns LAPACK's info, or -99 for a routine that is not known. */
static int call(const char* routine, const char* uplo, int m, int n, int nrhs, double* a, double* b, int* pivots,
                double* work) {
  int info = 0;
  if (!strcmp(routine, "dgetrf")) {
    dgetrf_(&m, &n, a, &m, pivots, &info);
  } else if (!strcmp(routine, "sgetrf")) {
    sgetrf_(&m, &n, a, &m, pivots, &info);
  } else if (!strcmp(routine, "cgetrf")) {
    cgetrf_(&m, &n, a, &m, pivots, &info);
  } else if (!strcmp(routine, "zgetrf")) {
    zgetrf_(&m, &n, a, &m, pivots, &info);
  } else if (!strcmp(routine, "dgesv")) {
    dgesv_(&n, &nrhs, a, &n, pivots, b, &n, &info);
  } else if (!strcmp(routine, "dpotrf")) {
    dpotrf_(uplo, &n, a, &n, &info, 1);
  } else if (!strcmp(routine, "dpotri")) {
    dpotri_(uplo, &n, a, &n, &info, 1);
  } else if (!strcmp(routine, "dtrtri")) {
    dtrtri_(uplo, "N", &n, a, &n, &info, 1, 1);
  } else if (!strcmp(routine, "dgetrs")) {
    dgetrs_("N", &n, &nrhs, a, &n, pivots, b, &n, &info, 1);
  } else if (!strcmp(routine, "dgetri")) {
    const int lwork = n * 64;
    dgetri_(&n, a, &n, pivots, work, &lwork, &info);
  } else if (!strcmp(routine, "dposv")) {
    dposv_(uplo, &n, &nrhs, a, &n, b, &n, &info, 1);
  } else if (!strcmp(routine, "dtrtrs")) {
    dtrtrs_(uplo, "N", "N", &n, &nrhs, a, &n, b, &n, &info, 1, 1, 1);
  } else if (!strcmp(routine, "dpotrs")) {
    dpotrs_(uplo, &n, &nrhs, a, &n, b, &n, &info, 1);
  } else {
    return -99;
  }
  return info;
}

int main(int argc, char** argv) {
  const int processor = argc > 1 && !strcmp(argv[1], "--processor-time");
  char line[256], routine[32], uplo[2];
  int m, n, nrhs, calls;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "%31s %1s %d %d %d %d", routine, uplo, &m, &n, &nrhs, &calls) != 6 || n < 1 || m < n || nrhs < 1 ||
        calls < 0) {
      fprintf(stderr, "routines: cannot read: %s", line);
      return 2;
    }
    const int single = strchr("sc", routine[0]) != NULL, parts = strchr("cz", routine[0]) ? 2 : 1;
    const size_t rows = (size_t)m * parts, in_a = rows * n * (single ? sizeof(float) : sizeof(double));
    const size_t in_b = (size_t)n * nrhs * sizeof(double);
    double *a = matrix(rows, n, single), *a0 = matrix(rows, n, single);
    double *b = matrix(n, nrhs, 0), *b0 = matrix(n, nrhs, 0), *work = matrix(n, 64, 0);
    int* pivots = malloc(sizeof *pivots * n);
    if (!pivots) return 3;
    /* Those that choose pivots have something to choose from. */
    const int general = !strcmp(routine + 1, "getrf") || !strcmp(routine, "dgesv");
    for (int i = 0; i < n; ++i) pivots[i] = n - (n - i) / 2;
    for (int i = 0; i < n && !general; ++i) a0[i + (size_t)i * n] = 2;
    double total = 0, error = 0;
    for (int i = 0; i <= calls; ++i) { /* the first one is not counted */
      memcpy(a, a0, in_a);
      memcpy(b, b0, in_b);
      const double begin = now(processor);
      const int info = call(routine, uplo, m, n, nrhs, a, b, pivots, work);
      if (i > 0) total += now(processor) - begin;
      if (info == -99) {
        fprintf(stderr, "routines: there is no %s\n", routine);
        return 2;
      }
      if (calls > 0) continue; /* this row has been judged, and wrong results are timed too */
      if (info != 0) fprintf(stderr, "routines: %s ended with info = %d\n", routine, info);
      error = info != 0 ? INFINITY : residual(routine, uplo, m, n, nrhs, a0, b0, a, b, pivots);
    }
    printf("%.9g\n", calls > 0 ? total / calls : error);
    fflush(stdout);
    free(a), free(b), free(a0), free(b0), free(work), free(pivots);
  }
  return 0;
}
