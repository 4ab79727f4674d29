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
  static void read(Flag& field, const char* letter) {
    field = static_cast<Flag>(*letter & ~0x20);
  }
  static void read(index& field, const Int* value) { field = *value; }
  template <class S>
  static void read(std::complex<double>& field, const S* value) {
    field = *value;
  }
  static void read(const void*& field, const T* operand) { field = operand; }
  static void read(void*& field, const T* operand) { field = const_cast<T*>(operand); }
};

}  // namespace
}  // namespace trigon::doors

using trigon::doors::Fortran;

#define TRIGON_ENTRY(prefix, T, routine, Name, SHAPE)                                                    \
  TRIGON_BLAS_EXPORT void TRIGON_FORTRAN(TRIGON_PASTE(prefix, routine))(                                 \
      SHAPE(TRIGON_FIRST_PARAMETER, TRIGON_PARAMETER, Fortran<T>)) {                                     \
    TRIGON_BODY(                                                                                         \
        T, Name, SHAPE, Fortran<T>, [](trigon::Call&) {}, (trigon::core::execute_at_once<T, operation>), \
        trigon::doors::report_fortran, (trigon::doors::run<operation, T>))                               \
  }
TRIGON_ROUTINES(TRIGON_ENTRY)
