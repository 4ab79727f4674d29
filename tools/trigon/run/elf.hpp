// What `run` has to know of a program or a library before it is loaded.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace trigon::cli {

struct Elf {
  std::string interpreter;                  ///< the loader a program asks for; empty for libraries and static programs
  std::string soname;                       ///< empty where none is recorded
  std::vector<std::string> needed;          ///< DT_NEEDED, in order
  std::unordered_set<std::string> defined;  ///< dynamic symbols that it provides
  std::unordered_set<std::string> undefined;  ///< dynamic symbols that it takes from others
  bool dynamic = false;                       ///< has a dynamic section at all
};

/// Reads a 64-bit ELF file of this machine's kind. Nothing for other files, and for damaged ones.
std::optional<Elf> read_elf(const std::string& path);

}  // namespace trigon::cli
