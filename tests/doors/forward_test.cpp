// Routines that another BLAS carries out: every argument arrives, every kind of result comes back. The other BLAS
// is a fake one (fake_blas.c), named in the environment by CMake.
#include "doors/blas/names.h"
#include "support/forked.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

using trigon::doors::Int;

extern "C" {
double TRIGON_FORTRAN(ddot)(const Int*, const double*, const Int*, const double*, const Int*);
float _Complex TRIGON_FORTRAN(cdotc)(const Int*, const void*, const Int*, const void*, const Int*);
double _Complex TRIGON_FORTRAN(zdotc)(const Int*, const void*, const Int*, const void*, const Int*);
void TRIGON_FORTRAN(drotg)(double*, double*, double*, double*);
float TRIGON_CBLAS(sdsdot)(Int, float, const float*, Int, const float*, Int);
void TRIGON_CBLAS(domatcopy)(int, int, Int, Int, double, const double*, Int, double*, Int);
void TRIGON_FORTRAN(dgbmv)(const char*, const Int*, const Int*, const Int*, const Int*, const double*, const double*,
                           const Int*, const double*, const Int*, const double*, double*, const Int*, std::size_t);
Int TRIGON_FORTRAN(lsame)(const char*, const char*, std::size_t, std::size_t);
double TRIGON_FORTRAN(dcabs1)(const void*);
float TRIGON_FORTRAN(scabs1)(const void*);
double TRIGON_CBLAS(dcabs1)(const void*);
float TRIGON_CBLAS(scabs1)(const void*);

#ifdef TRIGON_BLAS_ILP64
#define CONTROL(name) TRIGON_PASTE(name, 64_)
#else
#define CONTROL(name) name
#endif
void CONTROL(openblas_set_num_threads)(int);
int CONTROL(openblas_get_num_threads)(void);
void CONTROL(openblas_set_num_threads_)(const int*);
int CONTROL(openblas_get_num_threads_)(void);
}

namespace {

using trigon::test::in_child;

constexpr double dot_of_twos = 1000 + 1 + 10 + 100 + 4;
double dot() {
  const Int one = 1;
  const double two = 2;
  return TRIGON_FORTRAN(ddot)(&one, &two, &one, &two, &one);
}

// These are first in this file, before any routine has been looked up.
TEST(Forward, LibrariesAreNotCutShortByForks) {
  for (int moment = 0; moment < 5; ++moment)
    EXPECT_EQ(in_child([&] {
                setenv("FAKE_BLAS_TAKES", "100", 1);
                std::thread first([] { dot(); });
                std::this_thread::sleep_for(std::chrono::milliseconds(1 + 20 * moment));
                const int status = in_child([] { return dot() == dot_of_twos ? 0 : 1; });
                first.join();
                return status == 0 ? 0 : 1;
              }),
              0)
        << "a child forked off while the library was loaded";
}

TEST(Forward, ConstructorsMayCallWhileOthersDo) {
  EXPECT_EQ(in_child([] {
              void* library = nullptr;
              std::thread loads([&] { library = dlopen(CALLS_WHEN_LOADED, RTLD_NOW); });
              std::this_thread::sleep_for(std::chrono::milliseconds(100));
              const double here = dot();
              loads.join();
              const auto* const there = library ? static_cast<double*>(dlsym(library, "dot_of_constructor")) : nullptr;
              return here == dot_of_twos && there && *there == dot_of_twos ? 0 : 1;
            }),
            0);
}

// As MKL is once it was the provider of GEMM: that is not the program's own.
TEST(Forward, ComplexResultWhereAllSeeTheLibrary) {
  EXPECT_EQ(in_child([] {
#ifdef TRIGON_BLAS_ILP64
              const char* const path = std::getenv("TRIGON_BLAS64_FORWARD");
#else
              const char* const path = std::getenv("TRIGON_BLAS_FORWARD");
#endif
              if (path == nullptr || dlopen(path, RTLD_NOW | RTLD_GLOBAL) == nullptr) return 1;
              const Int n = 3, incx = 5, incy = 7;
              const std::complex<double> x(1, 2), y(3, -1);
              const double _Complex result = TRIGON_FORTRAN(zdotc)(&n, &x, &incx, &y, &incy);
              return __real__ result == (x * y).real() + 3 && __imag__ result == (x * y).imag() + 5 + 14 ? 0 : 2;
            }),
            0);
}

// The complex results after this were wrong where a thread looked for the program's own BLAS when another one had
// already opened the library behind, which the whole program sees then.
TEST(Forward, FirstCallsMayComeFromManyThreads) {
  std::vector<std::thread> threads;
  std::vector<double> results(8);
  for (double& result : results) threads.emplace_back([&result] { result = dot(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(results, std::vector<double>(8, dot_of_twos));
}

TEST(Forward, ComplexResultInRegisters) {
  const Int n = 3, incx = 5, incy = 7;
  const std::complex<float> x(1, 2), y(3, -1);
  const float _Complex result = TRIGON_FORTRAN(cdotc)(&n, &x, &incx, &y, &incy);
  EXPECT_EQ(__real__ result, (x * y).real() + 3);
  EXPECT_EQ(__imag__ result, (x * y).imag() + 5 + 14);
}

/// That of the other BLAS comes through a hidden argument, of which a program without a BLAS of its own does not know.
TEST(Forward, ComplexResultOfAnotherConvention) {
  const Int n = 3, incx = 5, incy = 7;
  const std::complex<double> x(1, 2), y(3, -1);
  const double _Complex result = TRIGON_FORTRAN(zdotc)(&n, &x, &incx, &y, &incy);
  EXPECT_EQ(__real__ result, (x * y).real() + 3);
  EXPECT_EQ(__imag__ result, (x * y).imag() + 5 + 14);
}

TEST(Forward, ResultsInMemory) {
  double a = 1, b = 2, c = 3, s = 4;
  TRIGON_FORTRAN(drotg)(&a, &b, &c, &s);
  EXPECT_EQ(a, 2);
  EXPECT_EQ(b, 4);
  EXPECT_EQ(c, 6);
  EXPECT_EQ(s, 8);
}

TEST(Forward, FloatsBetweenIntegers) {
  const float x = 2, y = 3;
  EXPECT_EQ(TRIGON_CBLAS(sdsdot)(4, 0.5f, &x, 10, &y, 100), 4 + 0.5f + 20 + 300);
}

TEST(Forward, ArgumentsOnTheStack) {
  const double a = 3;
  double b = 0;
  TRIGON_CBLAS(domatcopy)(1, 2, 3, 4, 5, &a, 6, &b, 7);
  EXPECT_EQ(b, 1 + 20 + 300 + 4000 + 15 + 60000 + 700000);
}

TEST(Forward, ThirteenArgumentsAndALength) {
  const Int m = 1, n = 2, kl = 3, ku = 4, lda = 5, incx = 6, incy = 7;
  const double alpha = 8, a = 9, x = 10, beta = 11;
  double y = 0;
  // The first call resolves the routine, the second jumps to it: both must pass everything.
  for (int i = 0; i < 2; ++i) {
    TRIGON_FORTRAN(dgbmv)("T", &m, &n, &kl, &ku, &alpha, &a, &lda, &x, &incx, &beta, &y, &incy, 1);
    EXPECT_EQ(y, 'T' + 1 + 4 + 9 + 16 + 40 + 54 + 35 + 80 + 54 + 110 + 77 + 12);
  }
}

TEST(Forward, WorksInAForkedChild) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const Int n = 1, step = 1;
    const double x = 2;
    _exit(TRIGON_FORTRAN(ddot)(&n, &x, &step, &x, &step) == 1115 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Forward, ThreadsAreTheOtherBlass) {
  CONTROL(openblas_set_num_threads)(5);
  EXPECT_EQ(CONTROL(openblas_get_num_threads)(), 5);
  const int three = 3;
  CONTROL(openblas_set_num_threads_)(&three);
  EXPECT_EQ(CONTROL(openblas_get_num_threads)(), 3);
}

TEST(Helpers, AreTrigonsOwn) {
  EXPECT_TRUE(TRIGON_FORTRAN(lsame)("u", "U", 1, 1));
  EXPECT_FALSE(TRIGON_FORTRAN(lsame)("u", "L", 1, 1));
  const std::complex<double> z(-3, 4);
  EXPECT_EQ(TRIGON_FORTRAN(dcabs1)(&z), 7);
  EXPECT_EQ(TRIGON_CBLAS(dcabs1)(&z), 7);
  const std::complex<float> c(3, -5);
  EXPECT_EQ(TRIGON_FORTRAN(scabs1)(&c), 8);
  EXPECT_EQ(TRIGON_CBLAS(scabs1)(&c), 8);
}

TEST(Loading, SurvivesBeingClosed) {
  void* const library = dlopen(DROP_IN, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  using Dot = double (*)(const Int*, const double*, const Int*, const double*, const Int*);
#ifdef TRIGON_BLAS_ILP64
  const char* const name = "ddot_64_";
#else
  const char* const name = "ddot_";
#endif
  const auto before = reinterpret_cast<Dot>(dlsym(library, name));
  ASSERT_NE(before, nullptr);
  dlclose(library);
  const Int n = 1, step = 1;
  const double x = 2;
  EXPECT_EQ(before(&n, &x, &step, &x, &step), 1115);
  void* const again = dlopen(DROP_IN, RTLD_NOW | RTLD_LOCAL);
  EXPECT_EQ(reinterpret_cast<Dot>(dlsym(again, name)), before);
  dlclose(again);
}

}  // namespace
