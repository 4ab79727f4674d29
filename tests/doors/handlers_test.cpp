// A program that brings its own xerbla and cblas_xerbla, as LAPACK programs and the reference's testers do: ours
// must call those, also for routines that another BLAS carries out, with what the reference would have passed.
#include "caller.hpp"

#include "doors/blas/names.h"

#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <stdexcept>
#include <string>

#ifndef OWN_CBLAS_XERBLA
#define OWN_CBLAS_XERBLA TRIGON_CBLAS(xerbla)
#endif

namespace {
struct Heard {
  std::string from, routine, text;
  long long position = 0;
  int from_c = -1, row_major = -1;
} heard;
bool throws = false;  // as handlers of C++ programs may
}  // namespace

extern "C" {
extern int CBLAS_CallFromC, RowMajorStrg;

void TRIGON_FORTRAN(xerbla)(const char* routine, const trigon::doors::Int* position, std::size_t length) {
  heard = {"xerbla", std::string(routine, length), "", *position, CBLAS_CallFromC, RowMajorStrg};
  if (throws) throw std::invalid_argument("xerbla");
}

void OWN_CBLAS_XERBLA(trigon::doors::Int position, const char* routine, const char* form, ...) {
  char text[128];
  std::va_list values;
  va_start(values, form);
  std::vsnprintf(text, sizeof text, form, values);
  va_end(values);
  heard = {"cblas_xerbla", routine, text, position, CBLAS_CallFromC, RowMajorStrg};
  if (throws) throw std::invalid_argument("cblas_xerbla");
}

void TRIGON_FORTRAN(dgbmv)(const char* trans, const trigon::doors::Int* m, const trigon::doors::Int* n,
                           const trigon::doors::Int* kl, const trigon::doors::Int* ku, const double* alpha,
                           const double* a, const trigon::doors::Int* lda, const double* x,
                           const trigon::doors::Int* incx, const double* beta, double* y,
                           const trigon::doors::Int* incy);
void TRIGON_FORTRAN(xerbla_array)(const char* routine, const trigon::doors::Int* length,
                                  const trigon::doors::Int* position, std::size_t);
}

namespace trigon::test {
namespace {

std::string padded(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  text.resize(6, ' ');
  return text;
}

TEST(OwnHandlers, MayThrow) {
  Operands operands;
  throws = true;
  for (const Door door : {Door::Fortran, Door::Cblas})
    for (const Call& call : every_routine(Layout::ColMajor, operands)) {
      EXPECT_THROW(invoke(door, spoiled(call, Argument::Lda)), std::invalid_argument) << routine(call);
      EXPECT_EQ(CBLAS_CallFromC, 0) << routine(call);
    }
  throws = false;
}

TEST(OwnHandlers, HearOfFortranErrors) {
  Operands operands;
  for (const Call& call : every_routine(Layout::ColMajor, operands)) {
    heard = {};
    invoke(Door::Fortran, spoiled(call, Argument::Lda));
    EXPECT_EQ(heard.from, "xerbla");
    EXPECT_EQ(heard.routine, padded(routine(call)));
    EXPECT_EQ(heard.position, position(call.operation, Argument::Lda, false));
    EXPECT_EQ(heard.from_c, 0);
  }
}

TEST(OwnHandlers, HearOfCblasFlags) {
  Operands operands;
  for (Layout layout : {Layout::ColMajor, Layout::RowMajor})
    for (const Call& call : every_routine(layout, operands)) {
      heard = {};
      invoke(Door::Cblas, spoiled(call, Argument::Uplo));
      if (position(call.operation, Argument::Uplo, true) == 0) continue;
      EXPECT_EQ(heard.from, "cblas_xerbla");
      EXPECT_EQ(heard.routine, "cblas_" + routine(call));
      EXPECT_EQ(heard.position, position(call.operation, Argument::Uplo, true));
      EXPECT_EQ(heard.text, "Illegal Uplo setting, 999\n");
    }
}

// The reference finds sizes in the Fortran routine beneath, called for the transposed problem when row-major.
TEST(OwnHandlers, HearOfCblasSizesAsTheFortranRoutineSeesThem) {
  Operands operands;
  for (Layout layout : {Layout::ColMajor, Layout::RowMajor})
    for (const Call& call : every_routine(layout, operands)) {
      const bool row_major = layout == Layout::RowMajor;
      const bool has_m = position(call.operation, Argument::M, true) != 0;
      heard = {};
      invoke(Door::Cblas, spoiled(call, Argument::N));
      EXPECT_EQ(heard.from, "xerbla");
      EXPECT_EQ(heard.routine, padded(routine(call)));
      EXPECT_EQ(heard.position, position(call.operation, row_major && has_m ? Argument::M : Argument::N, false));
      EXPECT_EQ(heard.from_c, 1);
      EXPECT_EQ(heard.row_major, row_major);
      EXPECT_EQ(CBLAS_CallFromC, 0);
      EXPECT_EQ(RowMajorStrg, 0);
    }
}

TEST(OwnHandlers, HearOfErrorsInForwardedRoutines) {
  const Int bad = -1, one = 1;
  const double scalar = 1;
  double y = 7;
  heard = {};
  TRIGON_FORTRAN(dgbmv)("N", &bad, &one, &one, &one, &scalar, &y, &one, &y, &one, &scalar, &y, &one);
  EXPECT_EQ(heard.from, "xerbla");
  EXPECT_EQ(heard.routine, "DGBMV ");
  EXPECT_EQ(heard.position, 2);
  EXPECT_EQ(y, 7);
}

TEST(OwnHandlers, HearOfXerblaArray) {
  const Int length = 6, at = 3;
  heard = {};
  TRIGON_FORTRAN(xerbla_array)("DGETRFgarbage", &length, &at, 1);
  EXPECT_EQ(heard.routine.substr(0, 7), "DGETRF ");
  EXPECT_EQ(heard.position, 3);
}

}  // namespace
}  // namespace trigon::test
