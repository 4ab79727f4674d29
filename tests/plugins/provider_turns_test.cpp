// Serial builds of OpenBLAS have wrong results for callers at once: those who call a provider that is one take turns.
#include <trigon/inspect.hpp>
#include <trigon/operands.hpp>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace trigon::test {
namespace {

TEST(ProviderTurns, AreTakenByManyCallers) {
  constexpr int callers = 8, rounds = 50;
  ASSERT_EQ(gemm_provider().path, PROVIDER);
  std::vector<std::thread> threads;
  std::atomic<int> waiting{callers};
  for (int t = 0; t < callers; ++t)
    threads.emplace_back([&, t] {
      const char* const texts[] = {"sgemm m=20 n=20 k=20", "dgemm m=20 n=20 k=20", "zgemm m=20 n=20 k=20"};
      Operands o(parse_call(texts[t % 3]));
      --waiting;
      while (waiting.load() > 0) std::this_thread::yield();  // all of them at once
      for (int round = 0; round < rounds; ++round) execute(o.call());
    });
  for (std::thread& t : threads) t.join();
  void* const provider = dlopen(PROVIDER, RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(provider, nullptr);
  const auto count = [&](const char* name) { return static_cast<std::atomic<int>*>(dlsym(provider, name))->load(); };
  EXPECT_EQ(count("calls"), callers * rounds);
  EXPECT_EQ(count("overlaps"), 0);
}

}  // namespace
}  // namespace trigon::test
