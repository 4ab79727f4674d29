// No call fails for want of scratch: without memory to pack into, and without threads to start, it is still right.
#include "support/variants.hpp"

#include <trigon/inspect.hpp>
#include <trigon/lapack.hpp>
#include <trigon/operands.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <new>
#include <vector>

namespace {
thread_local std::size_t most_bytes = std::numeric_limits<std::size_t>::max();  // of one allocation
}

// Where one of a pair is inlined and the other is not, GCC takes them for strangers.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (void* const memory = bytes <= most_bytes ? std::malloc(bytes) : nullptr) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

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

/// In reproducible mode alone vectors with increments are gathered. Before all others: each time a process that has
/// called nothing.
TEST(MemoryForVectors, IsNotNeeded) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers need address space of their own";
#endif
  setenv("TRIGON_REPRODUCIBLE", "1", 1);
  for (const char* text : {"strmv n=200 incx=3", "dtrsv n=200 incx=-2", "ctrsv n=150 incx=2", "ztrmv n=150 incx=5"})
    EXPECT_EQ(starved(parse_call(text), true), 0) << text;
  unsetenv("TRIGON_REPRODUCIBLE");
}

/// getri alone has a workspace, of 64 columns where there is memory for them.
TEST(MemoryForCounts, FailsNoCallThatIsDone) {
  count_paths(true);
  Operands first(parse_call("dgemm m=2 n=2 k=2")), operands(parse_call("dtrsm m=5 n=3"));
  execute(first.call());
  bool thrown = false;
  most_bytes = 0;
  try {
    execute(operands.call());
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  most_bytes = std::numeric_limits<std::size_t>::max();
  count_paths(false);
  EXPECT_FALSE(thrown);
  EXPECT_TRUE(operands.verify().ok());
}

TEST(LapackMemory, IsTakenAsThereIs) {
  constexpr index n = 150;
  for (const Layout layout : {Layout::ColMajor, Layout::RowMajor}) {
    std::vector<double> factor(n * n), narrow;
    for (index i = 0; i < n * n; ++i)
      factor[static_cast<std::size_t>(i)] = i % (n + 1) == 0 ? 9 : 1.0 / double(1 + i % 7);
    std::vector<std::int32_t> pivots(n);
    ASSERT_EQ(getrf(layout, n, n, factor.data(), n, pivots.data()), 0);
    narrow = factor;
    ASSERT_EQ(getri(layout, n, factor.data(), n, pivots.data()), 0);
    most_bytes = 3 * n * sizeof(double);
    const index zero = getri(layout, n, narrow.data(), n, pivots.data());
    most_bytes = std::numeric_limits<std::size_t>::max();
    ASSERT_EQ(zero, 0);
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < narrow.size(); ++i) {
      worst = std::max(worst, std::abs(narrow[i] - factor[i]));
      largest = std::max(largest, std::abs(factor[i]));
    }
    EXPECT_LE(worst, 1e-12 * largest);
  }
}

TEST(LapackMemory, IsAskedForBeforeAnythingIsWritten) {
  constexpr index n = 100;
  std::vector<double> factor(n * n, 0.5), before;
  std::vector<std::int32_t> pivots(n);
  for (index i = 0; i < n; ++i)
    factor[static_cast<std::size_t>(i * n + i)] = 4,
                                            pivots[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i + 1);
  before = factor;
  most_bytes = n * sizeof(double) - 1;  // less than a column, and enough for words
  bool thrown = false;
  try {
    (void)getri(Layout::ColMajor, n, factor.data(), n, pivots.data());
  } catch (const out_of_memory&) {
    thrown = true;
  } catch (const std::exception&) {
  }
  most_bytes = std::numeric_limits<std::size_t>::max();
  EXPECT_TRUE(thrown);
  EXPECT_EQ(factor, before);
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
      Call apart = c;
      apart.incx = 3;
      std::vector<Call> calls{c, few};
      if (is_vector(c.operation)) calls.push_back(apart);
      for (const Call& call : calls) {
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
