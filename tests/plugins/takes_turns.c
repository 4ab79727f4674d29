/* A provider that says that it is OpenBLAS, and notices whether it is called while it is busy. It computes nothing. */
#include <sched.h>
#include <stdatomic.h>

char* openblas_get_config(void) { return "OpenBLAS of a test"; }

atomic_int calls, overlaps;
static atomic_int busy;

static void work(void) {
  atomic_fetch_add(&calls, 1);
  if (atomic_exchange(&busy, 1)) atomic_fetch_add(&overlaps, 1);
  for (int i = 0; i < 20; ++i) sched_yield(); /* others come here meanwhile if they may */
  atomic_store(&busy, 0);
}

void sgemm_(void) { work(); }
void dgemm_(void) { work(); }
void cgemm_(void) { work(); }
void zgemm_(void) { work(); }
