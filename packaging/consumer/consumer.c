/* The C door of an installed Trigon. */
#include <trigon/trigon.h>

#include <math.h>
#include <stdio.h>

int main(void) {
  double a[4] = {2, 1, 0, 4}, b[2] = {2, 9};
  if (trigon_dtrsv(TRIGON_COL_MAJOR, TRIGON_LOWER, TRIGON_NO_TRANS, TRIGON_NON_UNIT, 2, a, 2, b, 1) != TRIGON_SUCCESS) {
    fprintf(stderr, "%s\n", trigon_last_error());
    return 1;
  }
  printf("x = %g %g\n", b[0], b[1]);
  if (trigon_dtrsv(TRIGON_COL_MAJOR, TRIGON_LOWER, TRIGON_NO_TRANS, TRIGON_NON_UNIT, 2, a, 1, b, 1) !=
      TRIGON_INVALID_ARGUMENT)
    return 1;
  printf("as it should: %s\n", trigon_last_error());
  return fabs(b[0] - 1) + fabs(b[1] - 2) < 1e-15 ? 0 : 1;
}
