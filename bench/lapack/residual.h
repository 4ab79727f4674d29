/* Whether a result of routines.c solves its equation: both sides of it are applied to a vector, by loops in double
 * precision, for the BLAS is not to judge itself. That is n^2 work, and what is wrong in any entry is in the product.
 *
 * A vector carries beside each entry what the sum of moduli would be: rounding moves the entry by a few n u of that. */
#include <float.h>
#include <math.h> /* INFINITY, no function */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct Entry {
  double re, im, size;
};

/* Column-major, columns `ld` elements apart; `type` is one of s, d, c, z. */
struct Matrix {
  const void* data;
  int ld;
  char type;
};

static double modulus(double re, double im) { return (re < 0 ? -re : re) + (im < 0 ? -im : im); }

static struct Entry stored(const struct Matrix* m, int i, int j) {
  const size_t at = (size_t)i + (size_t)j * (size_t)m->ld;
  struct Entry e = {0, 0, 0};
  if (m->type == 's') e.re = ((const float*)m->data)[at];
  if (m->type == 'd') e.re = ((const double*)m->data)[at];
  if (m->type == 'c') e.re = ((const float*)m->data)[2 * at], e.im = ((const float*)m->data)[2 * at + 1];
  if (m->type == 'z') e.re = ((const double*)m->data)[2 * at], e.im = ((const double*)m->data)[2 * at + 1];
  return e;
}

/* y = op(M) x for a part of M of that many rows and columns: 'A' all; 'L' and 'U' a triangle, '1' the lower one with
 * ones on its diagonal; 'S' and 'T' the symmetric matrix of which the lower or the upper triangle is stored. */
static void apply(const struct Matrix* m, char part, int transposed, int rows, int cols, const struct Entry* x,
                  struct Entry* y) {
  const struct Entry none = {0, 0, 0};
  const int below = part == 'L' || part == '1', above = part == 'U', unit = part == '1';
  for (int i = 0; i < (transposed ? cols : rows); ++i) y[i] = none;
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i) {
      if ((below && i < j) || (above && i > j)) continue;
      const int mirrored = (part == 'S' && i < j) || (part == 'T' && i > j);
      struct Entry e = mirrored ? stored(m, j, i) : stored(m, i, j);
      if (unit && i == j) e.re = 1, e.im = 0;
      const struct Entry* const from = &x[transposed ? i : j];
      struct Entry* const to = &y[transposed ? j : i];
      to->re += e.re * from->re - e.im * from->im;
      to->im += e.re * from->im + e.im * from->re;
      to->size += modulus(e.re, e.im) * from->size;
    }
}

/* The row interchanges of a factorization, or back. */
static void interchange(const int* pivots, int n, int back, struct Entry* x) {
  for (int k = 0; k < n; ++k) {
    const int i = back ? n - 1 - k : k, with = pivots[i] - 1;
    const struct Entry kept = x[i];
    x[i] = x[with], x[with] = kept;
  }
}

static int are_rows(const int* pivots, int n, int rows) {
  for (int k = 0; k < n; ++k)
    if (pivots[k] < 1 || pivots[k] > rows) return 0;
  return 1;
}

/* The worst difference over its bound; infinite where anything is not finite. */
static double difference(const struct Entry* x, const struct Entry* y, int rows, int n, char type) {
  const double unit = strchr("sc", type) ? FLT_EPSILON : DBL_EPSILON;
  double worst = 0;
  for (int i = 0; i < rows; ++i) {
    const double bound = 4 * unit * (n + 8) * (strchr("cz", type) ? 3 : 1) * (x[i].size + y[i].size);
    const double apart = modulus(x[i].re - y[i].re, x[i].im - y[i].im);
    if (!(bound < INFINITY) || apart != apart) return INFINITY;
    if (apart > bound * worst) worst = bound > 0 ? apart / bound : INFINITY;
  }
  return worst;
}

/* `before` is what A and B were, `after` what the routine has made of them. */
static double residual(const char* routine, const char* uplo, int m, int n, int nrhs, const void* a_before,
                       const void* b_before, const void* a_after, const void* b_after, const int* pivots) {
  const char type = routine[0], *const what = routine + 1;
  const struct Matrix a0 = {a_before, m, type}, b0 = {b_before, n, type}, a = {a_after, m, type},
                      b = {b_after, n, type};
  const int size = m > nrhs ? m : nrhs, upper = uplo[0] == 'U';
  const char triangle = upper ? 'U' : 'L', symmetric = upper ? 'T' : 'S';
  if (!strcmp(what, "getrf") && !are_rows(pivots, n, m)) return INFINITY;
  struct Entry* const vectors = malloc(5 * sizeof *vectors * (size_t)size);
  if (!vectors) exit(3);
  struct Entry *x = vectors, *left = x + size, *right = left + size, *s = right + size, *t = s + size;
  unsigned long long state = 7;
  for (int i = 0; i < size; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    x[i].re = (state >> 63 ? 1 : -1) * (0.5 + (double)(state >> 12 & 0xffff) / 65536), x[i].im = 0;
    x[i].size = modulus(x[i].re, 0);
  }
  int rows = n;
  if (!strcmp(what, "getrf")) { /* P A = L U */
    rows = m;
    apply(&a, 'U', 0, n, n, x, s), apply(&a, '1', 0, m, n, s, left);
    apply(&a0, 'A', 0, m, n, x, right), interchange(pivots, n, 0, right);
  } else if (!strcmp(what, "potrf")) { /* A = L L^T or U^T U */
    apply(&a, triangle, !upper, n, n, x, s), apply(&a, triangle, upper, n, n, s, left);
    apply(&a0, symmetric, 0, n, n, x, right);
  } else if (what[strlen(what) - 1] == 'i') { /* A X = I, A or its factors */
    memcpy(right, x, sizeof *x * (size_t)n);
    if (!strcmp(what, "trtri")) {
      apply(&a, triangle, 0, n, n, x, s), apply(&a0, triangle, 0, n, n, s, left);
    } else if (!strcmp(what, "potri")) {
      apply(&a, symmetric, 0, n, n, x, s), apply(&a0, triangle, !upper, n, n, s, t);
      apply(&a0, triangle, upper, n, n, t, left);
    } else { /* getri */
      apply(&a, 'A', 0, n, n, x, s), apply(&a0, 'U', 0, n, n, s, t), apply(&a0, '1', 0, n, n, t, left);
      interchange(pivots, n, 1, left);
    }
  } else { /* A X = B, all right-hand sides at once */
    apply(&b0, 'A', 0, n, nrhs, x, right), apply(&b, 'A', 0, n, nrhs, x, s);
    if (!strcmp(what, "gesv")) apply(&a0, 'A', 0, n, n, s, left);
    if (!strcmp(what, "posv")) apply(&a0, symmetric, 0, n, n, s, left);
    if (!strcmp(what, "trtrs")) apply(&a0, triangle, 0, n, n, s, left);
    if (!strcmp(what, "potrs")) apply(&a0, triangle, !upper, n, n, s, t), apply(&a0, triangle, upper, n, n, t, left);
    if (!strcmp(what, "getrs")) {
      apply(&a0, 'U', 0, n, n, s, t), apply(&a0, '1', 0, n, n, t, left);
      interchange(pivots, n, 1, left);
    }
  }
  const double worst = difference(left, right, rows, n, type);
  free(vectors);
  return worst;
}
