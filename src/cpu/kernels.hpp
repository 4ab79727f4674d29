// The kernels of one instruction set, as a table. Everything above this line of the CPU backend is plain C++.
#pragma once

#include "core/backend.hpp"
#include "core/tiny.hpp"
#include "core/view.hpp"

#include <trigon/call.hpp>

#include <string>
#include <vector>

namespace trigon::cpu {

using core::Matrix;
using core::Mirror;
using core::Triangle;

/// What a GEMM operand is: a plain matrix, a symmetric or Hermitian one with a triangle stored, or two
/// plain ones side by side, [a b], as the rank-2k updates need them.
enum class Form : unsigned char { General, Symmetric, Hermitian, Pair };
template <class T>
struct Factor {
  Matrix<T*> a;
  Form form = Form::General;
  Uplo uplo = Uplo::Lower;  ///< the stored triangle
  Matrix<T*> b = {};        ///< the second matrix of a pair
  index first = 0;          ///< the row of a symmetric or Hermitian one that the first one of C is made of

  index depth() const { return form == Form::Pair ? a.cols + b.cols : a.cols; }
  /// Stored by a triangle.
  bool mirrored() const { return form == Form::Symmetric || form == Form::Hermitian; }
};

/// Which entries of C exist for a GEMM. HermitianX also makes the diagonal real.
enum class Mask : unsigned char { All, Lower, Upper, HermitianLower, HermitianUpper };

constexpr bool hermitian(Mask mask) { return mask == Mask::HermitianLower || mask == Mask::HermitianUpper; }
constexpr bool lower(Mask mask) { return mask == Mask::Lower || mask == Mask::HermitianLower; }

/// The mask of the transpose of C.
constexpr Mask transposed(Mask mask) {
  switch (mask) {
    case Mask::Lower: return Mask::Upper;
    case Mask::Upper: return Mask::Lower;
    case Mask::HermitianLower: return Mask::HermitianUpper;
    case Mask::HermitianUpper: return Mask::HermitianLower;
    case Mask::All: break;
  }
  return Mask::All;
}

/// What a triangle of a symmetric or Hermitian result is.
template <class T>
constexpr Mask mask_of(Mirror mirror, Uplo uplo) {
  if (mirror == Mirror::Hermitian && is_complex<T>)
    return uplo == Uplo::Lower ? Mask::HermitianLower : Mask::HermitianUpper;
  return uplo == Uplo::Lower ? Mask::Lower : Mask::Upper;
}

/// Block sizes, up to which sizes products are not packed (0: always packed), and whether a product with few lines may
/// make its sums in an order of their own.
struct Blocking {
  index m, n, k, small;
  bool any_order;
};

/// Every function returns false, with nothing written, if there is no memory to pack into. Scalars are passed by
/// reference: a complex float by value is written in parts and read whole, which waits.
template <class T>
struct Kernels {
  /// c := alpha a bt^T + beta c on the entries of `mask`: both factors are given by rows of c and of c^T,
  /// so that c^T is the same call with the factors exchanged.
  bool (*gemm)(const T& alpha, const Factor<T>& a, const Factor<T>& bt, const T& beta, const Matrix<T*>& c, Mask mask,
               const Blocking&);
  /// The rank-2k update c := alpha a bt^T + alpha' b at^T + beta c of a triangle that is small enough to be computed as
  /// one product and its transpose. Not for a complex beta.
  bool (*gemm_folded)(const T& alpha, const Matrix<T*>& a, const Matrix<T*>& bt, const T& beta, const Matrix<T*>& c,
                      Mask mask, const Blocking&);
  /// b := alpha t^-1 b and b := alpha t b, packed; t as a whole must fit the scratch. `beside`: other threads have the
  /// columns beside those of b.
  bool (*solve)(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b, bool beside);
  bool (*multiply)(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b, bool beside);
  /// The same for few right-hand sides, t streamed in place, its rows shared between `threads`.
  bool (*solve_narrow)(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b, int threads);
  bool (*multiply_narrow)(const T& alpha, const Triangle<T*>& t, const Matrix<T*>& b, int threads);
  /// Small calls, checked, without a plan (core::Direct), by operation; none for SYR2K and HER2K.
  bool (*direct[operation_count])(const Call&);
  /// Elements of which a vector has a part each; 1 where there are none.
  int lanes;
  /// Triangles that registers hold: TRMM and TRSM, or TRMV and TRSV.
  core::TinyTable<T> multiply_tiny, solve_tiny;
};

/// The table of the best instruction set, or of the one that TRIGON_CPU_TARGET names.
template <class T>
const Kernels<T>& kernels();

/// Instruction sets: the one in use and all that this machine can run, best first.
struct Targets {
  std::int64_t target = 0;  ///< Highway's name of the chosen one
  std::string chosen;
  std::vector<std::string> supported;
};
const Targets& targets();

}  // namespace trigon::cpu
