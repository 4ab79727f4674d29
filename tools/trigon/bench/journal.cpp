#include "trigon/bench/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <trigon/error.hpp>
#include <utility>

#include "trigon/bench/report.hpp"
#include "trigon/json_text.hpp"

namespace trigon::bench {

using nlohmann::json;

Journal::Journal(const std::string& path) : path_(path) {
  if (path.empty()) return;
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  out_ = file < 0 ? nullptr : fdopen(file, "a");
  if (!out_) throw error("cannot write " + path + ": " + std::strerror(errno));
  try {
    lock();
    read();
  } catch (...) {
    std::fclose(out_);
    throw;
  }
}

/// Until the file is closed, or this process ends.
void Journal::lock() {
  const int file = fileno(out_);
  struct stat about {};
  if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || flock(file, LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) throw error("--journal " + path_ + ": another run has it");
  std::fprintf(stderr, "trigon: --journal %s cannot be locked (%s): let no other run have it\n", path_.c_str(),
               std::strerror(errno));
}

void Journal::read() {
  std::ifstream in(path_, std::ios::binary);
  std::uintmax_t whole = 0;
  bool cut_short = false, open_line = false;
  for (std::string line; std::getline(in, line);) {
    try {
      const json words = json::parse(line);
      Result r = result_from_json(words);
      known_.insert_or_assign(key(r.row) + words.value("settings", ""), std::move(r));
      whole += line.size() + 1;
      open_line = in.eof();
    } catch (const json::exception&) {
      // An interruption may have cut the last of several lines: that row is measured again. What has no whole row may
      // be no journal at all.
      cut_short = in.eof() && whole > 0;
      if (!cut_short) throw error(path_ + ": a line is no JSON");
    }
  }
  in.close();
  if (cut_short) std::filesystem::resize_file(path_, whole);
  // Or it has cut no more than the end of a line, to which the next row must not be added.
  if (open_line && (std::fputc('\n', out_) == EOF || std::fflush(out_) != 0)) throw error("cannot write " + path_);
}

Journal::~Journal() {
  if (out_) std::fclose(out_);
}

const Result* Journal::find(const Row& row, const std::vector<std::string>& names, const std::string& settings) const {
  const auto found = known_.find(key(row) + settings);
  if (found == known_.end()) return nullptr;
  const std::vector<Timing>& timings = found->second.timings;
  const auto same = [](const Timing& t, const std::string& name) { return t.name == name; };
  return std::equal(timings.begin(), timings.end(), names.begin(), names.end(), same) ? &found->second : nullptr;
}

void Journal::add(const Result& r, const std::string& settings) {
  if (!out_) return;
  json words = to_json(r);
  words["settings"] = settings;
  if (std::fprintf(out_, "%s\n", cli::in_text(words, -1).c_str()) < 0 || std::fflush(out_) != 0)
    throw error("cannot write " + path_);
}

}  // namespace trigon::bench
