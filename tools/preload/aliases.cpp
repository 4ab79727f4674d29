// Finds the targets of aliases.S: the drop-in's own routines.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "originals.hpp"

namespace {

struct Alias {
  void* target;
  const char* name;
};

[[noreturn]] void missing() {
  std::fprintf(stderr, "trigon: the program calls a BLAS routine that libtrigon_blas64.so does not have\n");
  std::fflush(nullptr);
  _exit(127);  // as the dynamic linker does when a symbol is missing
}

}  // namespace

extern "C" {
extern Alias __start_trigon_aliases[] __attribute__((visibility("hidden")));
extern Alias __stop_trigon_aliases[] __attribute__((visibility("hidden")));
}

__attribute__((constructor)) static void find_targets() {
  // Not preloaded: it would also take the names of all that it forwards, and there may be no BLAS of that kind
  // to forward to.
  void* const wide = trigon::preload::open_beside("libtrigon_blas64.so");
  for (Alias* alias = __start_trigon_aliases; alias != __stop_trigon_aliases; ++alias) {
    const bool is_wide = std::strstr(alias->name, "64_") != nullptr;
    void* const scope = is_wide ? wide : RTLD_DEFAULT;
    alias->target = is_wide && !wide ? nullptr : dlsym(scope, alias->name);
    if (!alias->target) alias->target = reinterpret_cast<void*>(&missing);
  }
}
