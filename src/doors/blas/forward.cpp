#include "doors/blas/forward.hpp"

#include "core/loading.hpp"
#include "doors/blas/complex_results.hpp"
#include "doors/blas/forward_search.hpp"
#include "doors/blas/handler_binding.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

namespace trigon::doors {
namespace {

#ifdef TRIGON_BLAS_ILP64
constexpr bool ilp64 = true;
#else
constexpr bool ilp64 = false;
#endif

struct Library {
  void* handle = nullptr;
  std::string path;
  bool plain_names = false;  ///< its routines have the integers of this flavour under the plain names
  std::string rejected;      ///< why the candidates before it, or all, were not taken
};

[[noreturn]] void give_up(const std::string& message) {
  std::fprintf(stderr, "trigon: %s\n", message.c_str());
  std::fflush(nullptr);
  _exit(127);  // as the dynamic linker does when a symbol is missing
}

std::string own_path() {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&forward_symbol), &self) == 0 || self.dli_fname == nullptr) return {};
  return self.dli_fname;
}

bool is_own(void* address) {
  Dl_info self, other;
  return dladdr(reinterpret_cast<void*>(&forward_symbol), &self) != 0 && dladdr(address, &other) != 0 &&
         self.dli_fbase == other.dli_fbase;
}

/// Whether dasum takes 64-bit integers. The count is negative in 64 bits, where the sum is empty, and 1 in the
/// low 32, where it is the one element.
bool takes_wide_integers(void* dasum) {
  const std::int64_t count = static_cast<std::int64_t>(0xffffffff00000001u), step = 1;
  const double one = 1;
  return reinterpret_cast<double (*)(const void*, const double*, const void*)>(dasum)(&count, &one, &step) == 0;
}

/// Points the library's error handlers, and those of the object that its routines really live in, at the program's.
void bind_handlers_of(void* handle) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0) bind_error_handlers(map);
  for (const char* routine : {"dgemv_", "dgemv_64_", "cblas_dgemv", "cblas_dgemv_64"}) {
    Dl_info info;
    link_map* home = nullptr;
    void* const address = dlsym(handle, routine);
    if (address != nullptr && dladdr1(address, &info, reinterpret_cast<void**>(&home), RTLD_DL_LINKMAP) != 0 &&
        home != map)
      bind_error_handlers(home);
  }
}

/// Why a library that could be opened cannot be used, or nothing.
std::string objection(Library& library) {
  if (dlsym(library.handle, "trigon_version") != nullptr) return "is Trigon itself";
  void* const plain = dlsym(library.handle, "dasum_");
  void* const wide = ilp64 ? dlsym(library.handle, "dasum_64_") : nullptr;
  if (plain == nullptr && wide == nullptr) return "has no dasum_, so it is no BLAS";
  if (plain != nullptr && is_own(plain)) return "depends on Trigon itself";
  library.plain_names = plain != nullptr && takes_wide_integers(plain) == ilp64;
  if (!library.plain_names && wide == nullptr)
    return ilp64 ? "takes 32-bit integers, not 64-bit ones" : "takes 64-bit integers, not 32-bit ones";
  return {};
}

/// Whether the library is an OpenBLAS for programs of one thread: without locks, so that concurrent calls, of DGEMV as
/// of DGEMM, share its buffers and get wrong results.
bool takes_one_thread(void* handle) {
  for (const char* name : {"openblas_get_config", "openblas_get_config64_"})
    if (void* const config = dlsym(handle, name)) {
      const std::string words = reinterpret_cast<const char* (*)()>(config)();
      return words.find("SINGLE_THREADED") != std::string::npos && words.find("USE_LOCKING") == std::string::npos;
    }
  return false;
}

/// A candidate opened, or a library without a handle that says why it is none.
Library opened(const ForwardCandidate& candidate) {
  Library library;
  library.path = candidate.path;
  library.handle = dlopen(candidate.path.c_str(), RTLD_LAZY | RTLD_LOCAL | core::bound_to_itself());
  if (library.handle == nullptr) {
    const char* const reason = dlerror();
    library.rejected = "cannot be opened (" + std::string(reason != nullptr ? reason : "no reason given") + ")";
  } else if (library.rejected = objection(library); !library.rejected.empty()) {
    dlclose(std::exchange(library.handle, nullptr));
  }
  return library;
}

Library taken(Library library, const std::string& origin) {
  bind_handlers_of(library.handle);
  if (const char* verbose = secure_getenv("TRIGON_VERBOSE"); verbose != nullptr && *verbose == '1')
    std::fprintf(stderr, "trigon: other BLAS routines are those of %s (%s)\n", library.path.c_str(), origin.c_str());
  return library;
}

Library open_library() {
  Library none, last_resort;
  for (const ForwardCandidate& candidate : forward_candidates(ilp64, own_path())) {
    Library library = opened(candidate);
    if (library.handle == nullptr) {
      none.rejected += (none.rejected.empty() ? "" : "; ") + candidate.path + " " + library.rejected;
    } else if (!candidate.named && takes_one_thread(library.handle)) {
      if (last_resort.handle == nullptr)
        last_resort = std::move(library);
      else
        dlclose(library.handle);
    } else {
      if (last_resort.handle != nullptr) dlclose(last_resort.handle);
      return taken(std::move(library), candidate.origin);
    }
  }
  if (last_resort.handle != nullptr)
    return taken(std::move(last_resort), "there is no other, and it is for one thread");
  if (none.rejected.empty()) none.rejected = "none was found";
  return none;
}

/// The routine in a library of the program behind Trigon, such as one of extensions that the forward library lacks.
void* next_in_program(const std::string& name) {
  void* const address = dlsym(RTLD_NEXT, name.c_str());
  return address == nullptr || is_own(address) ? nullptr : address;
}

/// The symbol as programs of this flavour call it.
std::string spelled(const char* name) { return ilp64 ? std::string(name) + "64_" : name; }

/// What the program would call without the drop-in, each of complex_dots. Found when the drop-in is loaded, unless a
/// constructor calls before: the whole program sees MKL from MKL's first call on, be it behind the drop-in or as the
/// provider of GEMM. The first value stays, which no thread found after another one had gone on.
using Dots = std::array<void*, std::size(complex_dots)>;
const Dots& own_dots() {
  return core::first_of([] {
    Dots own;
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = next_in_program(spelled(complex_dots[i]));
    return own;
  });
}
[[gnu::constructor]] void find_own_dots() { own_dots(); }

/// Never destroyed: routines may be called while the process exits.
const Library& library() {
  if (core::Loading::here()) give_up("the BLAS library being opened calls BLAS while it is loaded");
  return core::first_of([] {
    const core::Loading now;
    own_dots();
    return open_library();
  });
}

/// A routine in the library opened, or null.
void* found_in(const Library& l, const char* name) {
  if (ilp64)
    for (const char* suffix : {"64_", "_64"}) {
      const std::string wide = std::string(name) + suffix;
      if (void* const found = dlsym(l.handle, wide.c_str())) return found;
    }
  if (!l.plain_names) return nullptr;
  void* const found = dlsym(l.handle, name);
  return found == nullptr || is_own(found) ? nullptr : found;
}

/// A routine that neither the library has nor the program, such as an extension: in another one that would do, and last
/// in those for one thread.
void* found_elsewhere(const char* name) {
  const core::Loading now;
  for (const bool for_one_thread : {false, true})
    for (const ForwardCandidate& candidate : forward_candidates(ilp64, own_path())) {
      const Library other = opened(candidate);
      if (other.handle == nullptr) continue;
      void* const found = takes_one_thread(other.handle) == for_one_thread ? found_in(other, name) : nullptr;
      if (found != nullptr) {
        bind_handlers_of(other.handle);
        return found;
      }
      dlclose(other.handle);
    }
  return nullptr;
}

[[noreturn]] void missing(const char* name) {
  const Library& l = library();
  const std::string who =
      l.handle != nullptr ? l.path + " has no such routine" : "no library for it can be used: " + l.rejected;
  give_up("the program calls " + spelled(name) + ", which Trigon leaves to another BLAS, and " + who +
          ". Name a BLAS that has it in " + forward_variable(ilp64) + ".");
}

}  // namespace

void* forward_symbol(const char* name) noexcept {
  const Library& l = library();
  void* const behind = l.handle != nullptr ? found_in(l, name) : nullptr;
  if (behind == nullptr) return next_in_program(spelled(name));
  for (std::size_t i = 0; i < std::size(complex_dots); ++i)
    if (std::strcmp(name, complex_dots[i]) == 0) return with_results_as(own_dots()[i], behind, i);
  return behind;
}

/// One routine that is forwarded: what its entry point in forward.S jumps to, and its name.
struct Forward {
  std::atomic<void*> target;
  const char* name;
};

/// Called by an entry point the first time; fills its target.
extern "C" __attribute__((visibility("hidden"))) void* trigon_forward_resolve(Forward* forward) noexcept {
  const int error = errno;
  void* address = forward_symbol(forward->name);
  if (address == nullptr) address = found_elsewhere(forward->name);
  if (address == nullptr) missing(forward->name);
  forward->target.store(address, std::memory_order_release);
  errno = error;
  return address;
}

}  // namespace trigon::doors
