// What decides how fast a row is, beside the row: rows of a journal stand for those of a run that has the same.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trigon/bench/contestant.hpp"
#include "trigon/bench/run.hpp"

namespace trigon::bench {

/// In words that are equal where a row need not be measured again.
std::string settings_of(const RunOptions&, const std::vector<std::unique_ptr<Contestant>>& opened);

}  // namespace trigon::bench
