// What the C++ door throws. The C and Fortran doors turn these into status codes and xerbla calls.
#pragma once

#include <trigon/export.hpp>

#include <stdexcept>
#include <string>

namespace trigon {

struct TRIGON_API error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A bad argument. Nothing has been read or written.
struct TRIGON_API argument_error : error {
  argument_error(std::string routine, std::string name, int position, const std::string& why)
      : error(routine + ": argument " + std::to_string(position) + " (" + name + ") " + why),
        routine(std::move(routine)), name(std::move(name)), position(position) {}
  std::string routine;  ///< "dtrsm"
  std::string name;     ///< "lda"
  int position;         ///< 1-based, in the order of the door that was called
};

/// A backend that could not do its work: unavailable, out of memory, lost.
struct TRIGON_API backend_error : error {
  using error::error;
};

/// The backend error that more memory would cure.
struct out_of_memory : backend_error {
  using backend_error::backend_error;
};

}  // namespace trigon
