// A whole tuning: studies in, a table out.
#pragma once

#include <string>
#include <vector>

namespace trigon::tune {

struct Options {
  std::string backend = "cpu";  ///< another one is to be that of TRIGON_BACKEND
  std::string out = "trigon.tuning";
  std::string precisions = "sdcz";
  std::vector<std::string> only;  ///< beginnings of entries; empty: all
  int threads = 0;                ///< of the entries about threads; 1: those are left out
  double seconds = 0.1;           ///< budget of a call
  double margin = 0.02;           ///< another value has to be faster by this part
  long long largest = 0;          ///< no call has a larger size; 0: any
  int compare = 4;                ///< random calls of every operation and precision for the comparison at the end
  bool fresh = false, force = false, quiet = false;
};

/// Throws trigon::error for bad options, cli::exit_request when the new table is slower than the one before.
void run(const Options&);

}  // namespace trigon::tune
