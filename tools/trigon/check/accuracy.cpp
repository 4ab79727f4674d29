#include "trigon/check/accuracy.hpp"

#include <algorithm>
#include <cstdio>

namespace trigon::selftest {
namespace {

void raise(std::optional<double>& held, const std::optional<double>& by) {
  if (by) held = std::max(held.value_or(0), *by);
}

std::string text(const std::optional<double>& value) {
  char out[16] = "   -";
  if (value) std::snprintf(out, sizeof out, "%.2f", *value);
  return out;
}

nlohmann::json number(const std::optional<double>& value) { return value ? nlohmann::json(*value) : nlohmann::json(); }

/// A NaN has no number in JSON; it was a failure of its own.
std::optional<double> value(const nlohmann::json& j) {
  return j.is_number() ? std::optional(j.get<double>()) : std::nullopt;
}

}  // namespace

void Accuracy::note(const Case& c, double error_over_bound) {
  Worst& w = by_routine_[routine(c.call)];
  raise(c.operands.ill_conditioned ? w.ill : w.well, error_over_bound);
}

void Accuracy::add(const Accuracy& other) {
  for (const auto& [routine, theirs] : other.by_routine_) {
    Worst& own = by_routine_[routine];
    raise(own.well, theirs.well), raise(own.ill, theirs.ill);
  }
}

double Accuracy::worst() const {
  std::optional<double> worst;
  for (const auto& [routine, w] : by_routine_) raise(worst, w.well), raise(worst, w.ill);
  return worst.value_or(0);
}

void Accuracy::print(const std::string& title) const {
  std::printf("\n%-34s %11s %11s %11s %11s\n", title.c_str(), "s", "d", "c", "z");
  for (int i = 0; i < operation_count; ++i) {
    Call call;
    call.operation = static_cast<Operation>(i);
    std::string line;
    for (const Precision p :
         {Precision::Single, Precision::Double, Precision::ComplexSingle, Precision::ComplexDouble}) {
      call.precision = p;
      const auto found = by_routine_.find(routine(call));
      line += found == by_routine_.end() ? std::string(12, ' ')
                                         : "   " + text(found->second.well) + " " + text(found->second.ill);
    }
    if (line.find_first_not_of(' ') != line.npos)
      std::printf("  %-32s%s\n", std::string(name(call.operation)).c_str(), line.c_str());
  }
}

nlohmann::json Accuracy::to_json() const {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [routine, w] : by_routine_) out[routine] = {{"well", number(w.well)}, {"ill", number(w.ill)}};
  return out;
}

Accuracy Accuracy::from_json(const nlohmann::json& j) {
  Accuracy a;
  for (const auto& [routine, w] : j.items()) a.by_routine_[routine] = {value(w.at("well")), value(w.at("ill"))};
  return a;
}

}  // namespace trigon::selftest
