// Error handlers in a library that the program has loaded, which the dynamic linker would pass over for those of the
// drop-in: they are called.
#include "caller.hpp"
#include "support/forked.hpp"

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <atomic>
#include <csetjmp>
#include <stdexcept>
#include <string>
#include <thread>

namespace trigon::test {
namespace {

/// The library with handlers, as an interpreter loads its extensions: seen by nobody else.
class Loaded {
 public:
  explicit Loaded(const char* path) : library_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    EXPECT_NE(library_, nullptr) << dlerror();
  }
  ~Loaded() { dlclose(library_); }
  std::string heard() const { return static_cast<const char*>(dlsym(library_, "heard")); }
  int& number(const char* name) { return *static_cast<int*>(dlsym(library_, name)); }
  void (*&then())() { return *static_cast<void (**)()>(dlsym(library_, "then")); }

 private:
  void* library_;
};

/// What the call says on standard error.
std::string said(Door door, const Call& call) {
  testing::internal::CaptureStderr();
  invoke(door, call);
  return testing::internal::GetCapturedStderr();
}

/// DTRSM with a bad diag.
Call bad_call(Operands& operands) {
  Call call = parse_call("dtrsm m=3 n=2");
  call.a = operands.a.data(), call.b = operands.b.data();
  return spoiled(call, Argument::Diag);
}

constexpr const char* default_words = " ** On entry to DTRSM parameter number  4 had an illegal value\n";

TEST(HiddenHandlers, AreCalled) {
  Operands operands;
  const Call call = bad_call(operands);
  ASSERT_EQ(said(Door::Fortran, call), default_words);
  {
    const Loaded extension(OWN_HANDLERS);
    EXPECT_EQ(said(Door::Fortran, call), "");
    EXPECT_EQ(extension.heard(), "DTRSM  4");
    EXPECT_EQ(said(Door::Cblas, call), "");
    EXPECT_EQ(extension.heard().substr(0, 34), "cblas_dtrsm 5 Illegal Diag setting");
  }
  EXPECT_EQ(said(Door::Fortran, call), default_words);
}

TEST(HiddenHandlers, MayGoOnToTheDefaultOne) {
  Operands operands;
  Loaded extension(OWN_HANDLERS);
  extension.number("goes_on") = 1;
  for (const int call : {1, 2}) {
    EXPECT_EQ(said(Door::Fortran, bad_call(operands)), default_words);
    EXPECT_EQ(extension.number("times_heard"), call);
  }
}

std::jmp_buf back;

/// R's handler jumps to where its errors are dealt with, those of C++ programs throw.
TEST(HiddenHandlers, MayThrowAndJumpAway) {
  Operands operands;
  const Call call = bad_call(operands);
  Loaded extension(OWN_HANDLERS);
  extension.then() = [] { throw std::invalid_argument("xerbla"); };
  EXPECT_THROW(invoke(Door::Fortran, call), std::invalid_argument);
  extension.then() = [] { std::longjmp(back, 1); };
  const auto jumps = [&] {
    if (setjmp(back) != 0) return true;
    invoke(Door::Fortran, call);
    return false;
  };
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(jumps());
  extension.then() = nullptr;
  EXPECT_EQ(said(Door::Fortran, call), "");
  EXPECT_EQ(extension.number("times_heard"), 5);
}

/// A library that brings routines brings its own handlers for them.
TEST(HiddenHandlers, OfOtherBlasAreNot) {
  Operands operands;
  const Loaded other(OTHER_BLAS_WITH_HANDLERS);
  EXPECT_EQ(said(Door::Fortran, bad_call(operands)), default_words);
  EXPECT_EQ(other.heard(), "");
}

TEST(HiddenHandlers, AreFoundWhileOthersLoad) {
  EXPECT_EQ(in_child([] {
              close(STDERR_FILENO);
              return dlopen(ERRS_WHEN_LOADED, RTLD_NOW) ? 0 : 1;
            }),
            0);
}

/// Where the parent was changing the list of libraries at the fork it is the default one.
TEST(HiddenHandlers, AreFoundInChildrenOfThoseWhoLoad) {
  Operands operands;
  const Call call = bad_call(operands);
  Loaded extension(OWN_HANDLERS);
  const auto child = [&] {
    return in_child([&] {
      close(STDERR_FILENO);
      invoke(Door::Fortran, call);
      return 100 + extension.number("times_heard");
    });
  };
  EXPECT_EQ(child(), 101);
  std::atomic<bool> done = false;
  std::thread loads([&] {
    while (!done)
      if (void* const other = dlopen(OTHER_BLAS_WITH_HANDLERS, RTLD_NOW | RTLD_LOCAL)) dlclose(other);
  });
  int status = 100;
  for (int i = 0; i < 200 && (status == 100 || status == 101); ++i) status = child();
  done = true;
  loads.join();
  EXPECT_TRUE(status == 100 || status == 101) << status;
}

}  // namespace
}  // namespace trigon::test
