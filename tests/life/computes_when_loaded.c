/* A library whose constructor computes: with the loader's lock. */
#include <time.h>
#include <trigon/trigon.h>

double square_of_constructor;

__attribute__((constructor)) static void compute(void) {
  const struct timespec while_others_call = {0, 200000000};
  nanosleep(&while_others_call, 0);
  const double three = 3;
  if (trigon_dgemm(TRIGON_COL_MAJOR, TRIGON_NO_TRANS, TRIGON_NO_TRANS, 1, 1, 1, 1.0, &three, 1, &three, 1, 0.0,
                   &square_of_constructor, 1) != TRIGON_SUCCESS)
    square_of_constructor = -1;
}
