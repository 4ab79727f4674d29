/* A LAPACK with 64-bit integers under the names that others have for 32-bit ones, opened late. */
#include <stdio.h>

void dpotrf2_(void) {}
void dgetrf_(void) { puts("other dgetrf_"); }

/* By way of the symbol, which another library may have taken. */
void factor(void) { dgetrf_(); }
