// What a table says of where it is from, and an unfinished run of how it began.
#pragma once

#include <string>

#include "trigon/tune/run.hpp"

namespace trigon::tune {

/// What a run that goes on must have in common with the one that was interrupted. One line.
std::string beginning(const Options&);

/// The machine, the sources, the time and the command, and the table that it was measured over. One line.
std::string provenance(const Options&);

}  // namespace trigon::tune
