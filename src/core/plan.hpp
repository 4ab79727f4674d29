// How one call will be carried out.
#pragma once

#include "core/environment.hpp"
#include "core/request.hpp"
#include "core/tuning.hpp"

namespace trigon::core {

enum class Path : unsigned char {
  Nothing,    ///< an empty result, or beta = 1 and nothing to add
  Scale,      ///< alpha or k is 0: the result is scaled or cleared, no other operand is read
  Narrow,     ///< few right-hand sides: the triangle is streamed in place, nothing is packed
  Packed,     ///< one pass of the packed kernels
  Recursion,  ///< split down to packed leaves, GEMM between them
};
inline constexpr int path_count = 5;
std::string_view name(Path);

struct Plan {
  Path path = Path::Packed;
  bool provider = false;  ///< GEMM blocks of enough work go to the provider
  int threads = 1;
  index leaf = 0;
};

/// What of the machine a plan depends on.
struct Machine {
  int threads = 1;           ///< the most that one call may use
  bool has_provider = false;
};

/// Pure: the same arguments give the same plan.
Plan plan(const Request&, const Machine&, const Environment&, const Tuning&);

/// Floating-point operations of a canonical request, real ones.
double work(const Request&);

}  // namespace trigon::core
