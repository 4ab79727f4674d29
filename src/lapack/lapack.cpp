// The entry points of <trigon/lapack.hpp>: arguments, then the recursion.
#include <trigon/error.hpp>
#include <trigon/lapack.hpp>

#include "lapack/recursion.hpp"

#include <algorithm>
#include <complex>
#include <string>

namespace trigon {
namespace {

using lapack::Triangle;

/// What the arguments are called and where they stand, as LAPACK++ has them.
template <class T>
void check(const char* routine, Layout layout, Uplo uplo, const Diag* diag, index n, const T* a, index lda) {
  const std::string name =
      std::string(1, "sdcz"[static_cast<int>(is_complex<T>) * 2 + (sizeof(real_t<T>) == 8)]) + routine;
  const int more = diag != nullptr;
  const auto fail = [&](const char* argument, int position, const char* why) {
    throw argument_error(name, argument, position, why);
  };
  if (layout != Layout::ColMajor && layout != Layout::RowMajor) fail("layout", 1, "is neither C nor R");
  if (uplo != Uplo::Lower && uplo != Uplo::Upper) fail("uplo", 2, "is neither L nor U");
  if (more != 0 && *diag != Diag::NonUnit && *diag != Diag::Unit) fail("diag", 3, "is neither N nor U");
  if (n < 0) fail("n", 3 + more, "is negative");
  if (a == nullptr && n > 0) fail("A", 4 + more, "is a null pointer");
  if (lda < std::max<index>(1, n)) fail("lda", 5 + more, "is too small");
}

template <class T>
index first_zero(const Triangle<T>& a) {
  for (index i = 0; i < a.n; ++i)
    if (a(i, i) == T(0)) return i + 1;
  return 0;
}

}  // namespace

template <class T>
index potrf(Layout layout, Uplo uplo, index n, T* A, index lda) {
  check("potrf", layout, uplo, nullptr, n, A, lda);
  return lapack::cholesky(Triangle<T>(layout, uplo, n, A, lda));
}

template <class T>
index trtri(Layout layout, Uplo uplo, Diag diag, index n, T* A, index lda) {
  check("trtri", layout, uplo, &diag, n, A, lda);
  const Triangle<T> a(layout, uplo, n, A, lda);
  const index zero = diag == Diag::Unit ? 0 : first_zero(a);
  if (zero == 0) lapack::invert(a, diag);
  return zero;
}

template <class T>
void lauum(Layout layout, Uplo uplo, index n, T* A, index lda) {
  check("lauum", layout, uplo, nullptr, n, A, lda);
  lapack::square(Triangle<T>(layout, uplo, n, A, lda));
}

template <class T>
index potri(Layout layout, Uplo uplo, index n, T* A, index lda) {
  check("potri", layout, uplo, nullptr, n, A, lda);
  const Triangle<T> a(layout, uplo, n, A, lda);
  const index zero = first_zero(a);
  if (zero != 0) return zero;
  lapack::invert(a, Diag::NonUnit);
  lapack::square(a);
  return 0;
}

#define TRIGON_INSTANTIATE(T)                                               \
  template TRIGON_API index potrf<T>(Layout, Uplo, index, T*, index);       \
  template TRIGON_API index trtri<T>(Layout, Uplo, Diag, index, T*, index); \
  template TRIGON_API void lauum<T>(Layout, Uplo, index, T*, index);        \
  template TRIGON_API index potri<T>(Layout, Uplo, index, T*, index);
TRIGON_INSTANTIATE(float)
TRIGON_INSTANTIATE(double)
TRIGON_INSTANTIATE(std::complex<float>)
TRIGON_INSTANTIATE(std::complex<double>)
#undef TRIGON_INSTANTIATE

}  // namespace trigon
