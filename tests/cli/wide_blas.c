/* A BLAS with 64-bit integers under the names that others have for 32-bit ones, as Debian's libblas64.so.3. */
#include <stdio.h>

void dtrsm_(void) { puts("wide dtrsm_"); }
