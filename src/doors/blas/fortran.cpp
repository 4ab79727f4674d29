// The Fortran door: every argument by address; the hidden lengths of the flags are neither needed nor read.
#include "doors/blas/names.h"
#include "doors/blas/report.hpp"

namespace trigon::doors {
namespace {

template <class T>
struct Fortran {
  using flag = const char*;
  using size = const Int*;
  using scalar = const T*;
  using real = const real_t<T>*;
  using in = const T*;
  using out = T*;

  /// The letter in either case, as the reference's LSAME.
  template <class Flag>
  static bool read(Flag& field, const char* letter) {
    if (letter == nullptr) return false;
    field = static_cast<Flag>(*letter & ~0x20);
    return true;
  }
  static bool read(index& field, const Int* value) {
    if (value == nullptr) return false;
    field = *value;
    return true;
  }
  template <class S>
  static bool read(std::complex<double>& field, const S* value) {
    if (value == nullptr) return false;
    field = *value;
    return true;
  }
  static bool read(const void*& field, const T* operand) {
    field = operand;
    return true;
  }
  static bool read(void*& field, const T* operand) {
    field = const_cast<T*>(operand);
    return true;
  }
};

}  // namespace
}  // namespace trigon::doors

using trigon::doors::Fortran;

#define TRIGON_ENTRY(prefix, T, routine, Name, SHAPE)                    \
  TRIGON_BLAS_EXPORT void TRIGON_FORTRAN(TRIGON_PASTE(prefix, routine))( \
      SHAPE(TRIGON_FIRST_PARAMETER, TRIGON_PARAMETER, Fortran<T>)) {     \
    trigon::Call call;                                                   \
    const void* null = nullptr;                                          \
    constexpr auto operation = trigon::Operation::Name;                  \
    call.operation = operation;                                          \
    call.precision = trigon::precision_of<T>;                            \
    SHAPE(TRIGON_FILL, TRIGON_FILL, Fortran<T>)                          \
    const auto bad = trigon::doors::first_bad(call, operation, null);    \
    if (bad != trigon::Argument::None) [[unlikely]]                      \
      return trigon::doors::report_fortran(call, bad);                   \
    trigon::doors::run(call);                                            \
  }
TRIGON_ROUTINES(TRIGON_ENTRY)
