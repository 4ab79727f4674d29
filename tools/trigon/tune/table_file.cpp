#include "trigon/tune/table_file.hpp"

#include <fstream>
#include <sstream>
#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

namespace trigon::tune {
namespace {

constexpr const char* unfinished = "# unfinished tuning of: ";
constexpr const char* note = "#   ";

std::string text_of(const std::string& entry, const TableFile::Line& line) {
  std::string out;
  for (const std::string& words : line.notes) out += note + words + "\n";
  return out + entry + " " + std::to_string(line.value) + (line.found.empty() ? "" : "  # " + line.found) + "\n";
}

}  // namespace

TableFile::TableFile() {
  for (const TuningEntry& e : tuning().entries) lines_[e.name] = {e.value};
}

std::string TableFile::text(const std::string& provenance) const {
  std::string out = "# provenance: " + provenance + "\n";
  for (const auto& [entry, line] : lines_) out += text_of(entry, line);
  return out;
}

std::string TableFile::text_with(const std::vector<std::pair<std::string, index>>& settings) const {
  TableFile other = *this;
  for (const auto& [entry, value] : settings) other.set(entry, {value});
  return other.text("a trial");
}

std::string TableFile::unfinished_text(const std::string& beginning) const {
  std::string out = unfinished + beginning + "\n";
  for (const auto& [entry, line] : lines_)
    if (!line.found.empty()) out += text_of(entry, line);
  return out;
}

void TableFile::resume(const std::string& path, const std::string& beginning) {
  std::ifstream in(path);
  std::string text;
  if (!in || !std::getline(in, text) || !text.starts_with(unfinished))
    throw error(path + " is no unfinished tuning; --fresh begins again");
  if (text != unfinished + beginning)
    throw error(path + " began otherwise (" + text.substr(std::string(unfinished).size()) + ", this is " + beginning +
                "); --fresh begins again");
  std::vector<std::string> notes;
  while (std::getline(in, text)) {
    if (text.starts_with(note)) {
      notes.push_back(text.substr(std::string(note).size()));
      continue;
    }
    std::istringstream words(text);
    std::string entry, hash;
    Line line;
    if (!(words >> entry >> line.value >> hash) || hash != "#" || !lines_.contains(entry))
      throw error(path + ": '" + text + "' is no line of an unfinished tuning; --fresh begins again");
    std::getline(words >> std::ws, line.found);
    line.notes = std::move(notes);
    notes.clear();
    lines_[entry] = line;
  }
}

}  // namespace trigon::tune
