// The numbers that kernels are given, by their own definition. `real` is theirs as well.
#pragma once

#include "opencl/api.hpp"

namespace trigon::opencl {

static_assert(sizeof(long) == sizeof(cl_long) && alignof(long) == alignof(cl_long) && sizeof(int) == sizeof(cl_int));

#define NUMBERS(name)   \
  template <class real> \
  struct name
#include "opencl/kernels/numbers.cl"
#undef NUMBERS

}  // namespace trigon::opencl
