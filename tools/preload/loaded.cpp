// libtrigon_run.so, loaded by `trigon run` beside the drop-in: at exit, it writes down which BLAS and LAPACK
// libraries the process had loaded, so that `run` can name those that bypass Trigon.
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace {

bool concerns_linear_algebra(const char* name) {
  for (const char* word : {"blas", "lapack", "mkl_", "blis", "atlas", "armpl", "flame"}) {
    if (std::strstr(name, word)) return true;
  }
  return false;
}

int note(dl_phdr_info* object, std::size_t, void* file) {
  const char* path = object->dlpi_name;
  const char* slash = path ? std::strrchr(path, '/') : nullptr;
  if (!slash || std::strstr(slash, "libtrigon") || !concerns_linear_algebra(slash)) return 0;
  char line[4097];  // one write each, so that the lines of several processes do not mix
  const std::size_t length = std::strlen(path);
  if (length + 1 > sizeof line) return 0;
  std::memcpy(line, path, length);
  line[length] = '\n';
  return write(*static_cast<int*>(file), line, length + 1) < 0;
}

__attribute__((destructor)) void note_libraries() {
  const char* path = std::getenv("TRIGON_RUN_NOTES");
  if (!path) return;
  int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return;  // `run` is gone: nobody is left to tell
  dl_iterate_phdr(note, &file);
  close(file);
}

}  // namespace
