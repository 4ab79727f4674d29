// The kernels' sources, embedded when the plug-in is built.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace trigon::opencl {

/// Programs are built one by one, when first wanted.
enum class Family : unsigned char {
  Gemm,
  Solve,
  Invert,
  SolveInverted,
  Multiply,
  MultiplyInPlace,
  MultiplyVector,
  SolveVector,
  Tiles,
  Strip,
  Scale
};
inline constexpr int family_count = 11;

/// The whole source of a program.
std::string source(Family);

}  // namespace trigon::opencl
