#include "opencl/cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace trigon::opencl::cache {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "trigon opencl cache 1\n";

/// FNV-1a: tells keys apart and finds damage; it keeps no secrets.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 14695981039346656037ull;
  for (const unsigned char c : text) h = (h ^ c) * 1099511628211ull;
  return h;
}

std::string name_of(const std::string& key) {
  char name[32];
  std::snprintf(name, sizeof name, "%016llx.clbin", static_cast<unsigned long long>(hash(key)));
  return name;
}

std::string header(const std::string& key, std::string_view binary) {
  return std::string(magic) + std::to_string(key.size()) + ' ' + std::to_string(binary.size()) + ' ' +
         std::to_string(hash(binary)) + '\n' + key;
}

/// Makes a file that was not there, so that what somebody else has put in its place, a link for one, is not written to.
/// Its name is `path` and a random number: processes of two containers that share the folder may have the same id. Not
/// as mkostemp makes it, which nobody else could read. -1 where it cannot.
int make_draft(const fs::path& path, fs::path& draft) {
  for (int tries = 0; tries < 8; ++tries) {
    std::uint64_t number = 0;
    if (getentropy(&number, sizeof number) != 0) return -1;
    char suffix[32];
    std::snprintf(suffix, sizeof suffix, ".%016llx", static_cast<unsigned long long>(number));
    draft = path.string() + suffix;
    const int file = open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

/// Writes all of it and closes the file.
bool write_to(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t put = ::write(file, text.data() + done, text.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) break;
    done += static_cast<std::size_t>(put);
  }
  return close(file) == 0 && done == text.size();
}

}  // namespace

fs::path folder(const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  if (const char* xdg = secure_getenv("XDG_CACHE_HOME"); xdg && *xdg == '/') return fs::path(xdg) / "trigon";
  if (const char* home = secure_getenv("HOME"); home && *home == '/') return fs::path(home) / ".cache" / "trigon";
  return {};
}

std::string read(const fs::path& folder, const std::string& key) {
  if (key.empty() || folder.empty()) return {};
  const fs::path file = folder / name_of(key);
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};  // a pipe would keep the call waiting
  std::ifstream in(file, std::ios::binary);
  if (!in) return {};
  std::stringstream all;
  all << in.rdbuf();
  const std::string text = std::move(all).str();
  // The binary is what follows a header that can be told from the key and the binary itself.
  const std::size_t line = text.find('\n', magic.size());
  if (!text.starts_with(magic) || line == std::string::npos || text.size() < line + 1 + key.size()) return {};
  std::string binary = text.substr(line + 1 + key.size());
  return text.compare(0, text.size() - binary.size(), header(key, binary)) == 0 ? binary : std::string();
}

void write(const fs::path& folder, const std::string& key, const std::string& binary) {
  if (key.empty() || binary.empty() || folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  const fs::path file = folder / name_of(key);
  const std::string text = header(key, binary) + binary;
  fs::path draft;
  const int made = make_draft(file, draft);
  if (made < 0) return;
  error.clear();
  if (write_to(made, text))
    fs::rename(draft, file, error);
  else
    error = std::make_error_code(std::errc::io_error);
  if (error) fs::remove(draft, error);
}

}  // namespace trigon::opencl::cache
