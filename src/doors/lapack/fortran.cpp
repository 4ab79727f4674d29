// LAPACK's Fortran symbols for what <trigon/lapack.hpp> does. The hidden lengths of the flags are not read.
#include <trigon/error.hpp>
#include <trigon/lapack.hpp>

#include "doors/blas/names.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string_view>
#include <type_traits>

extern "C" void TRIGON_FORTRAN(xerbla)(const char* name, const trigon::doors::Int* position, std::size_t length);

namespace trigon::doors {
namespace {

/// The letter in either case, as the reference's LSAME.
struct Letter {
  char value;
  explicit Letter(const char* text) : value(static_cast<char>(*text & ~0x20)) {}
  bool is_one_of(std::string_view letters) const { return letters.find(value) != letters.npos; }
  template <class Flag>
  operator Flag() const {
    return static_cast<Flag>(value);
  }
};

Int at_least(Int rows) { return std::max<Int>(1, rows); }

/// A size as a real number that is not less.
template <class R>
R rounded_up(Int size) {
  R real = static_cast<R>(size);
  while (static_cast<long double>(real) < static_cast<long double>(size))
    real = std::nextafter(real, std::numeric_limits<R>::infinity());
  return real;
}

/// The arguments of a call: the first bad one goes to xerbla and into `info`; if there is none, the work is done.
class Routine {
 public:
  Routine(std::string_view name, Int* info) : name_(name), info_(info) {}

  Routine& demand(int position, bool good) {
    if (!good && bad_ == 0) refuse(position);
    return *this;
  }

  /// What the reference does not look at, null pointers, is refused by the C++ door, whose first argument is the
  /// layout. A failure that is not the caller's has no code in LAPACK: as in the BLAS, the program ends with the
  /// reason.
  template <class Work>
  void run(const Work& work) {
    if (bad_ != 0) return;
    if (const int position = bad_after(work)) refuse(position);
  }

 private:
  /// The bad argument that the work found, or 0. Not where xerbla is called, which may throw.
  template <class Work>
  int bad_after(const Work& work) noexcept {
    try {
      if constexpr (std::is_void_v<decltype(work())>)
        work(), *info_ = 0;
      else
        *info_ = static_cast<Int>(work());
    } catch (const trigon::argument_error& bad) {
      return bad.position - 1;
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "trigon: %s\n", failure.what());
      std::abort();
    }
    return 0;
  }

  void refuse(int position) {
    bad_ = position;
    *info_ = -bad_;
    TRIGON_FORTRAN(xerbla)(name_.data(), &bad_, name_.size());
  }

  std::string_view name_;
  Int* info_;
  Int bad_ = 0;
};

constexpr Layout columns = Layout::ColMajor;

}  // namespace
}  // namespace trigon::doors

using namespace trigon::doors;

#define TRIGON_LAPACK(prefix, routine) TRIGON_BLAS_EXPORT void TRIGON_FORTRAN(TRIGON_PASTE(prefix, routine))

// potrf, potri, lauum
#define TRIGON_OF_A_TRIANGLE(prefix, PREFIX, T, routine, ROUTINE)                                   \
  TRIGON_LAPACK(prefix, routine)(const char* uplo, const Int* n, T* a, const Int* lda, Int* info) { \
    const Letter half(uplo);                                                                        \
    Routine(PREFIX ROUTINE, info)                                                                   \
        .demand(1, half.is_one_of("UL"))                                                            \
        .demand(2, *n >= 0)                                                                         \
        .demand(4, *lda >= at_least(*n))                                                            \
        .run([&] { return trigon::routine(columns, half, *n, a, *lda); });                          \
  }

// potrs, posv
#define TRIGON_OF_A_DEFINITE_MATRIX(NAME) \
  Routine(NAME, info)                     \
      .demand(1, half.is_one_of("UL"))    \
      .demand(2, *n >= 0)                 \
      .demand(3, *nrhs >= 0)              \
      .demand(5, *lda >= at_least(*n))    \
      .demand(7, *ldb >= at_least(*n))

#define TRIGON_ENTRIES(prefix, PREFIX, T)                                                                            \
  TRIGON_OF_A_TRIANGLE(prefix, PREFIX, T, potrf, "POTRF")                                                            \
  TRIGON_OF_A_TRIANGLE(prefix, PREFIX, T, potri, "POTRI")                                                            \
  TRIGON_OF_A_TRIANGLE(prefix, PREFIX, T, lauum, "LAUUM")                                                            \
  TRIGON_LAPACK(prefix, trtri)                                                                                       \
  (const char* uplo, const char* diag, const Int* n, T* a, const Int* lda, Int* info) {                              \
    const Letter half(uplo), ones(diag);                                                                             \
    Routine(PREFIX "TRTRI", info)                                                                                    \
        .demand(1, half.is_one_of("UL"))                                                                             \
        .demand(2, ones.is_one_of("NU"))                                                                             \
        .demand(3, *n >= 0)                                                                                          \
        .demand(5, *lda >= at_least(*n))                                                                             \
        .run([&] { return trigon::trtri(columns, half, ones, *n, a, *lda); });                                       \
  }                                                                                                                  \
  TRIGON_LAPACK(prefix, trtrs)                                                                                       \
  (const char* uplo, const char* trans, const char* diag, const Int* n, const Int* nrhs, const T* a, const Int* lda, \
   T* b, const Int* ldb, Int* info) {                                                                                \
    const Letter half(uplo), op(trans), ones(diag);                                                                  \
    Routine(PREFIX "TRTRS", info)                                                                                    \
        .demand(1, half.is_one_of("UL"))                                                                             \
        .demand(2, op.is_one_of("NTC"))                                                                              \
        .demand(3, ones.is_one_of("NU"))                                                                             \
        .demand(4, *n >= 0)                                                                                          \
        .demand(5, *nrhs >= 0)                                                                                       \
        .demand(7, *lda >= at_least(*n))                                                                             \
        .demand(9, *ldb >= at_least(*n))                                                                             \
        .run([&] { return trigon::trtrs(columns, half, op, ones, *n, *nrhs, a, *lda, b, *ldb); });                   \
  }                                                                                                                  \
  TRIGON_LAPACK(prefix, potrs)                                                                                       \
  (const char* uplo, const Int* n, const Int* nrhs, const T* a, const Int* lda, T* b, const Int* ldb, Int* info) {   \
    const Letter half(uplo);                                                                                         \
    TRIGON_OF_A_DEFINITE_MATRIX(PREFIX "POTRS").run([&] {                                                            \
      trigon::potrs(columns, half, *n, *nrhs, a, *lda, b, *ldb);                                                     \
    });                                                                                                              \
  }                                                                                                                  \
  TRIGON_LAPACK(prefix, posv)                                                                                        \
  (const char* uplo, const Int* n, const Int* nrhs, T* a, const Int* lda, T* b, const Int* ldb, Int* info) {         \
    const Letter half(uplo);                                                                                         \
    TRIGON_OF_A_DEFINITE_MATRIX(PREFIX "POSV ").run([&] {                                                            \
      return trigon::posv(columns, half, *n, *nrhs, a, *lda, b, *ldb);                                               \
    });                                                                                                              \
  }                                                                                                                  \
  TRIGON_LAPACK(prefix, getrf)(const Int* m, const Int* n, T* a, const Int* lda, Int* pivots, Int* info) {           \
    Routine(PREFIX "GETRF", info).demand(1, *m >= 0).demand(2, *n >= 0).demand(4, *lda >= at_least(*m)).run([&] {    \
      return trigon::getrf(columns, *m, *n, a, *lda, pivots);                                                        \
    });                                                                                                              \
  }                                                                                                                  \
  TRIGON_LAPACK(prefix, getrs)                                                                                       \
  (const char* trans, const Int* n, const Int* nrhs, const T* a, const Int* lda, const Int* pivots, T* b,            \
   const Int* ldb, Int* info) {                                                                                      \
    const Letter op(trans);                                                                                          \
    Routine(PREFIX "GETRS", info)                                                                                    \
        .demand(1, op.is_one_of("NTC"))                                                                              \
        .demand(2, *n >= 0)                                                                                          \
        .demand(3, *nrhs >= 0)                                                                                       \
        .demand(5, *lda >= at_least(*n))                                                                             \
        .demand(8, *ldb >= at_least(*n))                                                                             \
        .run([&] { trigon::getrs(columns, op, *n, *nrhs, a, *lda, pivots, b, *ldb); });                              \
  }                                                                                                                  \
  TRIGON_LAPACK(prefix, gesv)                                                                                        \
  (const Int* n, const Int* nrhs, T* a, const Int* lda, Int* pivots, T* b, const Int* ldb, Int* info) {              \
    Routine(PREFIX "GESV ", info)                                                                                    \
        .demand(1, *n >= 0)                                                                                          \
        .demand(2, *nrhs >= 0)                                                                                       \
        .demand(4, *lda >= at_least(*n))                                                                             \
        .demand(7, *ldb >= at_least(*n))                                                                             \
        .run([&] { return trigon::gesv(columns, *n, *nrhs, a, *lda, pivots, b, *ldb); });                            \
  }                                                                                                                  \
  TRIGON_LAPACK(prefix, getri)                                                                                       \
  (const Int* n, T* a, const Int* lda, const Int* pivots, T* work, const Int* lwork, Int* info) {                    \
    const bool asks = *lwork == -1;                                                                                  \
    *work = T(rounded_up<trigon::real_t<T>>(at_least(*n)));                                                          \
    Routine(PREFIX "GETRI", info)                                                                                    \
        .demand(1, *n >= 0)                                                                                          \
        .demand(3, *lda >= at_least(*n))                                                                             \
        .demand(6, asks || *lwork >= at_least(*n))                                                                   \
        .run([&] { return asks ? 0 : trigon::getri(columns, *n, a, *lda, pivots); });                                \
  }

TRIGON_ENTRIES(s, "S", float)
TRIGON_ENTRIES(d, "D", double)
TRIGON_ENTRIES(c, "C", std::complex<float>)
TRIGON_ENTRIES(z, "Z", std::complex<double>)
