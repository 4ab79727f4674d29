#include "doors/blas/handler_binding.hpp"

#include "doors/blas/elf.hpp"
#include "doors/blas/handlers.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>

namespace trigon::doors {
namespace {

#if defined(__x86_64__)
bool names_a_symbol(std::uint32_t type) {
  return type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT || type == R_X86_64_64;
}
#elif defined(__aarch64__)
bool names_a_symbol(std::uint32_t type) {
  return type == R_AARCH64_GLOB_DAT || type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_ABS64;
}
#endif

/// The address the program uses for a symbol of the error protocol, or null for other symbols. The library may
/// spell the handlers in either width; what it was found to be is known to the caller.
void* program_address(const char* symbol) {
  const auto either = [symbol](const char* plain, const char* wide) {
    return std::strcmp(symbol, plain) == 0 || std::strcmp(symbol, wide) == 0;
  };
  if (either("xerbla_", "xerbla_64_")) return reinterpret_cast<void*>(&TRIGON_FORTRAN(xerbla));
  if (either("cblas_xerbla", "cblas_xerbla_64") || std::strcmp(symbol, "cblas_xerbla64_") == 0)
    return reinterpret_cast<void*>(cblas_handler());
  if (std::strcmp(symbol, "CBLAS_CallFromC") == 0) return &CBLAS_CallFromC;
  if (std::strcmp(symbol, "RowMajorStrg") == 0) return &RowMajorStrg;
  return nullptr;
}

void write_slot(ElfW(Addr) at, void* value) {
  auto* const slot = reinterpret_cast<void**>(at);
  if (*slot == value) return;
  // The slot may have been made read-only after relocation; the page stays writable from here on, because
  // closing it again would race with the dynamic linker and with other threads.
  const auto page = static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE));
  if (mprotect(reinterpret_cast<void*>(at & ~(page - 1)), page, PROT_READ | PROT_WRITE) != 0) return;
  std::atomic_ref<void*>(*slot).store(value, std::memory_order_release);
}

}  // namespace

void bind_error_handlers(const link_map* library) {
  const LoadedLibrary loaded(library->l_addr, library->l_ld);
  if (loaded.symbols == nullptr || loaded.strings == nullptr) return;
  for (const LoadedLibrary::Relocations& table : loaded.relocations)
    for (std::size_t i = 0; table.entries != nullptr && i < table.bytes / sizeof(ElfW(Rela)); ++i) {
      const ElfW(Rela)& relocation = table.entries[i];
      if (!names_a_symbol(ELF64_R_TYPE(relocation.r_info))) continue;
      const char* const name = loaded.strings + loaded.symbols[ELF64_R_SYM(relocation.r_info)].st_name;
      if (void* const value = program_address(name)) write_slot(loaded.base + relocation.r_offset, value);
    }
}

}  // namespace trigon::doors
