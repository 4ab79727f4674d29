#include "trigon/run/elf.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>

// The beginning of this program's own file, as the linker names it: what a file of this machine's kind says.
extern "C" const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

namespace trigon::cli {
namespace {

struct Damaged {};

/// The file's bytes; every access is checked, because the program to run may be anything.
class Image {
 public:
  explicit Image(std::vector<char> bytes) : bytes_(std::move(bytes)) {}

  template <class T>
  T at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) throw Damaged{};
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  std::string text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) throw Damaged{};
    const char* begin = bytes_.data() + offset;
    const void* end = std::memchr(begin, '\0', bytes_.size() - offset);
    if (!end) throw Damaged{};
    return {begin, static_cast<const char*>(end)};
  }

 private:
  std::vector<char> bytes_;
};

void read_interpreter(const Image& image, const Elf64_Ehdr& header, Elf& elf) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = image.at<Elf64_Phdr>(header.e_phoff + i * std::uint64_t{header.e_phentsize});
    if (segment.p_type == PT_INTERP) elf.interpreter = image.text(segment.p_offset);
    if (segment.p_type == PT_DYNAMIC) elf.dynamic = true;
  }
}

void read_dynamic(const Image& image, const Elf64_Shdr& section, std::uint64_t strings, Elf& elf) {
  for (std::uint64_t i = 0; i < section.sh_size / sizeof(Elf64_Dyn); ++i) {
    const auto entry = image.at<Elf64_Dyn>(section.sh_offset + i * sizeof(Elf64_Dyn));
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) elf.needed.push_back(image.text(strings + entry.d_un.d_val));
    if (entry.d_tag == DT_SONAME) elf.soname = image.text(strings + entry.d_un.d_val);
  }
}

void read_symbols(const Image& image, const Elf64_Shdr& section, std::uint64_t strings, Elf& elf) {
  for (std::uint64_t i = 1; i < section.sh_size / sizeof(Elf64_Sym); ++i) {
    const auto symbol = image.at<Elf64_Sym>(section.sh_offset + i * sizeof(Elf64_Sym));
    (symbol.st_shndx == SHN_UNDEF ? elf.undefined : elf.defined).insert(image.text(strings + symbol.st_name));
  }
}

Elf parse(const Image& image) {
  const auto header = image.at<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != __ehdr_start.e_ident[EI_DATA] || header.e_machine != __ehdr_start.e_machine) {
    throw Damaged{};
  }
  Elf elf;
  read_interpreter(image, header, elf);
  const auto section_at = [&](std::uint64_t i) {
    if (i >= header.e_shnum) throw Damaged{};
    return image.at<Elf64_Shdr>(header.e_shoff + i * header.e_shentsize);
  };
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr section = section_at(i);
    if (section.sh_type == SHT_DYNAMIC) read_dynamic(image, section, section_at(section.sh_link).sh_offset, elf);
    if (section.sh_type == SHT_DYNSYM) read_symbols(image, section, section_at(section.sh_link).sh_offset, elf);
  }
  return elf;
}

}  // namespace

std::optional<Elf> read_elf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char magic[SELFMAG] = {};
  if (!file.read(magic, SELFMAG) || std::memcmp(magic, ELFMAG, SELFMAG) != 0) return std::nullopt;
  file.seekg(0, std::ios::end);
  std::vector<char> bytes(static_cast<std::size_t>(file.tellg()));
  file.seekg(0);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return std::nullopt;
  try {
    return parse(Image(std::move(bytes)));
  } catch (const Damaged&) {
    return std::nullopt;
  }
}

}  // namespace trigon::cli
