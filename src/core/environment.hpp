// The environment, read once into an immutable snapshot.
#pragma once

#include <trigon/types.hpp>

#include <string>
#include <string_view>

namespace trigon::core {

struct Environment {
  std::string backend;         ///< TRIGON_BACKEND: auto, cpu, …
  std::string device;          ///< TRIGON_DEVICE: of that backend, by number or a part of its name
  std::string cache;           ///< TRIGON_CACHE: a folder for compiled device programs
  int threads = 0;             ///< TRIGON_NUM_THREADS; 0: what the machine and OpenMP's environment say
  bool reproducible = false;   ///< TRIGON_REPRODUCIBLE=1
  Solve solve = Solve::Exact;  ///< TRIGON_SOLVE: exact or inverted
  std::string provider;        ///< TRIGON_PROVIDER: auto, own, openblas, blis, mkl or a file
  std::string cpu_target;      ///< TRIGON_CPU_TARGET: an instruction set by name
  std::string tuning;          ///< TRIGON_TUNING: a table to use instead of the built-in one
  std::string trace;           ///< TRIGON_TRACE: a file, %p becomes the process id
  std::string report;          ///< TRIGON_REPORT: a file or "stderr"

  /// What TRIGON_DEVICE says of a backend: nothing, "", of those that TRIGON_BACKEND does not name.
  std::string device_of(std::string_view name) const { return name == backend ? device : std::string(); }
};

const Environment& environment();

}  // namespace trigon::core
