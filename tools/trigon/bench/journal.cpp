#include "trigon/bench/journal.hpp"

#include <algorithm>
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
  std::ifstream in(path, std::ios::binary);
  std::uintmax_t whole = 0;
  bool cut_short = false;
  for (std::string line; std::getline(in, line);) {
    try {
      const json words = json::parse(line);
      Result r = result_from_json(words);
      known_.insert_or_assign(key(r.row) + words.value("settings", ""), std::move(r));
      whole += line.size() + 1;
    } catch (const json::exception&) {
      // An interruption may have cut the last of several lines: that row is measured again. What has no whole row may
      // be no journal at all.
      cut_short = in.eof() && whole > 0;
      if (!cut_short) throw error(path + ": a line is no JSON");
    }
  }
  in.close();
  if (cut_short) std::filesystem::resize_file(path, whole);
  out_ = std::fopen(path.c_str(), "a");
  if (!out_) throw error("cannot write " + path);
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
