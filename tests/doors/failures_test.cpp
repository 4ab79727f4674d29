// Failures that are not the caller's: a backend that is not there, as TRIGON_BACKEND says here (CMake), and memory that
// is used up. Each door has its own way to say so, and none goes on.
#include "caller.hpp"
#include "doors/blas/names.h"

#include <trigon/trigon.h>
#include <trigon/trigon.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>

namespace {
thread_local bool no_memory = false;
}

// Where one of a pair is inlined and the other is not, GCC takes them for strangers.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (void* const memory = no_memory ? nullptr : std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

extern "C" {
void TRIGON_FORTRAN(dtrtrs)(const char*, const char*, const char*, const trigon::test::Int*, const trigon::test::Int*,
                            const double*, const trigon::test::Int*, double*, const trigon::test::Int*,
                            trigon::test::Int*);
void TRIGON_FORTRAN(dgetri)(const trigon::test::Int*, double*, const trigon::test::Int*, const trigon::test::Int*,
                            double*, const trigon::test::Int*, trigon::test::Int*);
void TRIGON_CBLAS(dtrsv)(int, int, int, int, trigon::test::Int, const double*, trigon::test::Int, double*,
                         trigon::test::Int);
}

namespace trigon::test {
namespace {

const char* const reason = "TRIGON_BACKEND=absent: not available";

/// 2 x = b.
trigon_status solve(double& b) {
  const double two = 2;
  return trigon_dtrsv(TRIGON_COL_MAJOR, TRIGON_LOWER, TRIGON_NO_TRANS, TRIGON_NON_UNIT, 1, &two, 1, &b, 1);
}

TEST(FailuresInCpp, AreThrown) {
  const double two = 2;
  double b = 6;
  try {
    trsv(Layout::ColMajor, Uplo::Lower, Op::NoTrans, Diag::NonUnit, 1, &two, 1, &b, 1);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const backend_error& e) {
    EXPECT_NE(std::string(e.what()).find(reason), std::string::npos) << e.what();
  }
  EXPECT_EQ(b, 6);
}

TEST(FailuresInC, AreAStatusAndAMessage) {
  double b = 6;
  EXPECT_EQ(solve(b), TRIGON_BACKEND_ERROR);
  EXPECT_NE(std::string(trigon_last_error()).find(reason), std::string::npos) << trigon_last_error();
  EXPECT_EQ(trigon_last_argument(), 0);
  EXPECT_EQ(b, 6);
}

TEST(FailuresInC, OfMemoryHaveAStatusOfTheirOwn) {
  double b = 6;
  solve(b);  // what a first call keeps
  no_memory = true;
  const trigon_status status = solve(b);
  no_memory = false;
  EXPECT_EQ(status, TRIGON_OUT_OF_MEMORY);
  EXPECT_STREQ(trigon_last_error(), "out of memory");
}

TEST(FailuresInC, AreThoseOfTheThread) {
  double b = 6;
  solve(b);
  const std::string ours = trigon_last_error();
  EXPECT_NE(ours, "");
  std::thread([&] {
    EXPECT_STREQ(trigon_last_error(), "");
    double x = 1;
    EXPECT_EQ(trigon_dtrsv(TRIGON_COL_MAJOR, TRIGON_LOWER, TRIGON_NO_TRANS, TRIGON_NON_UNIT, -1, &x, 1, &x, 1),
              TRIGON_INVALID_ARGUMENT);
    EXPECT_EQ(trigon_last_argument(), 5);
  }).join();
  EXPECT_EQ(trigon_last_error(), ours);
  EXPECT_EQ(trigon_last_argument(), 0);
}

/// To go on would be to compute with a result that was never written.
TEST(FailuresInBlas, StopTheProgramWithTheReason) {
  Operands operands;
  for (const Door door : {Door::Fortran, Door::Cblas})
    for (const Call& call : every_routine(Layout::ColMajor, operands))
      EXPECT_EXIT(invoke(door, call), testing::KilledBySignal(SIGABRT), reason) << symbol(door, call);
}

/// To say so takes none.
TEST(FailuresInBlas, OfMemoryHideNoBadFlag) {
  const double two = 2;
  double b = 6;
  testing::internal::CaptureStderr();
  no_memory = true;
  bool thrown = false;
  try {
    TRIGON_CBLAS(dtrsv)(102, 5, 111, 131, 1, &two, 1, &b, 1);
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  no_memory = false;
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_FALSE(thrown);
  EXPECT_NE(said.find("Illegal Uplo setting, 5"), std::string::npos) << said;
  EXPECT_EQ(b, 6);
}

TEST(FailuresInLapack, StopTheProgramWithTheReason) {
  const Int one = 1;
  Int info = -99;
  double a = 2, b = 6, work = 0;
  EXPECT_EXIT(TRIGON_FORTRAN(dtrtrs)("L", "N", "N", &one, &one, &a, &one, &b, &one, &info),
              testing::KilledBySignal(SIGABRT), reason);
  const auto invert_without_memory = [&] {
    no_memory = true;
    TRIGON_FORTRAN(dgetri)(&one, &a, &one, &one, &work, &one, &info);
  };
  EXPECT_EXIT(invert_without_memory(), testing::KilledBySignal(SIGABRT), "trigon: .*bad_alloc");
}

}  // namespace
}  // namespace trigon::test
