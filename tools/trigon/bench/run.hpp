// A whole benchmark: rows in, results, table, files and the exit status out.
#pragma once

#include <string>
#include <vector>

#include "trigon/bench/measure.hpp"

namespace trigon::bench {

struct RunOptions {
  std::vector<std::string> operations;
  SweepOptions sweep;
  MeasureOptions measure;
  std::vector<std::string> peers;  ///< names or paths; empty: openblas and blis
  Entry door = Entry::Fortran;
  std::string against = "best";  ///< "best", "provider" or a peer
  double min_ratio = 0;
  double time_limit = 0;  ///< seconds for all rows together, after which the rest is left out; 0: none
  bool quick = false, quiet = false, breakdown = false, evenness = false, first_call = false;
  std::vector<std::string> calls;  ///< rows given as text
  std::string replay;              ///< a trace to replay instead of a sweep
  std::size_t limit = 200;         ///< distinct calls of the trace
  std::string from;                ///< results to print again instead of measuring
  std::string journal;             ///< rows already in this file are not measured again
  std::string json, csv, svg, commit;
};

/// Throws trigon::error for bad options, cli::exit_request when a result is wrong or a row below --min-ratio.
void run(const RunOptions&);

/// Starts this program again with one thread for every BLAS, unless it has been: libraries read their
/// environment once, before any option is parsed.
void restart_with_one_thread();

}  // namespace trigon::bench
