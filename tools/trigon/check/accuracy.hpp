// The worst errors of a check, by routine and by how the matrices are conditioned.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "trigon/check/case.hpp"

namespace trigon::selftest {

/// In units of the bound of docs/numerics.md, of well- and of ill-conditioned matrices, where there were any.
struct Worst {
  std::optional<double> well, ill;
};

class Accuracy {
 public:
  void note(const Case&, double error_over_bound);
  void add(const Accuracy&);
  double worst() const;

  /// Operations down, precisions across, well- and ill-conditioned beside each other.
  void print(const std::string& title) const;

  nlohmann::json to_json() const;
  static Accuracy from_json(const nlohmann::json&);

 private:
  std::map<std::string, Worst> by_routine_;
};

}  // namespace trigon::selftest
