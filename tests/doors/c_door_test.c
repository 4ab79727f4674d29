/* The C door from C: compiled as strict C99. Solves small systems whose results are known, and reads the errors. */
#include <trigon/trigon.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                             \
  do {                                                                \
    if (!(condition)) {                                               \
      printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                     \
    }                                                                 \
  } while (0)

static void solves(void) {
  const double a[] = {2, 1, 0, 4};
  double b[] = {4, 18};
  EXPECT(trigon_dtrsm(TRIGON_COL_MAJOR, TRIGON_LEFT, TRIGON_LOWER, TRIGON_NO_TRANS, TRIGON_NON_UNIT, 2, 1, 0.5, a, 2, b,
                      2) == TRIGON_SUCCESS);
  EXPECT(b[0] == 1 && b[1] == 2);
  EXPECT(trigon_dtrmm(TRIGON_COL_MAJOR, TRIGON_LEFT, TRIGON_LOWER, TRIGON_NO_TRANS, TRIGON_NON_UNIT, 2, 1, 2, a, 2, b,
                      2) == TRIGON_SUCCESS);
  EXPECT(b[0] == 4 && b[1] == 18);
  /* The same array read by rows is an upper triangle's transpose. */
  EXPECT(trigon_dtrsv(TRIGON_ROW_MAJOR, TRIGON_UPPER, TRIGON_TRANS, TRIGON_NON_UNIT, 2, a, 2, b, 1) == TRIGON_SUCCESS);
  EXPECT(b[0] == 2 && b[1] == 4);
}

static void takes_complex_scalars(void) {
  const float _Complex alpha = I, a[] = {1 + I};
  const float beta = 2;
  float _Complex b[] = {2}, c[] = {3};
  EXPECT(trigon_ctrmm(TRIGON_ROW_MAJOR, TRIGON_RIGHT, TRIGON_UPPER, TRIGON_CONJ_TRANS, TRIGON_NON_UNIT, 1, 1, &alpha, a,
                      1, b, 1) == TRIGON_SUCCESS);
  EXPECT(crealf(b[0]) == 2 && cimagf(b[0]) == 2);
  EXPECT(trigon_cherk(TRIGON_COL_MAJOR, TRIGON_UPPER, TRIGON_NO_TRANS, 1, 1, 1, a, 1, beta, c, 1) == TRIGON_SUCCESS);
  EXPECT(crealf(c[0]) == 8 && cimagf(c[0]) == 0);
  EXPECT(trigon_cgemm(TRIGON_COL_MAJOR, TRIGON_NO_TRANS, TRIGON_NO_TRANS, 1, 1, 1, NULL, a, 1, b, 1, &alpha, c, 1) ==
         TRIGON_INVALID_ARGUMENT);
  EXPECT(strcmp(trigon_last_error(), "cgemm: argument 7 (alpha) is a null pointer") == 0);
}

static void reports_errors(void) {
  const double a[] = {1, 0, 0, 1};
  double b[] = {7, 8};
  EXPECT(trigon_dtrsm(TRIGON_COL_MAJOR, TRIGON_LEFT, TRIGON_LOWER, TRIGON_NO_TRANS, TRIGON_NON_UNIT, 2, 1, 1, a, 1, b,
                      2) == TRIGON_INVALID_ARGUMENT);
  EXPECT(strcmp(trigon_last_error(), "dtrsm: argument 10 (lda) is 1, must be at least 2") == 0);
  EXPECT(trigon_last_argument() == 10);
  EXPECT(trigon_dtrsv(TRIGON_COL_MAJOR, TRIGON_LEFT, TRIGON_NO_TRANS, TRIGON_UNIT, 2, a, 2, b, 1) ==
         TRIGON_INVALID_ARGUMENT);
  EXPECT(strcmp(trigon_last_error(), "dtrsv: argument 2 (uplo) is 141, must be L or U") == 0);
  EXPECT(trigon_dtrsv(0, TRIGON_LOWER, TRIGON_NO_TRANS, TRIGON_UNIT, 2, a, 2, b, 1) == TRIGON_INVALID_ARGUMENT);
  EXPECT(trigon_last_argument() == 1);
  EXPECT(b[0] == 7 && b[1] == 8);
}

int main(void) {
  EXPECT(strcmp(trigon_last_error(), "") == 0 && trigon_last_argument() == 0);
  EXPECT(strlen(trigon_version()) > 0);
  solves();
  takes_complex_scalars();
  reports_errors();
  if (failures == 0) printf("all passed\n");
  return failures != 0;
}
