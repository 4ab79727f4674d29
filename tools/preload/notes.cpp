#include "notes.hpp"

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace trigon::preload {

void note(const char* what, const char* path) {
  const char* file_name = getenv("TRIGON_RUN_NOTES");
  if (!file_name) return;
  char line[4200];  // one write each, so that the lines of several processes do not mix
  const int length = snprintf(line, sizeof line, "%s %s\n", what, path);
  if (length < 0 || length >= static_cast<int>(sizeof line)) return;
  const int file = open(file_name, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, line, static_cast<size_t>(length)) < 0) fprintf(stderr, "trigon: %s: cannot be written\n", file_name);
  close(file);
}

namespace {

bool concerns_linear_algebra(const char* file_name) {
  const char* const words[] = {"blas", "lapack", "mkl_", "blis", "atlas", "armpl", "flame"};
  for (const char* word : words) {
    if (strstr(file_name, word)) return true;
  }
  return false;
}

int note_library(dl_phdr_info* object, size_t, void*) {
  const char* slash = object->dlpi_name ? strrchr(object->dlpi_name, '/') : nullptr;
  if (slash && !strstr(slash, "libtrigon") && concerns_linear_algebra(slash)) note("loaded", object->dlpi_name);
  return 0;
}

// At the beginning for those that end without the other; opened later on, most are there at the end alone.
__attribute__((constructor, destructor)) void note_libraries() { dl_iterate_phdr(note_library, nullptr); }

}  // namespace
}  // namespace trigon::preload
