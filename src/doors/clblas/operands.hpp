// Operands as they were given.
#pragma once

#include <trigon/types.hpp>

#include <CL/cl.h>

#include <cstddef>

namespace trigon::clblas {

struct Matrix {
  cl_mem memory;
  std::size_t offset, ld;
};

struct Strided {
  cl_mem memory;
  std::size_t offset;
  int increment;
  std::size_t n = 0;
};

/// Bytes of an element, and of its real part.
inline std::size_t element_size(Precision p) {
  return with_type(p, [](auto zero) { return sizeof zero; });
}
inline std::size_t real_size(Precision p) {
  return with_type(p, [](auto zero) { return sizeof(real_t<decltype(zero)>); });
}

}  // namespace trigon::clblas
