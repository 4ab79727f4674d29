#include "trigon/check/case.hpp"

#include <charconv>
#include <sstream>
#include <trigon/error.hpp>

namespace trigon::selftest {
namespace {

std::uint64_t number(const std::string& word, const std::string& digits) {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code != std::errc{} || end != digits.data() + digits.size()) throw error("'" + word + "' has no number");
  return value;
}

}  // namespace

std::string to_text(const Case& c) {
  std::string text = trigon::to_text(c.call) + " # seed=" + std::to_string(c.operands.seed);
  text += c.operands.place == GuardedMemory::Place::EndsAtGuard ? " place=end" : " place=start";
  if (c.operands.shift != 0) text += " shift=" + std::to_string(c.operands.shift);
  if (c.operands.ill_conditioned) text += " ill";
  if (c.door != bench::Entry::Cpp) text += " door=" + bench::to_string(c.door);
  return text;
}

Case parse_case(const std::string& text) {
  Case c;
  c.call = parse_call(text);
  const auto comment = text.find('#');
  if (comment == std::string::npos) return c;
  std::istringstream words(text.substr(comment + 1));
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key == "seed")
      c.operands.seed = number(word, value);
    else if (key == "shift")
      c.operands.shift = number(word, value);
    else if (word == "place=end" || word == "place=start")
      c.operands.place = value == "end" ? GuardedMemory::Place::EndsAtGuard : GuardedMemory::Place::StartsAtGuard;
    else if (word == "ill")
      c.operands.ill_conditioned = true;
    else if (key == "door")
      c.door = bench::parse_entry(value);
    else
      throw error("'" + word + "' is none of seed= shift= place=end place=start ill door=");
  }
  const std::size_t element = bench::element_size(c.call.precision);
  if (c.operands.shift % element != 0)
    throw error("shift=" + std::to_string(c.operands.shift) + " is no multiple of the element's " +
                std::to_string(element) + " bytes");
  return c;
}

}  // namespace trigon::selftest
