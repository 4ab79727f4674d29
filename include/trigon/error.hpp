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
  argument_error(std::string the_routine, std::string argument, int at, const std::string& why)
      : error(the_routine + ": argument " + std::to_string(at) + " (" + argument + ") " + why),
        routine(std::move(the_routine)),
        name(std::move(argument)),
        position(at) {}
  std::string routine;  ///< "dtrsm"
  std::string name;     ///< "lda"
  int position;         ///< 1-based, in the order of the door that was called
};

/// A backend that could not do its work: unavailable, out of memory, lost.
struct TRIGON_API backend_error : error {
  using error::error;
};

/// The backend error that more memory would cure.
struct TRIGON_API out_of_memory : backend_error {
  using backend_error::backend_error;
};

}  // namespace trigon
