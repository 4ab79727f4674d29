#include "originals.hpp"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace trigon::preload {
namespace {

/// Paths one after the other, each with its end. dlopen cannot be called from within dl_iterate_phdr.
struct Paths {
  char* text = nullptr;
  size_t size = 0;
};

int collect(dl_phdr_info* object, size_t, void* list) {
  const char* path = object->dlpi_name;
  if (!path || !*path) return 0;
  Paths& paths = *static_cast<Paths*>(list);
  const size_t length = strlen(path) + 1;
  char* grown = static_cast<char*>(realloc(paths.text, paths.size + length));
  if (!grown) return 1;
  paths.text = grown;
  memcpy(paths.text + paths.size, path, length);
  paths.size += length;
  return 0;
}

/// This library, or another of Trigon's: those that answer are not what the program would have called.
bool is_ours(void* address) {
  Dl_info self, other;
  if (!dladdr(reinterpret_cast<void*>(&find_original), &self) || !dladdr(address, &other)) return false;
  if (self.dli_fbase == other.dli_fbase) return true;
  const char* const slash = strrchr(other.dli_fname, '/');
  const char* const file_name = slash ? slash + 1 : other.dli_fname;
  return strncmp(file_name, "libtrigon", strlen("libtrigon")) == 0;
}

}  // namespace

void* find_original(const char* name, void** library) {
  Paths paths;
  dl_iterate_phdr(collect, &paths);
  void* found = nullptr;
  for (size_t at = 0; at < paths.size && !found; at += strlen(paths.text + at) + 1) {
    void* handle = dlopen(paths.text + at, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle) continue;
    void* address = dlsym(handle, name);
    if (address && !is_ours(address)) {
      found = address;
      *library = handle;
    } else {
      dlclose(handle);
    }
  }
  free(paths.text);
  return found;
}

void* open_beside(const char* file_name) {
  Dl_info self;
  char path[4096];
  if (!dladdr(reinterpret_cast<void*>(&open_beside), &self) || !self.dli_fname) return nullptr;
  const char* slash = strrchr(self.dli_fname, '/');
  const int folder = slash ? static_cast<int>(slash + 1 - self.dli_fname) : 0;
  const int length = snprintf(path, sizeof path, "%.*s%s", folder, self.dli_fname, file_name);
  if (length < 0 || length >= static_cast<int>(sizeof path)) return nullptr;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

}  // namespace trigon::preload
