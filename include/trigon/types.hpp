// The vocabulary of every door: sizes, precisions and the BLAS flags.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

namespace trigon {

/// Sizes, strides and offsets, in elements. 64-bit even under 32-bit doors. (After `using namespace trigon` it is still
/// to be spelled trigon::index where <cstring> has brought the function index of POSIX.)
using index = std::int64_t;

// The values are BLAS's own letters, so a door maps a flag by casting it. A cast can therefore hold a
// letter that is no flag: `check` rejects it.
enum class Layout : char { ColMajor = 'C', RowMajor = 'R' };
enum class Side : char { Left = 'L', Right = 'R' };
enum class Uplo : char { Lower = 'L', Upper = 'U' };
enum class Op : char { NoTrans = 'N', Trans = 'T', ConjTrans = 'C' };
enum class Diag : char { NonUnit = 'N', Unit = 'U' };

/// How diagonal blocks are solved. Exact substitutes and divides. Inverted multiplies by inverses of small diagonal
/// blocks: faster on some devices, with errors that may be larger (docs/numerics.md). A backend without it stays exact.
enum class Solve : unsigned char {
  Default,  ///< what TRIGON_SOLVE says, or else exact
  Exact,
  Inverted
};

enum class Precision : char { Single = 's', Double = 'd', ComplexSingle = 'c', ComplexDouble = 'z' };

enum class Operation : unsigned char {
  Gemm,   ///< C := alpha op(A) op(B) + beta C
  Symm,   ///< C := alpha A B + beta C, A symmetric (or B A, on the right)
  Hemm,   ///< the same with A Hermitian
  Syrk,   ///< C := alpha op(A) op(A)^T + beta C, one triangle of C
  Herk,   ///< C := alpha op(A) op(A)^H + beta C, alpha and beta real
  Syr2k,  ///< C := alpha op(A) op(B)^T + alpha op(B) op(A)^T + beta C
  Her2k,  ///< C := alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C, beta real
  Trmm,   ///< B := alpha op(A) B, A triangular (or B op(A), on the right)
  Trsm,   ///< solve op(A) X = alpha B, X overwrites B (or X op(A) = alpha B)
  Trmv,   ///< x := op(A) x
  Trsv,   ///< solve op(A) x = b, x overwrites b
};
inline constexpr int operation_count = 11;

namespace detail {
template <class T>
struct real_of {
  using type = T;
};
template <class T>
struct real_of<std::complex<T>> {
  using type = T;
};
}  // namespace detail

/// float for float and complex<float>, double for double and complex<double>.
template <class T>
using real_t = typename detail::real_of<T>::type;
template <class T>
inline constexpr bool is_complex = !std::is_same_v<T, real_t<T>>;

template <class T>
inline constexpr Precision precision_of = Precision::Double;
template <>
inline constexpr Precision precision_of<float> = Precision::Single;
template <>
inline constexpr Precision precision_of<std::complex<float>> = Precision::ComplexSingle;
template <>
inline constexpr Precision precision_of<std::complex<double>> = Precision::ComplexDouble;

/// Calls `f(T{})` with the element type of `precision`: the one list of precisions.
template <class F>
decltype(auto) with_type(Precision precision, F&& f) {
  switch (precision) {
    case Precision::Single: return f(float{});
    case Precision::ComplexSingle: return f(std::complex<float>{});
    case Precision::ComplexDouble: return f(std::complex<double>{});
    case Precision::Double: break;
  }
  return f(double{});
}

}  // namespace trigon
