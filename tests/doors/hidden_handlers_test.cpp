// Error handlers in a library that the program has loaded, which the dynamic linker would pass over for those of the
// drop-in: they are called.
#include "caller.hpp"

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cctype>
#include <string>

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
  void go_on() { *static_cast<int*>(dlsym(library_, "goes_on")) = 1; }

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
  extension.go_on();
  EXPECT_EQ(said(Door::Fortran, bad_call(operands)), default_words);
  EXPECT_EQ(extension.heard(), "DTRSM  4");
}

/// A library that brings routines brings its own handlers for them.
TEST(HiddenHandlers, OfOtherBlasAreNot) {
  Operands operands;
  const Loaded other(OTHER_BLAS_WITH_HANDLERS);
  EXPECT_EQ(said(Door::Fortran, bad_call(operands)), default_words);
  EXPECT_EQ(other.heard(), "");
}

}  // namespace
}  // namespace trigon::test
