// LAPACK's Fortran symbols for what <trigon/lapack.hpp> does. The hidden lengths of the flags are not read.
#include <trigon/error.hpp>
#include <trigon/lapack.hpp>

#include "doors/blas/names.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

extern "C" void TRIGON_FORTRAN(xerbla)(const char* name, const trigon::doors::Int* position, std::size_t length);

namespace trigon::doors {
namespace {

/// The letter in either case, as the reference's LSAME; what is neither of the two is no flag.
template <class Flag>
Flag read(const char* letter) {
  return static_cast<Flag>(*letter & ~0x20);
}
template <class Flag>
bool is_one_of(Flag flag, Flag first, Flag second) {
  return flag == first || flag == second;
}

/// Tells xerbla which argument is bad, and the caller by `info`.
bool refuse(std::string_view name, int position, Int* info) {
  const Int at = position;
  *info = -at;
  TRIGON_FORTRAN(xerbla)(name.data(), &at, name.size());
  return false;
}

/// potrf, lauum, potri: uplo, n, A, lda.
bool accept(std::string_view name, Uplo uplo, Int n, Int lda, Int* info) {
  if (!is_one_of(uplo, Uplo::Lower, Uplo::Upper)) return refuse(name, 1, info);
  if (n < 0) return refuse(name, 2, info);
  if (lda < std::max<Int>(1, n)) return refuse(name, 4, info);
  return true;
}

/// trtri: uplo, diag, n, A, lda.
bool accept(std::string_view name, Uplo uplo, Diag diag, Int n, Int lda, Int* info) {
  if (!is_one_of(uplo, Uplo::Lower, Uplo::Upper)) return refuse(name, 1, info);
  if (!is_one_of(diag, Diag::NonUnit, Diag::Unit)) return refuse(name, 2, info);
  if (n < 0) return refuse(name, 3, info);
  if (lda < std::max<Int>(1, n)) return refuse(name, 5, info);
  return true;
}

/// A failure that is not the caller's has no code in LAPACK: as in the BLAS, the program ends with the reason.
template <class Work>
void run(Int* info, const Work& work) noexcept {
  try {
    *info = static_cast<Int>(work());
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "trigon: %s\n", failure.what());
    std::abort();
  }
}

}  // namespace
}  // namespace trigon::doors

using trigon::Diag;
using trigon::Layout;
using trigon::Uplo;
using trigon::doors::Int;

#define TRIGON_OF_ORDER(prefix, PREFIX, T, routine, ROUTINE, call)                                            \
  TRIGON_BLAS_EXPORT void TRIGON_FORTRAN(TRIGON_PASTE(prefix, routine))(const char* uplo, const Int* n, T* a, \
                                                                        const Int* lda, Int* info) {          \
    const auto half = trigon::doors::read<Uplo>(uplo);                                                        \
    if (!trigon::doors::accept(PREFIX ROUTINE, half, *n, *lda, info)) return;                                 \
    trigon::doors::run(info, [&] { return call(Layout::ColMajor, half, *n, a, *lda); });                      \
  }

#define TRIGON_ENTRIES(prefix, PREFIX, T)                                                                              \
  TRIGON_OF_ORDER(prefix, PREFIX, T, potrf, "POTRF", trigon::potrf)                                                    \
  TRIGON_OF_ORDER(prefix, PREFIX, T, potri, "POTRI", trigon::potri)                                                    \
  TRIGON_OF_ORDER(prefix, PREFIX, T, lauum, "LAUUM", product)                                                            \
  TRIGON_BLAS_EXPORT void TRIGON_FORTRAN(TRIGON_PASTE(prefix, trtri))(const char* uplo, const char* diag,              \
                                                                      const Int* n, T* a, const Int* lda, Int* info) { \
    const auto half = trigon::doors::read<Uplo>(uplo);                                                                 \
    const auto ones = trigon::doors::read<Diag>(diag);                                                                 \
    if (!trigon::doors::accept(PREFIX "TRTRI", half, ones, *n, *lda, info)) return;                                    \
    trigon::doors::run(info, [&] { return trigon::trtri(Layout::ColMajor, half, ones, *n, a, *lda); });                \
  }

namespace {
template <class T>
trigon::index product(Layout layout, Uplo uplo, trigon::index n, T* a, trigon::index lda) {
  trigon::lauum(layout, uplo, n, a, lda);
  return 0;
}
}  // namespace

TRIGON_ENTRIES(s, "S", float)
TRIGON_ENTRIES(d, "D", double)
TRIGON_ENTRIES(c, "C", std::complex<float>)
TRIGON_ENTRIES(z, "Z", std::complex<double>)
