#include "trigon/run/program.hpp"

#include <elf.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <trigon/error.hpp>

#include "trigon/run/process.hpp"

namespace trigon::cli {
namespace {

bool is_executable(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

std::string search(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (access(name.c_str(), F_OK) != 0) throw error(name + ": there is no such program");
    if (!is_executable(name)) throw error(name + ": is not an executable file");
    return name;
  }
  const char* value = std::getenv("PATH");
  std::istringstream path(value ? value : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(path, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (is_executable(candidate)) return candidate;
  }
  throw error(name + ": there is no such program in PATH");
}

/// The program that a `#!` line names, or an empty string for anything but a script.
std::string script_interpreter(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char mark[2] = {};
  if (!file.read(mark, 2) || mark[0] != '#' || mark[1] != '!') return {};
  std::string line(256, '\0');  // the kernel reads no more of it
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(file.gcount()));
  std::istringstream words(line.substr(0, line.find('\n')));
  std::string word;
  words >> word;
  if (word.substr(word.rfind('/') + 1) != "env") return word;
  while (words >> word) {
    if (word.front() != '-' && word.find('=') == std::string::npos) return search(word);
  }
  return {};
}

/// Neither a program nor a script that names its own.
bool is_plain_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  std::string begin(SELFMAG, '\0');
  file.read(begin.data(), SELFMAG);
  begin.resize(static_cast<std::size_t>(file.gcount()));
  return begin != ELFMAG && begin.substr(0, 2) != "#!";
}

}  // namespace

Program find_program(const std::string& name) {
  Program program;
  program.path = program.binary = search(name);
  if (is_plain_text(program.path)) {
    program.shell_script = program.path;
    program.path = program.binary = "/bin/sh";
  }
  for (int depth = 0; depth < 4; ++depth) {
    const std::string interpreter = script_interpreter(program.binary);
    if (interpreter.empty()) break;
    program.binary = search(interpreter);
  }
  program.elf = read_elf(program.binary);
  return program;
}

std::string secure_execution(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return {};
  if ((status.st_mode & S_ISUID) && status.st_uid != getuid()) return "it is set-user-ID";
  if ((status.st_mode & S_ISGID) && status.st_gid != getgid()) return "it is set-group-ID";
  if (getuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0) return "it has file capabilities";
  return {};
}

std::vector<Library> listed(const std::vector<std::string>& command) {
  std::vector<Library> found;
  const Output output = capture(command);
  if (output.status != 0) return found;
  std::istringstream lines(output.text);
  for (std::string line; std::getline(lines, line);) {
    const auto arrow = line.find(" => ");
    const auto end = line.rfind(" (0x");
    const auto begin = line.find_first_not_of(" \t");
    if (arrow == std::string::npos || end == std::string::npos || end < arrow + 4) continue;
    found.push_back({line.substr(begin, arrow - begin), line.substr(arrow + 4, end - arrow - 4)});
  }
  return found;
}

std::string find_library(const std::vector<Library>& libraries, const std::string& stem) {
  for (const Library& library : libraries) {
    if (library.soname.substr(library.soname.rfind('/') + 1).rfind(stem, 0) == 0) return library.path;
  }
  return {};
}

}  // namespace trigon::cli
