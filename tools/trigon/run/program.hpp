// The program that `run` is asked to start, as the system will find and load it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trigon/run/elf.hpp"

namespace trigon::cli {

struct Program {
  std::string shell_script;  ///< a script without #!, which /bin/sh reads instead; otherwise empty
  std::string path;          ///< the file that a shell would start for this name
  std::string binary;        ///< the file that the kernel loads: `path`, or the interpreter of a script
  std::optional<Elf> elf;    ///< what `binary` says of itself; nothing when it is no 64-bit ELF file

  bool is_static() const { return elf && elf->interpreter.empty(); }
};

/// Finds `name` as execvp does and follows #! lines. Throws trigon::error when there is no such program.
Program find_program(const std::string& name);

/// Why the loader would ignore LD_PRELOAD for this file (set-user-ID and the like), or an empty string.
std::string secure_execution(const std::string& path);

struct Library {
  std::string soname, path;
};

/// The libraries in the output of a loader's --list; empty when the command fails.
std::vector<Library> listed(const std::vector<std::string>& command);

/// The path of the first library whose soname begins with `stem`, or an empty string.
std::string find_library(const std::vector<Library>&, const std::string& stem);

}  // namespace trigon::cli
