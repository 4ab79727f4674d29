// The default xerbla and cblas_xerbla as the reference's CBLAS and other libraries call them.
#include "doors/blas/names.h"

#include <gtest/gtest.h>

#include <string>

using trigon::doors::Int;

extern "C" {
extern int CBLAS_CallFromC, RowMajorStrg;
void TRIGON_FORTRAN(xerbla)(const char* routine, const Int* position, std::size_t length);
void TRIGON_CBLAS(xerbla)(Int position, const char* routine, const char* form, ...);
void TRIGON_FORTRAN(xerbla_array)(const char* routine, const Int* length, const Int* position, std::size_t);
}

namespace {

template <class Action>
std::string said(const Action& action) {
  testing::internal::CaptureStderr();
  action();
  return testing::internal::GetCapturedStderr();
}

std::string message(const std::string& routine, Int position) {
  return "Parameter " + std::to_string(position) + " to routine " + routine + " was incorrect\n";
}

/// The reference carries out a row-major call as the transposed one, and reports that one's positions. What the
/// Fortran routine beneath finds is one further in CBLAS.
TEST(DefaultHandlers, TurnPositionsOfRowMajorCallsBack) {
  const struct {
    std::string routine;
    Int one, other;
  } swaps[] = {{"dgemm", 4, 5}, {"zgemm", 9, 11}, {"ssymm", 4, 5}, {"chemm", 4, 5},  {"dtrmm", 6, 7},  {"ztrsm", 6, 7},
               {"dgemv", 3, 4}, {"cgbmv", 3, 4},  {"sgbmv", 5, 6}, {"dger", 2, 3},   {"zgeru", 6, 8},  {"cgerc", 2, 3},
               {"cher2", 6, 8}, {"zhpr2", 6, 8},  {"dsyrk", 4, 4}, {"cher2k", 6, 6}, {"zher2k", 8, 8}, {"dgemv", 2, 2}};
  for (const auto& [routine, one, other] : swaps)
    for (const auto& [given, meant] : {std::pair(one, other), std::pair(other, one)}) {
      const std::string name = "cblas_" + routine;
      RowMajorStrg = 1;
      EXPECT_EQ(said([&] { TRIGON_CBLAS(xerbla)(given, name.c_str(), ""); }), message(name, meant));
      CBLAS_CallFromC = 1;
      const Int in_fortran = given - 1;
      const auto from_fortran = [&] { TRIGON_FORTRAN(xerbla)(routine.c_str(), &in_fortran, routine.size()); };
      EXPECT_EQ(said(from_fortran), message(name, meant));
      RowMajorStrg = CBLAS_CallFromC = 0;
      EXPECT_EQ(said([&] { TRIGON_CBLAS(xerbla)(given, name.c_str(), ""); }), message(name, given));
    }
}

/// Where the drop-in is preloaded, MKL's routines call this one as they would their own.
TEST(DefaultHandlers, KnowMklsConvention) {
  void* const handler = reinterpret_cast<void*>(&TRIGON_CBLAS(xerbla));
  const auto as_mkl = reinterpret_cast<void (*)(const char* routine, Int position)>(handler);
  EXPECT_EQ(said([&] { as_mkl("cblas_dgemm_compute", 4); }), message("cblas_dgemm_compute", 4));
}

TEST(DefaultHandlers, PrintNamesOfAnyLength) {
  const Int at = 3;
  const auto name = [&](const char* routine, std::size_t length) {
    const std::string text = said([&] { TRIGON_FORTRAN(xerbla)(routine, &at, length); });
    const std::string head = " ** On entry to ", tail = " parameter number  3 had an illegal value\n";
    EXPECT_EQ(text.substr(0, head.size()), head);
    EXPECT_TRUE(text.ends_with(tail)) << text;
    return text.substr(head.size(), text.size() - head.size() - tail.size());
  };
  EXPECT_EQ(name("DGEMV  and more", 7), "DGEMV");
  EXPECT_EQ(name("DGEMMTR and more", 7), "DGEMMTR");
  EXPECT_EQ(name("DTRSM and more", 0), "DTRSM");
  EXPECT_EQ(name("DGETRFand more", std::size_t{1} << 40), "DGETRF");  // no length was passed
}

/// A length beyond any name would have it copied over the stack.
TEST(DefaultHandlers, CutArraysOff) {
  const std::string routine(std::size_t{8} << 20, 'X');
  const Int length = static_cast<Int>(routine.size()), less = -1, at = 3;
  const auto call = [&](const Int& size) { TRIGON_FORTRAN(xerbla_array)(routine.data(), &size, &at, 1); };
  const std::string tail = " parameter number  3 had an illegal value\n";
  EXPECT_EQ(said([&] { call(length); }), " ** On entry to " + routine.substr(0, 32) + tail);
  EXPECT_EQ(said([&] { call(less); }), " ** On entry to " + tail);
}

}  // namespace
