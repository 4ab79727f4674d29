// Finds the targets of aliases.S: the drop-in's own routines.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

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

/// The drop-in with 64-bit integers, which lies beside this library and is not preloaded: it would also take
/// the names of all that it forwards, and there may be no BLAS of that kind to forward to.
void* wide_drop_in() {
  Dl_info self;
  char path[4096];
  if (!dladdr(reinterpret_cast<void*>(&missing), &self) || !self.dli_fname) return nullptr;
  const char* slash = std::strrchr(self.dli_fname, '/');
  const int folder = slash ? static_cast<int>(slash - self.dli_fname) : 0;
  const int length = std::snprintf(path, sizeof path, "%.*s/libtrigon_blas64.so", folder, self.dli_fname);
  if (length < 0 || length >= static_cast<int>(sizeof path)) return nullptr;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

extern "C" {
extern Alias __start_trigon_aliases[] __attribute__((visibility("hidden")));
extern Alias __stop_trigon_aliases[] __attribute__((visibility("hidden")));
}

__attribute__((constructor)) static void find_targets() {
  void* const wide = wide_drop_in();
  for (Alias* alias = __start_trigon_aliases; alias != __stop_trigon_aliases; ++alias) {
    const bool is_wide = std::strstr(alias->name, "64_") != nullptr;
    void* const scope = is_wide ? wide : RTLD_DEFAULT;
    alias->target = is_wide && !wide ? nullptr : dlsym(scope, alias->name);
    if (!alias->target) alias->target = reinterpret_cast<void*>(&missing);
  }
}
