/* A program that uses LAPACK the way scientific codes do: by the Fortran symbols, linked with -llapack -lblas.
 *
 * Nothing here knows of Trigon. Run it as it is, or under `trigon run --report --`, and compare:
 *
 *     lapack_program [--size N] [--results FOLDER]
 *
 * Each stage prints its name, its wall-clock seconds and its processor seconds. With --results, the numbers
 * that each stage ends with are written to FOLDER/STAGE.f64, so that two runs can be compared. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef double complex zcomplex;

/* The hidden last arguments are the lengths of the strings. */
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, size_t);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda, double* b,
             const int* ldb, int* info, size_t);
void dtrtri_(const char* uplo, const char* diag, const int* n, double* a, const int* lda, int* info, size_t, size_t);
void dgels_(const char* trans, const int* m, const int* n, const int* nrhs, double* a, const int* lda, double* b,
            const int* ldb, double* work, const int* lwork, int* info, size_t);
void dsygst_(const int* itype, const char* uplo, const int* n, double* a, const int* lda, const double* b,
             const int* ldb, int* info, size_t);
void zpotrf_(const char* uplo, const int* n, zcomplex* a, const int* lda, int* info, size_t);
void zpotrs_(const char* uplo, const int* n, const int* nrhs, const zcomplex* a, const int* lda, zcomplex* b,
             const int* ldb, int* info, size_t);

static void* allocate(size_t count, size_t size) {
  void* memory = calloc(count ? count : 1, size);
  if (!memory) {
    fprintf(stderr, "lapack_program: out of memory\n");
    exit(3);
  }
  return memory;
}

static void require(const char* routine, int info) {
  if (info == 0) return;
  fprintf(stderr, "lapack_program: %s ended with info = %d\n", routine, info);
  exit(1);
}

/* Uniform in (-1, 1), the same on every machine. */
static double uniform(unsigned long long* state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static double* random_matrix(int m, int n, unsigned long long seed) {
  double* a = allocate((size_t)m * n, sizeof *a);
  for (size_t i = 0; i < (size_t)m * n; ++i) a[i] = uniform(&seed);
  return a;
}

/* Symmetric and positive definite: a random symmetric part under a dominant diagonal. */
static double* definite_matrix(int n, unsigned long long seed) {
  double* a = random_matrix(n, n, seed);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i) a[i + (size_t)j * n] = a[j + (size_t)i * n];
    a[j + (size_t)j * n] = n;
  }
  return a;
}

static double wall_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static const char* results_folder;
static double wall_start, processor_start;

static void begin(void) {
  wall_start = wall_clock();
  processor_start = (double)clock() / CLOCKS_PER_SEC;
}

static void end(const char* stage, const double* numbers, size_t count) {
  printf("%s %.6f %.6f\n", stage, wall_clock() - wall_start, (double)clock() / CLOCKS_PER_SEC - processor_start);
  fflush(stdout);
  if (!results_folder) return;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.f64", results_folder, stage);
  FILE* file = fopen(path, "wb");
  if (!file || fwrite(numbers, sizeof *numbers, count, file) != count || fclose(file) != 0) {
    perror(path);
    exit(3);
  }
}

/* Cholesky factorisation of a covariance, and a system for many right-hand sides. */
static void cholesky(int n, int nrhs) {
  double *a = definite_matrix(n, 1), *b = random_matrix(n, nrhs, 2);
  int info;
  begin();
  dpotrf_("L", &n, a, &n, &info, 1);
  require("dpotrf", info);
  dpotrs_("L", &n, &nrhs, a, &n, b, &n, &info, 1);
  require("dpotrs", info);
  end("cholesky", b, (size_t)n * nrhs);
  free(a);
  free(b);
}

/* The inverse of a triangle, such as whitening needs. */
static void triangular_inverse(int n) {
  double* a = definite_matrix(n, 3);
  int info;
  begin();
  dtrtri_("L", "N", &n, a, &n, &info, 1, 1);
  require("dtrtri", info);
  end("triangular-inverse", a, (size_t)n * n);
  free(a);
}

/* More equations than unknowns: QR, whose block reflectors are TRMM and GEMM. */
static void least_squares(int m, int n, int nrhs) {
  double *a = random_matrix(m, n, 4), *b = random_matrix(m, nrhs, 5);
  const int lwork = 64 * (n + nrhs);
  double* work = allocate((size_t)lwork, sizeof *work);
  int info;
  begin();
  dgels_("N", &m, &n, &nrhs, a, &m, b, &m, work, &lwork, &info, 1);
  require("dgels", info);
  for (int j = 1; j < nrhs; ++j) memmove(b + (size_t)j * n, b + (size_t)j * m, n * sizeof *b);
  end("qr-least-squares", b, (size_t)n * nrhs);
  free(a);
  free(b);
  free(work);
}

/* The generalised eigenproblem A x = w B x reduced to the standard one. */
static void reduction(int n) {
  double *a = definite_matrix(n, 6), *b = definite_matrix(n, 7);
  const int itype = 1;
  int info;
  begin();
  dpotrf_("L", &n, b, &n, &info, 1);
  require("dpotrf", info);
  dsygst_(&itype, "L", &n, a, &n, b, &n, &info, 1);
  require("dsygst", info);
  end("eigenproblem-reduction", a, (size_t)n * n);
  free(a);
  free(b);
}

/* A Hermitian system in complex arithmetic, as in wave problems. */
static void hermitian(int n, int nrhs) {
  double *real = definite_matrix(n, 8), *imaginary = random_matrix(n, n, 9);
  zcomplex *a = allocate((size_t)n * n, sizeof *a), *b = allocate((size_t)n * nrhs, sizeof *b);
  unsigned long long seed = 10;
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      a[i + (size_t)j * n] = real[i + (size_t)j * n] + (i == j ? n : I * imaginary[i + (size_t)j * n]);
    }
  }
  for (size_t i = 0; i < (size_t)n * nrhs; ++i) b[i] = uniform(&seed);
  int info;
  begin();
  zpotrf_("L", &n, a, &n, &info, 1);
  require("zpotrf", info);
  zpotrs_("L", &n, &nrhs, a, &n, b, &n, &info, 1);
  require("zpotrs", info);
  end("hermitian", (const double*)b, 2 * (size_t)n * nrhs);
  free(real);
  free(imaginary);
  free(a);
  free(b);
}

int main(int argc, char** argv) {
  int n = 1600;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && strcmp(argv[i], "--size") == 0 && atoi(argv[i + 1]) > 7) {
      n = atoi(argv[i + 1]);
    } else if (i + 1 < argc && strcmp(argv[i], "--results") == 0) {
      results_folder = argv[i + 1];
    } else {
      fprintf(stderr, "usage: lapack_program [--size N] [--results FOLDER], N at least 8\n");
      return 2;
    }
  }
  cholesky(n, n / 4);
  triangular_inverse(n);
  least_squares(n, n / 2, 16);
  reduction(n / 2);
  hermitian(n / 2, n / 8);
  return 0;
}
