// No call fails for want of scratch: without memory to pack into, and without threads to start, it is still right.
#include "support/variants.hpp"

#include <trigon/operands.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace trigon::test {
namespace {

/// Address space in use, in bytes.
rlim_t used() {
  std::ifstream statm("/proc/self/statm");
  rlim_t pages = 0;
  statm >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// Keeps compilers from leaving out an allocation that nobody reads.
void* volatile taken_for_good;

/// In a child that has used the library or not, with no address space left: 0 when the result is right.
int starved(const Call& call, bool used_before) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    Operands operands(call);
    if (used_before) {
      Operands small(parse_call("dgemm m=2 n=2 k=2"));
      execute(small.call());
    }
    const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY}, none{used(), RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &none);
    // What the heap has left would do for small copies. A first call needs some of it for what is kept.
    for (std::size_t block = std::size_t{1} << 20; used_before && block >= 4096; block /= 2)
      while (void* const taken = std::malloc(block)) taken_for_good = taken;
    execute(operands.call());
    setrlimit(RLIMIT_AS, &unlimited);
    _exit(operands.verify({.lines = 3}).ok() && operands.intrusion().empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

class Memory : public testing::TestWithParam<Operation> {};

TEST_P(Memory, IsNotNeeded) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers need address space of their own";
#endif
  for (const Precision p : all_precisions) {
    const std::vector<Call> all = variants(GetParam(), p);
    for (std::size_t i = 0; i < all.size(); i += 1 + all.size() / 2) {
      Call c = all[i];
      c.beta = 1;
      set_sizes(c, 200, 130, 90);
      Call few = c;  // nothing is packed, but long factors may have to be transposed
      set_sizes(few, 7, 9, 9);
      few.k = 2500;
      for (const Call& call : {c, few}) {
        EXPECT_EQ(starved(call, true), 0) << to_text(call);
        EXPECT_EQ(starved(call, false), 0) << to_text(call) << ", the first call of its process";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Memory, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace trigon::test
