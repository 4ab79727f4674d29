// OpenBLAS's control functions, for programs written for it that are linked to the drop-in instead. The OpenBLAS
// that a program means may be one that it loaded itself, the one behind the drop-in, or both: settings go to
// both, questions to the program's own first. Where neither is OpenBLAS, they do nothing.
#include "doors/blas/forward.hpp"
#include "doors/blas/names.h"

#include <dlfcn.h>

#ifdef TRIGON_BLAS_ILP64
#define TRIGON_CONTROL(name) TRIGON_PASTE(name, 64_)
#define TRIGON_SUFFIX "64_"
#else
#define TRIGON_CONTROL(name) name
#define TRIGON_SUFFIX ""
#endif

namespace {

template <class Function>
struct Both {
  Function program, forward;
};

/// `name` with and without the suffix of the flavour: RTLD_NEXT knows the former, forward_symbol adds it.
template <class Function>
Both<Function> find(const char* name, const char* suffixed) {
  return {reinterpret_cast<Function>(dlsym(RTLD_NEXT, suffixed)),
          reinterpret_cast<Function>(trigon::doors::forward_symbol(name))};
}

void set(const char* name, const char* suffixed, int value) {
  const auto [program, forward] = find<void (*)(int)>(name, suffixed);
  if (program != nullptr) program(value);
  if (forward != nullptr && forward != program) forward(value);
}

template <class R>
R get(const char* name, const char* suffixed, R otherwise) {
  const auto [program, forward] = find<R (*)()>(name, suffixed);
  return program != nullptr ? program() : forward != nullptr ? forward() : otherwise;
}

}  // namespace

#define TRIGON_SETTING(name) \
  TRIGON_BLAS_EXPORT void TRIGON_CONTROL(name)(int value) { set(#name, #name TRIGON_SUFFIX, value); }
#define TRIGON_QUESTION(R, name, otherwise) \
  TRIGON_BLAS_EXPORT R TRIGON_CONTROL(name)() { return get<R>(#name, #name TRIGON_SUFFIX, otherwise); }

TRIGON_SETTING(openblas_set_num_threads)
TRIGON_SETTING(goto_set_num_threads)
TRIGON_QUESTION(int, openblas_get_num_threads, 1)
TRIGON_QUESTION(int, openblas_get_num_procs, 1)
TRIGON_QUESTION(int, goto_get_num_procs, 1)
TRIGON_QUESTION(int, openblas_get_parallel, 0)
TRIGON_QUESTION(const char*, openblas_get_config, "Trigon")
TRIGON_QUESTION(const char*, openblas_get_corename, "unknown")

// For Fortran.
TRIGON_BLAS_EXPORT void TRIGON_CONTROL(openblas_set_num_threads_)(const int* value) {
  TRIGON_CONTROL(openblas_set_num_threads)(*value);
}
TRIGON_QUESTION(int, openblas_get_num_threads_, 1)
TRIGON_QUESTION(int, openblas_get_num_procs_, 1)
TRIGON_QUESTION(int, openblas_get_parallel_, 0)
