// LAPACK routines that `trigon run` takes from OpenBLAS, which carries them out with its own kernels past BLAS, and
// from the reference LAPACK: calls to them, under every name that OpenBLAS is bundled with, go to libtrigon_lapack.so.
// TRIGON_RUN_KEEP_LAPACK leaves them where they were. All else in these LAPACKs that is large calls BLAS by its
// symbols.
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "notes.hpp"
#include "originals.hpp"

namespace trigon::preload {
namespace {

constexpr size_t most_arguments = 10, most_strings = 3;
using Word = void*;
using Function = void (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, size_t, size_t, size_t);

/// The libraries with 32-bit and with 64-bit integers.
void *narrow, *wide;

void open_libraries() {
  if (getenv("TRIGON_RUN_KEEP_LAPACK")) return;
  narrow = open_beside("libtrigon_lapack.so");
  wide = open_beside("libtrigon_lapack64.so");
}

bool is_mkl(void* library) { return dlsym(library, "mkl_get_version") || dlsym(library, "MKL_Get_Version"); }

/// OpenBLAS, or what is linked with it.
bool is_openblas(void* library) {
  return dlsym(library, "gotoblas") || dlsym(library, "openblas_get_config") ||
         dlsym(library, "openblas_get_config64_") || dlsym(library, "scipy_openblas_get_config") ||
         dlsym(library, "scipy_openblas_get_config64_");
}

/// The reference LAPACK or one made of it: it has potrf's own helper.
bool is_netlib(void* library) { return dlsym(library, "dpotrf2_"); }

/// Debian has libraries with 64-bit integers under the names that others have for 32-bit ones: liblapack64.so.3.
bool may_have_wide_integers(const char* path) { return strstr(path, "64.so") || strstr(path, "ilp64"); }

[[noreturn]] void fail(const char* symbol) {
  fprintf(stderr, "trigon: the program calls %s, and no loaded library has it\n", symbol);
  fflush(nullptr);
  _exit(127);
}

/// Where a symbol leads: Trigon's routine, or what the program would have called.
void* find(const char* symbol, const char* name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_libraries);
  const bool is_wide = strstr(symbol, "_64_");
  void* const library = is_wide ? wide : narrow;
  void* own = library ? dlsym(library, name) : nullptr;

  void* home = nullptr;
  void* const original = find_original(symbol, &home);
  if (!original) {
    if (!own) fail(symbol);
    return own;
  }
  Dl_info place;
  const char* const path = dladdr(original, &place) && place.dli_fname ? place.dli_fname : "";
  const bool bypasses = is_openblas(home);
  if (is_mkl(home) || (!bypasses && !is_netlib(home))) own = nullptr;
  if (!is_wide && may_have_wide_integers(path)) own = nullptr;
  if (bypasses) note(own ? "replaced" : "bypassed", path);
  return own ? own : original;
}

/// Extra words do no harm, in either of the conventions that this is built for; lengths of strings follow the
/// arguments, and all of these strings have one letter.
void call(void** target, const char* symbol, const char* name, const Word* words, size_t count) {
  void* address = __atomic_load_n(target, __ATOMIC_ACQUIRE);
  if (!address) {
    address = find(symbol, name);
    __atomic_store_n(target, address, __ATOMIC_RELEASE);
  }
  uintptr_t w[most_arguments + most_strings];
  for (size_t i = 0; i < most_arguments + most_strings; ++i)
    w[i] = i < count ? reinterpret_cast<uintptr_t>(words[i]) : 1;
  const auto p = [&](size_t i) { return reinterpret_cast<Word>(w[i]); };
  reinterpret_cast<Function>(address)(p(0), p(1), p(2), p(3), p(4), p(5), p(6), p(7), p(8), p(9), w[10], w[11], w[12]);
}

}  // namespace
}  // namespace trigon::preload

#define PARAMETERS_5 void *a, void *b, void *c, void *d, void *e
#define PARAMETERS_6 PARAMETERS_5, void* f
#define PARAMETERS_7 PARAMETERS_6, void* g
#define PARAMETERS_8 PARAMETERS_7, void* h
#define PARAMETERS_9 PARAMETERS_8, void* i
#define PARAMETERS_10 PARAMETERS_9, void* j
#define WORDS_5 a, b, c, d, e
#define WORDS_6 WORDS_5, f
#define WORDS_7 WORDS_6, g
#define WORDS_8 WORDS_7, h
#define WORDS_9 WORDS_8, i
#define WORDS_10 WORDS_9, j

#define EXPORT(symbol, name, count)                                                   \
  extern "C" __attribute__((visibility("default"))) void symbol(PARAMETERS_##count) { \
    static void* target;                                                              \
    void* const words[] = {WORDS_##count};                                            \
    trigon::preload::call(&target, #symbol, #name, words, count);                     \
  }
#define SPELLINGS(routine, count)               \
  EXPORT(routine##_, routine##_, count)         \
  EXPORT(scipy_##routine##_, routine##_, count) \
  EXPORT(routine##_64_, routine##_64_, count)   \
  EXPORT(scipy_##routine##_64_, routine##_64_, count)
#define PRECISIONS(routine, count) \
  SPELLINGS(s##routine, count)     \
  SPELLINGS(d##routine, count)     \
  SPELLINGS(c##routine, count)     \
  SPELLINGS(z##routine, count)

PRECISIONS(potrf, 5)
PRECISIONS(potri, 5)
PRECISIONS(potrs, 8)
PRECISIONS(posv, 8)
PRECISIONS(lauum, 5)
PRECISIONS(trtri, 6)
PRECISIONS(trtrs, 10)
PRECISIONS(getrf, 6)
PRECISIONS(getri, 7)
PRECISIONS(getrs, 9)
PRECISIONS(gesv, 8)
