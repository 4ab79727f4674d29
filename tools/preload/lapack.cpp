// LAPACK routines that go elsewhere, under every name that OpenBLAS is bundled with, if `trigon run` has set
// TRIGON_RUN_LAPACK. Those that libtrigon_lapack.so has go there, from OpenBLAS and from the reference LAPACK. The
// others that OpenBLAS carries out with its own kernels, past BLAS, go to the reference LAPACK, whose path the variable
// holds. All else in these LAPACKs calls BLAS by its symbols, so it needs no help.
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

// What the arguments of a routine are: 'c' a character, 'i' an integer, 'p' numbers, 'x' pivots that come out,
// 'v' pivots that go in, 'o' info.
struct Routine {
  const char* name;       // "dpotrf_", in the reference
  const char* arguments;  // "cipio"
};

using Words = void* const*;
using Function = void (*)(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, size_t, size_t, size_t);

/// Extra words do no harm, in either of the conventions that this is built for; lengths of strings follow the
/// arguments, and all of these strings have one letter.
void call(void* address, const char* arguments, Words words) {
  constexpr size_t most = 10;
  uintptr_t w[most + 3];
  const size_t count = strlen(arguments);
  for (size_t i = 0; i < most + 3; ++i) w[i] = i < count ? reinterpret_cast<uintptr_t>(words[i]) : 1;
  const auto p = [&](size_t i) { return reinterpret_cast<void*>(w[i]); };
  reinterpret_cast<Function>(address)(p(0), p(1), p(2), p(3), p(4), p(5), p(6), p(7), p(8), p(9), w[10], w[11], w[12]);
}

void *own, *reference;

void open_libraries() {
  const char* path = getenv("TRIGON_RUN_LAPACK");
  if (!path) return;
  own = open_beside("libtrigon_lapack.so");
  if (!*path) return;
  open_beside("libtrigon_run_blas.so");
  reference = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (!reference) fprintf(stderr, "trigon: %s\n", dlerror());
}

/// The libraries' addresses of a routine; null where they have none.
struct Replacements {
  void *own, *reference;
};
Replacements replacements(const char* name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_libraries);
  return {own ? dlsym(own, name) : nullptr, reference ? dlsym(reference, name) : nullptr};
}

/// The reference LAPACK: it has potrf's own helper and is not MKL. Not the one with 64-bit integers that Debian has
/// under the same names.
bool is_netlib(void* library, void* routine) {
  Dl_info home;
  return dlsym(library, "dpotrf2_") && !dlsym(library, "mkl_get_version") && dladdr(routine, &home) &&
         !strstr(home.dli_fname, "lapack64");
}

/// Of other libraries none is replaced: theirs may take other integers under the same names.
bool is_openblas(void* library) {
  return dlsym(library, "gotoblas") || dlsym(library, "openblas_get_config") ||
         dlsym(library, "openblas_get_config64_") || dlsym(library, "scipy_openblas_get_config") ||
         dlsym(library, "scipy_openblas_get_config64_");
}

[[noreturn]] void fail(const char* symbol) {
  fprintf(stderr, "trigon: the program calls %s, and no loaded library has it\n", symbol);
  fflush(nullptr);
  _exit(127);
}

/// Where a symbol leads, decided at its first call and kept.
struct Target {
  void* original = nullptr;
  void* replacement = nullptr;  // null: the original stays
  int known = 0;                // written last
};

/// Whether the reference LAPACK calls one of its own routines, which also comes by way of here.
bool is_reference(void* caller) {
  Dl_info from, own;
  void* const known = reference ? dlsym(reference, "dpotrf_") : nullptr;
  return known && dladdr(caller, &from) && dladdr(known, &own) && from.dli_fbase == own.dli_fbase;
}

const Target& resolve(Target& target, const char* symbol, const Routine& routine, void* caller) {
  if (__atomic_load_n(&target.known, __ATOMIC_ACQUIRE)) return target;
  void* library = nullptr;
  void* const original = find_original(symbol, &library);
  const bool bypasses = !original || is_openblas(library);
  const Replacements others = replacements(routine.name);
  void* replacement = bypasses ? others.reference : nullptr;
  if (others.own && (bypasses || is_netlib(library, original))) replacement = others.own;
  if (!original && !replacement) fail(symbol);
  Dl_info home;
  if (bypasses && original && original != replacement && !is_reference(caller) && dladdr(original, &home)) {
    note(!replacement ? "bypassed" : replacement == others.own ? "taken" : "replaced", home.dli_fname);
  }
  __atomic_store_n(&target.original, original, __ATOMIC_RELAXED);
  __atomic_store_n(&target.replacement, replacement, __ATOMIC_RELAXED);
  __atomic_store_n(&target.known, 1, __ATOMIC_RELEASE);
  return target;
}

void narrow_call(Target& target, const char* symbol, const Routine& routine, Words words, void* caller) {
  const Target& t = resolve(target, symbol, routine, caller);
  call(t.replacement ? t.replacement : t.original, routine.arguments, words);
}

/// How many pivots: the order, which is n; of getrf the smaller of m and n.
int64_t pivots(const Routine& routine, Words words) {
  const int64_t first = *static_cast<const int64_t*>(words[0]);
  if (strcmp(routine.name + 1, "getrf_") == 0) {
    const int64_t second = *static_cast<const int64_t*>(words[1]);
    return first < second ? first : second;
  }
  return strcmp(routine.name + 1, "getrs_") == 0 ? *static_cast<const int64_t*>(words[1]) : first;
}

bool is_integer(char kind) { return kind == 'i'; }

/// A call with 64-bit integers, carried out by routines with 32-bit ones where the sizes fit.
void wide_call(Target& target, const char* symbol, const Routine& routine, Words words, void* caller) {
  const Target& t = resolve(target, symbol, routine, caller);
  const char* const kinds = routine.arguments;
  bool fits = t.replacement != nullptr;
  for (size_t i = 0; fits && kinds[i]; ++i) {
    if (!is_integer(kinds[i])) continue;
    const int64_t value = *static_cast<const int64_t*>(words[i]);
    fits = value == static_cast<int32_t>(value);
  }
  if (!fits && !t.original) fail(symbol);
  if (!fits) return call(t.original, kinds, words);

  int32_t integers[10];
  void* narrow[10];
  int32_t info = 0;
  int32_t* pivots_in = nullptr;
  int64_t *pivots_out = nullptr, *wide_info = nullptr;
  const int64_t count = strpbrk(kinds, "xv") ? pivots(routine, words) : 0;
  for (size_t i = 0; kinds[i]; ++i) {
    narrow[i] = words[i];
    if (is_integer(kinds[i])) {
      integers[i] = static_cast<int32_t>(*static_cast<const int64_t*>(words[i]));
      narrow[i] = &integers[i];
    } else if (kinds[i] == 'o') {
      wide_info = static_cast<int64_t*>(words[i]);
      narrow[i] = &info;
    } else if (kinds[i] == 'x') {
      pivots_out = static_cast<int64_t*>(words[i]);  // the narrow ones come into its first half
    } else if (kinds[i] == 'v') {
      pivots_in = static_cast<int32_t*>(malloc(static_cast<size_t>(count > 0 ? count : 1) * sizeof(int32_t)));
      if (!pivots_in) {
        if (!t.original) fail(symbol);
        return call(t.original, kinds, words);
      }
      for (int64_t l = 0; l < count; ++l) pivots_in[l] = static_cast<int32_t>(static_cast<int64_t*>(words[i])[l]);
      narrow[i] = pivots_in;
    }
  }
  call(t.replacement, kinds, narrow);
  free(pivots_in);
  if (wide_info) *wide_info = info;
  if (!pivots_out || info < 0) return;
  const char* const packed = reinterpret_cast<const char*>(pivots_out);
  for (int64_t l = count - 1; l >= 0; --l) {
    int32_t pivot;
    memcpy(&pivot, packed + static_cast<size_t>(l) * sizeof pivot, sizeof pivot);
    pivots_out[l] = pivot;
  }
}

}  // namespace
}  // namespace trigon::preload

#define PARAMETERS_5 void *a, void *b, void *c, void *d, void *e
#define PARAMETERS_6 PARAMETERS_5, void* f
#define PARAMETERS_8 PARAMETERS_6, void *g, void *h
#define PARAMETERS_9 PARAMETERS_8, void* i
#define PARAMETERS_10 PARAMETERS_9, void* j
#define WORDS_5 a, b, c, d, e
#define WORDS_6 WORDS_5, f
#define WORDS_8 WORDS_6, g, h
#define WORDS_9 WORDS_8, i
#define WORDS_10 WORDS_9, j

#define EXPORT(symbol, routine, count, arguments, caller)                                                    \
  extern "C" __attribute__((visibility("default"))) void symbol(PARAMETERS_##count) {                        \
    static trigon::preload::Target target;                                                                   \
    static_assert(sizeof arguments == count + 1);                                                            \
    void* const words[] = {WORDS_##count};                                                                   \
    trigon::preload::caller(target, #symbol, {#routine "_", arguments}, words, __builtin_return_address(0)); \
  }
#define SPELLINGS(routine, count, arguments)                         \
  EXPORT(routine##_, routine, count, arguments, narrow_call)         \
  EXPORT(scipy_##routine##_, routine, count, arguments, narrow_call) \
  EXPORT(routine##_64_, routine, count, arguments, wide_call)        \
  EXPORT(scipy_##routine##_64_, routine, count, arguments, wide_call)
#define PRECISIONS(routine, count, arguments) \
  SPELLINGS(s##routine, count, arguments)     \
  SPELLINGS(d##routine, count, arguments)     \
  SPELLINGS(c##routine, count, arguments)     \
  SPELLINGS(z##routine, count, arguments)

PRECISIONS(potrf, 5, "cipio")
PRECISIONS(potri, 5, "cipio")
PRECISIONS(lauum, 5, "cipio")
PRECISIONS(trtri, 6, "ccipio")
PRECISIONS(trti2, 6, "ccipio")
PRECISIONS(trtrs, 10, "ccciipipio")
PRECISIONS(getrf, 6, "iipixo")
PRECISIONS(getrs, 9, "ciipivpio")
PRECISIONS(gesv, 8, "iipixpio")
