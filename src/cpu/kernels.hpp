// The kernels of one instruction set, as a table. Everything above this line of the CPU backend is plain C++.
#pragma once

#include "core/backend.hpp"
#include "core/view.hpp"

#include <string>
#include <vector>

namespace trigon::cpu {

using core::Matrix;
using core::Mirror;
using core::Triangle;

/// What a GEMM operand is: a plain matrix, or a symmetric / Hermitian one with a triangle stored.
enum class Form : unsigned char { General, Symmetric, Hermitian };
template <class T> struct Factor {
  Matrix<T*> a;
  Form form = Form::General;
  Uplo uplo = Uplo::Lower;  ///< the stored triangle
};

/// Which entries of C exist for a GEMM. HermitianX also makes the diagonal real.
enum class Mask : unsigned char { All, Lower, Upper, HermitianLower, HermitianUpper };

struct Blocking {
  index m, n, k;
};

/// Every function returns false, with nothing written, if there is no memory to pack into.
template <class T> struct Kernels {
  /// c := alpha a b + beta c on the entries of `mask`.
  bool (*gemm)(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, Matrix<T*> c, Mask mask, const Blocking&);
  /// b := alpha t^-1 b and b := alpha t b, packed; t as a whole must fit the scratch.
  bool (*solve)(T alpha, const Triangle<T*>& t, Matrix<T*> b);
  bool (*multiply)(T alpha, const Triangle<T*>& t, Matrix<T*> b);
  /// The same for few right-hand sides, t streamed in place.
  bool (*solve_narrow)(T alpha, const Triangle<T*>& t, Matrix<T*> b);
  bool (*multiply_narrow)(T alpha, const Triangle<T*>& t, Matrix<T*> b);
};

/// The table of the best instruction set, or of the one that TRIGON_CPU_TARGET names.
template <class T> const Kernels<T>& kernels();

/// Instruction sets: the one in use and all that this machine can run, best first.
struct Targets {
  std::int64_t target = 0;  ///< Highway's name of the chosen one
  std::string chosen;
  std::vector<std::string> supported;
};
const Targets& targets();

}  // namespace trigon::cpu
