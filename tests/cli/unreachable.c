/* Programs that `run` cannot help: one that is linked statically, and one with a BLAS of its own. */
#include <stdio.h>

void dtrsm_(void);
void dtrsm_(void) { puts("my own"); }

int main(void) {
  dtrsm_();
  return 5;
}
