// The library opened, used, closed and opened again by a program that is not linked with it.
#include <trigon/call.hpp>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace trigon::test {
namespace {

/// Solves a bidiagonal system whose solution is all ones; true when it comes out.
bool solve_through(void* library) {
  using Execute = void(const Call&);
  auto* execute = reinterpret_cast<Execute*>(dlsym(library, "_ZN6trigon7executeERKNS_4CallE"));
  if (!execute) return false;
  const index n = 400;
  std::vector<double> a(static_cast<std::size_t>(n * n)), b(static_cast<std::size_t>(n * n), 3.0);
  for (index i = 0; i < n; ++i) {
    a[static_cast<std::size_t>(i + i * n)] = i == 0 ? 3 : 2;
    if (i > 0) a[static_cast<std::size_t>(i + (i - 1) * n)] = 1;
  }
  Call c;
  c.operation = Operation::Trsm;
  c.m = c.n = n;
  c.a = a.data(), c.b = b.data();
  c.lda = c.ldb = n;
  execute(c);
  for (const double x : b)
    if (x != 1) return false;
  return true;
}

TEST(Reopen, WorksAsOftenAsOneLikes) {
  for (int round = 0; round < 5; ++round) {
    void* library = dlopen(TRIGON_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    EXPECT_TRUE(solve_through(library));
    EXPECT_EQ(dlclose(library), 0);
    // Workers that outlive the dlclose must still have their code.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

TEST(Reopen, FromAThreadThatEnds) {
  for (int round = 0; round < 5; ++round)
    std::thread([] {
      void* library = dlopen(TRIGON_LIBRARY, RTLD_NOW | RTLD_LOCAL);
      ASSERT_NE(library, nullptr) << dlerror();
      EXPECT_TRUE(solve_through(library));
      dlclose(library);
    }).join();
}

}  // namespace
}  // namespace trigon::test
