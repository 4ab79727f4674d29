#include "doors/blas/hidden_handlers.hpp"

#include "doors/blas/names.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <string>
#include <vector>

namespace trigon::doors {
namespace {

/// The libraries of the process in the order in which they were loaded. Asked for by itself: the loader's lock is not
/// held while one of them is looked into.
std::vector<std::string> loaded_libraries() {
  std::vector<std::string> names;
  const auto add = [](dl_phdr_info* library, std::size_t, void* to) {
    if (library->dlpi_name && *library->dlpi_name)
      static_cast<std::vector<std::string>*>(to)->emplace_back(library->dlpi_name);
    return 0;
  };
  dl_iterate_phdr(add, &names);
  return names;
}

/// Its own symbol, not one of the libraries that it depends on.
void* own_symbol(void* library, const char* name) {
  link_map* mine = nullptr;
  void *const found = dlsym(library, name), *its = nullptr;
  Dl_info info;
  const bool own = found && dlinfo(library, RTLD_DI_LINKMAP, &mine) == 0 &&
                   dladdr1(found, &info, &its, RTLD_DL_LINKMAP) != 0 && its == mine;
  return own ? found : nullptr;
}

/// Such libraries bring the default handler.
bool is_blas_or_lapack(void* library) {
  for (const char* routine : {TRIGON_NAME(TRIGON_FORTRAN(dgemm)), TRIGON_NAME(TRIGON_FORTRAN(dgemv)),
                              TRIGON_NAME(TRIGON_FORTRAN(dpotrf)), TRIGON_NAME(TRIGON_CBLAS(dgemm))})
    if (own_symbol(library, routine)) return true;
  return false;
}

/// Whether an address is within a function of this name: a handler that goes on to the default one, which of a call at
/// its end sees the default one itself as its caller.
bool is_within(const void* address, const char* symbol) {
  Dl_info info;
  return dladdr(address, &info) != 0 && info.dli_sname && std::strcmp(info.dli_sname, symbol) == 0;
}

}  // namespace

HiddenHandler::HiddenHandler(const char* symbol, const void* caller) {
  if (is_within(caller, symbol)) return;
  for (const std::string& name : loaded_libraries()) {
    library_ = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (!library_) continue;
    address_ = own_symbol(library_, symbol);
    if (address_ && !is_blas_or_lapack(library_)) return;
    dlclose(library_);
    library_ = address_ = nullptr;
  }
}

HiddenHandler::~HiddenHandler() {
  if (library_) dlclose(library_);
}

}  // namespace trigon::doors
