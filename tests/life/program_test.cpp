// What programs do around calls: signals, cancelled threads, tiny stacks, OpenMP, other processors for children,
// settings and traces that cannot be written. Each in a process of its own, because first calls and settings are made
// once.
#include "support/forked.hpp"

#include <trigon/inspect.hpp>
#include <trigon/operands.hpp>
#include <trigon/trigon.hpp>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace {
thread_local bool in_openmp = false;
}
/// As a program that uses OpenMP has it.
extern "C" __attribute__((visibility("default"))) int omp_in_parallel() { return in_openmp; }

namespace trigon::test {
namespace {

const char* const large = "dgemm m=400 n=400 k=400";

bool works() {
  Operands o(parse_call(large));
  execute(o.call());
  return o.verify({.lines = 3}).ok();
}

/// Makes the page accessible that an access was refused to.
void map_page(int, siginfo_t* info, void*) {
  const auto page = reinterpret_cast<std::uintptr_t>(info->si_addr) & ~std::uintptr_t{4095};
  if (mprotect(reinterpret_cast<void*>(page), 4096, PROT_READ | PROT_WRITE) != 0) _exit(9);
}

TEST(Program, MayMapItsPagesInASignalHandler) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers handle the signal";
#endif
  EXPECT_EQ(in_child([] {
              setenv("TRIGON_NUM_THREADS", "2", 1);
              constexpr index n = 600;
              constexpr std::size_t bytes = n * n * sizeof(double);
              void* const c = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
              struct sigaction action {};
              action.sa_sigaction = map_page;
              action.sa_flags = SA_SIGINFO | SA_NODEFER;
              sigaction(SIGSEGV, &action, nullptr);
              std::vector<double> ones(n * n, 1);
              for (int round = 0; round < 20; ++round) {
                mprotect(c, bytes, PROT_NONE);
                gemm(Layout::ColMajor, Op::NoTrans, Op::NoTrans, n, n, n, 1.0, ones.data(), n, ones.data(), n, 0.0,
                     static_cast<double*>(c), n);
              }
              const double* const first = static_cast<double*>(c);
              return std::all_of(first, first + n * n, [](double x) { return x == n; }) ? 0 : 1;
            }),
            0);
}

/// Its own threads may wait for signals that the main thread blocks; those that calls start do not take them away.
TEST(Program, KeepsItsSignalsToItself) {
  EXPECT_EQ(in_child([] {
              setenv("TRIGON_NUM_THREADS", "3", 1);
              if (!works()) return 2;
              sigset_t signals;
              sigemptyset(&signals);
              sigaddset(&signals, SIGUSR1);
              pthread_sigmask(SIG_BLOCK, &signals, nullptr);
              kill(getpid(), SIGUSR1);
              sigset_t pending;
              return sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) ? 0 : 1;
            }),
            0);
}

/// A first call reads and opens files, a traced one writes: there a thread would be cancelled, within functions that do
/// not throw.
TEST(Program, MayCancelAThreadThatCalls) {
  for (const char* trace : {"", "/dev/null"})
    EXPECT_EQ(in_child([trace] {
                if (*trace) setenv("TRIGON_TRACE", trace, 1);
                static bool done = false;
                pthread_t thread;
                pthread_create(
                    &thread, nullptr,
                    [](void*) -> void* {
                      pthread_cancel(pthread_self());
                      done = works() && works();
                      pthread_testcancel();
                      return nullptr;
                    },
                    nullptr);
                void* result = nullptr;
                pthread_join(thread, &result);
                return done && result == PTHREAD_CANCELED ? 0 : 1;
              }),
              0)
        << trace;
}

TEST(Program, MayHaveTinyStacksByDefault) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers need stacks of their own size";
#endif
  EXPECT_EQ(in_child([] {
              setenv("TRIGON_NUM_THREADS", "2", 1);
              pthread_attr_t attributes;
              pthread_attr_init(&attributes);
              pthread_attr_setstacksize(&attributes, 32 << 10);
              if (pthread_setattr_default_np(&attributes) != 0) return 2;
              Operands o(parse_call("zgemm transa=T m=17 n=400 k=17"));
              for (int round = 0; round < 5000; ++round) execute(o.call());
              return works() ? 0 : 1;
            }),
            0);
}

/// A first call loads the provider, for which it waits for the loader's lock; the constructor's, which has it, may not
/// wait for that call.
TEST(Program, MayComputeInConstructors) {
  EXPECT_EQ(in_child([] {
              setenv("TRIGON_PROVIDER", PROVIDER, 1);
              void* library = nullptr;
              std::thread loads([&] { library = dlopen(COMPUTES_WHEN_LOADED, RTLD_NOW); });
              std::this_thread::sleep_for(std::chrono::milliseconds(100));
              const bool here = works();
              loads.join();
              const auto* const there =
                  library ? static_cast<double*>(dlsym(library, "square_of_constructor")) : nullptr;
              return here && there && *there == 9 && gemm_provider().path == PROVIDER ? 0 : 1;
            }),
            0);
}

TEST(Program, HasChildrenWithProcessorsOfTheirOwn) {
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) GTEST_SKIP() << "there is one processor";
  EXPECT_EQ(in_child([&] {
              unsetenv("TRIGON_NUM_THREADS"), unsetenv("OMP_NUM_THREADS");
              if (!works() || cpu_info().threads != std::min(CPU_COUNT(&all), 1024)) return 2;
              return in_child([&] {
                cpu_set_t one;
                CPU_ZERO(&one);
                for (unsigned p = 0; p < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++p)
                  if (CPU_ISSET(p, &all)) CPU_SET(p, &one);
                sched_setaffinity(0, sizeof one, &one);
                return works() && cpu_info().threads == 1 ? 0 : 1;
              });
            }),
            0);
}

std::ptrdiff_t threads_alive() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
}

/// What goes the short way, without a plan, is found out once, but not for a child with more processors.
TEST(Program, HasChildrenWithMoreProcessors) {
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) GTEST_SKIP() << "there is one processor";
  EXPECT_EQ(in_child([&] {
              unsetenv("TRIGON_NUM_THREADS"), unsetenv("OMP_NUM_THREADS");
              cpu_set_t one;
              CPU_ZERO(&one);
              for (unsigned p = 0; p < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++p)
                if (CPU_ISSET(p, &all)) CPU_SET(p, &one);
              sched_setaffinity(0, sizeof one, &one);
              Operands vector(parse_call("dtrsv n=1500")), product(parse_call("dgemm m=101 n=101 k=101"));
              for (int i = 0; i < 3; ++i) execute(vector.call()), execute(product.call());
              if (threads_alive() != 1) return 2;
              for (const Operands* o : {&vector, &product}) {
                const int failed = in_child([&] {
                  sched_setaffinity(0, sizeof all, &all);
                  for (int i = 0; i < 3; ++i) execute(o->call());
                  return threads_alive() > 1 || explain(o->call()).threads == 1 ? 0 : 1;
                });
                if (failed != 0) return 3;
              }
              return 0;
            }),
            0);
}

/// Where the threads of a parallel region call, each call takes its own.
TEST(Program, MayCallInsideOpenMp) {
  EXPECT_EQ(in_child([] {
              setenv("TRIGON_NUM_THREADS", "3", 1);
              const auto threads = [] { return explain(parse_call("dgemm m=900 n=900 k=900")).threads; };
              if (!works() || threads() != 3) return 2;
              in_openmp = true;
              if (!works() || threads() != 1) return 3;
              in_openmp = false;
              return threads() == 3 ? 0 : 4;
            }),
            0);
}

TEST(Settings, OfThreads) {
  const auto takes = [](const char* own, int threads) {
    return in_child([=] {
      setenv("TRIGON_NUM_THREADS", own, 1), setenv("OMP_NUM_THREADS", "1", 1);
      return cpu_info().threads == threads && cpu_info().threads_why == "TRIGON_NUM_THREADS" ? 0 : 1;
    });
  };
  EXPECT_EQ(takes("24", 24), 0);
  EXPECT_EQ(takes("1024", 1024), 0);
  EXPECT_EQ(takes("1025", 1024), 0);
  EXPECT_EQ(takes("1000000", 1024), 0);
}

/// It lowers what the processors allow, and raises nothing.
TEST(Settings, OfOpenMp) {
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) GTEST_SKIP() << "there is one processor";
  const auto takes = [&](const char* openmp, int threads) {
    return in_child([&] {
      unsetenv("TRIGON_NUM_THREADS"), setenv("OMP_NUM_THREADS", openmp, 1);
      const bool lowered = threads < CPU_COUNT(&all);
      return cpu_info().threads == threads && (cpu_info().threads_why == "OMP_NUM_THREADS") == lowered ? 0 : 1;
    });
  };
  EXPECT_EQ(takes("1", 1), 0);
  EXPECT_EQ(takes("100000", CPU_COUNT(&all)), 0);
  EXPECT_EQ(takes("0", CPU_COUNT(&all)), 0);
}

/// 0 is no, as nothing is.
TEST(Settings, OfReproducibleBits) {
  const auto narrow = [](const char* value) {
    return in_child([=] {
      setenv("TRIGON_REPRODUCIBLE", value, 1);
      return explain(parse_call("dtrsv n=100")).path == "narrow" ? 1 : 0;
    });
  };
  EXPECT_EQ(narrow("1"), 0);
  EXPECT_EQ(narrow("0"), 1);
  EXPECT_EQ(narrow(""), 1);
}

/// What is written for others to read has points where the program writes commas, too.
TEST(Program, MayHaveALocaleWithCommas) {
  const std::filesystem::path folder = testing::TempDir() + "trigon-locale-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const std::string trace = folder / "trace", report = folder / "report", source = folder / "source";
  std::ofstream(source) << "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n";
  const std::string compile = "localedef -c -i " + source + " " + (folder / "commas").string() + " 2> /dev/null";
  const int status = in_child([&] {
    setenv("LOCPATH", folder.c_str(), 1);
    if (std::system(compile.c_str()) < 0 || !std::setlocale(LC_NUMERIC, "commas")) return 3;
    setenv("TRIGON_TRACE", trace.c_str(), 1), setenv("TRIGON_REPORT", report.c_str(), 1);
    std::exit(works() ? 0 : 1);
  });
  std::string said;
  for (const std::string& path : {trace, report}) {
    std::ifstream file(path);
    said.append(std::istreambuf_iterator<char>(file), {});
  }
  std::filesystem::remove_all(folder);
  if (status == 3) GTEST_SKIP() << "there is no localedef";
  EXPECT_EQ(status, 0);
  EXPECT_NE(said.find("seconds=0."), std::string::npos) << said;
  EXPECT_EQ(said.find(','), std::string::npos) << said;
}

class Setting : public testing::TestWithParam<const char*> {};

TEST_P(Setting, IsComplainedAboutOnceWhereItCannotBeFollowed) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(in_child([&] {
              setenv(GetParam(), "/no/such/place", 1);
              dup2(ends[1], STDERR_FILENO);
              return works() && works() && works() ? 0 : 1;
            }),
            0);
  close(ends[1]);
  std::string said(4096, '\0');
  said.resize(static_cast<std::size_t>(std::max<ssize_t>(read(ends[0], said.data(), said.size()), 0)));
  close(ends[0]);
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_NE(said.find("/no/such/place"), std::string::npos) << said;
}
INSTANTIATE_TEST_SUITE_P(Of, Setting, testing::Values("TRIGON_TRACE", "TRIGON_PROVIDER", "TRIGON_TUNING"));

}  // namespace
}  // namespace trigon::test
