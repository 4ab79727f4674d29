// The times of all values of a study, a few tables at a time.
#pragma once

#include "trigon/bench/progress.hpp"
#include "trigon/tune/study.hpp"
#include "trigon/tune/table_file.hpp"

namespace trigon::tune {

/// What the table in force says, as a value of the study; it becomes one of those that are timed.
index present_value(Study&, const TableFile&);

/// How many times calls are timed with the tables of a heat: steps of the progress.
std::size_t steps(Study, const TableFile&);

/// Times relative to the present value's; `seconds` is the budget of a call. Sets that fall far behind are given up.
Times time_all(const Study&, index present, const TableFile&, double seconds, bench::Progress&);

}  // namespace trigon::tune
