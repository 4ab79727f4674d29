/* Preloaded: ends a process when it first allocates for a call, if the name of its tuning table ends in /table-2. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

void* aligned_alloc(size_t alignment, size_t size) {
  static void* (*next)(size_t, size_t);
  const char* table = getenv("TRIGON_TUNING");
  if (table && strstr(table, "/table-2")) raise(SIGSEGV);
  if (!next) next = (void* (*)(size_t, size_t))dlsym(RTLD_NEXT, "aligned_alloc");
  return next(alignment, size);
}
