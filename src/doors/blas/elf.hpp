// What a loaded library says of itself, read without the dynamic linker: its functions wait for its lock, which a
// thread that loads a library may hold while it waits for this one.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace trigon::doors {

struct LoadedLibrary {
  struct Relocations {
    const ElfW(Rela) * entries = nullptr;
    std::size_t bytes = 0;
  };

  ElfW(Addr) base;
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  const std::uint32_t* hash = nullptr;
  Relocations relocations[2];

  LoadedLibrary(ElfW(Addr) at, const ElfW(Dyn) * dynamic) : base(at) {
    for (const ElfW(Dyn)* d = dynamic; d->d_tag != DT_NULL; ++d) switch (d->d_tag) {
        case DT_SYMTAB: symbols = pointer<ElfW(Sym)>(d); break;
        case DT_STRTAB: strings = pointer<char>(d); break;
        case DT_GNU_HASH: hash = pointer<std::uint32_t>(d); break;
        case DT_RELA: relocations[0].entries = pointer<ElfW(Rela)>(d); break;
        case DT_RELASZ: relocations[0].bytes = d->d_un.d_val; break;
        case DT_JMPREL: relocations[1].entries = pointer<ElfW(Rela)>(d); break;
        case DT_PLTRELSZ: relocations[1].bytes = d->d_un.d_val; break;
      }
  }

  /// A function that it defines, or null: by the table of hashes that linkers have written since 2006. (Four words, a
  /// filter, the first symbol of each bucket, and of each symbol its hash, whose last bit ends the bucket.)
  void* function(const char* name) const {
    if (!symbols || !strings || !hash) return nullptr;
    std::uint32_t h = 5381;
    for (const char* c = name; *c; ++c) h = 33 * h + static_cast<unsigned char>(*c);
    const std::uint32_t buckets = hash[0], first = hash[1], words = hash[2];
    const auto* const bucket =
        reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const ElfW(Addr)*>(hash + 4) + words);
    if (buckets == 0) return nullptr;
    std::uint32_t at = bucket[h % buckets];
    if (at < first) return nullptr;
    for (;; ++at) {
      const std::uint32_t of_symbol = bucket[buckets + at - first];
      const ElfW(Sym)& s = symbols[at];
      if ((of_symbol | 1) == (h | 1) && s.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(s.st_info) == STT_FUNC &&
          std::strcmp(strings + s.st_name, name) == 0)
        return reinterpret_cast<void*>(base + s.st_value);
      if (of_symbol & 1) return nullptr;
    }
  }

 private:
  /// The linker has made some of them absolute.
  template <class X>
  const X* pointer(const ElfW(Dyn) * d) const {
    const ElfW(Addr) p = d->d_un.d_ptr;
    return reinterpret_cast<const X*>(p < base ? base + p : p);
  }
};

}  // namespace trigon::doors
