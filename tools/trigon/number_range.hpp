// A range of numbers that options may have.
#pragma once

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdlib>
#include <string>

namespace trigon::cli {

/// CLI::Range alone takes "nan", which is neither below nor above anything.
inline CLI::Validator number_range(double least, double most) {
  const auto is_number = [](const std::string& text) {
    return std::isnan(std::strtod(text.c_str(), nullptr)) ? "Value " + text + " is not a number" : std::string();
  };
  return CLI::Range(least, most) & CLI::Validator(is_number, "");
}

}  // namespace trigon::cli
