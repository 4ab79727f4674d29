// The words in which the host asks for a product, shared by host and device code.
#pragma once

namespace trigon::cuda {

/// What a factor of a product is. Its lines are the rows, or columns, of the result.
enum class Form : int {
  General,
  SymmetricLower,  ///< one triangle is stored, the other is its mirror image
  SymmetricUpper,
  HermitianLower,  ///< … conjugated, and the imaginary parts of the diagonal count as 0
  HermitianUpper,
  Pair,  ///< two matrices side by side: k counts on from the columns of the first
};

/// Which entries of a result exist. On a Hermitian triangle the diagonal is read and left without imaginary parts.
enum class Mask : int { All, Lower, Upper, HermitianLower, HermitianUpper };

constexpr Mask transposed(Mask m) {
  switch (m) {
    case Mask::Lower: return Mask::Upper;
    case Mask::Upper: return Mask::Lower;
    case Mask::HermitianLower: return Mask::HermitianUpper;
    case Mask::HermitianUpper: return Mask::HermitianLower;
    case Mask::All: break;
  }
  return m;
}

}  // namespace trigon::cuda
