// Plug-ins beside libtrigon.so: opened on first use, and refused in words where that is right.
#include "support/child.hpp"
#include "support/forked.hpp"
#include "support/harness.hpp"
#include "support/variants.hpp"

#include <trigon/device.hpp>
#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <gtest/gtest.h>
#include <pthread.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace trigon::test {
namespace {

/// Runs one test of this program, disabled otherwise, with another backend.
Finished again(const std::string& test, const std::string& backend) {
  return run_program(sibling("plugins_test"), {"--gtest_also_run_disabled_tests", "--gtest_filter=*" + test},
                     {{"TRIGON_BACKEND", backend}});
}

BackendInfo info(const std::string& name) {
  for (const BackendInfo& b : backends())
    if (b.name == name) return b;
  ADD_FAILURE() << name << " is not listed";
  return {};
}

void expect_says(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(Plugins, AreListedWithTheirReasons) {
  EXPECT_EQ(backends().front().name, "cpu");
  EXPECT_TRUE(info("loops").available);
  EXPECT_EQ(info("loops").detail, "plain loops");
  for (const char* name : {"absent", "alien", "broken", "forks", "old"}) EXPECT_FALSE(info(name).available) << name;
  expect_says(info("absent").detail, "it is not there");
  expect_says(info("alien").detail, "is no plug-in");
  expect_says(info("broken").detail, "libtrigon-broken.so");
  expect_says(info("old").detail, "another version");
  EXPECT_EQ(info("forks").detail, "its driver forked");
}

TEST(Plugins, AreOpenedOnceForAllWhoAsk) {
  // Another process: here they have been opened.
  const Finished done = again("DISABLED_AskTogether", "auto");
  EXPECT_EQ(done.exit_code, 0) << done.output;
  expect_says(done.output, "PASSED  ] 1 test");
}

TEST(Plugins, QueuesNeedABackendThatHasThem) {
  EXPECT_THROW(Queue("cpu"), backend_error);
  EXPECT_THROW(Queue("loops"), backend_error);
  EXPECT_THROW(Queue("nonsense:0"), backend_error);
  EXPECT_THROW(Queue("../x", nullptr), backend_error);
  EXPECT_THROW(Queue("", nullptr), backend_error);
}

/// The driver's threads and its connection to the device are the parent's alone.
TEST(Plugins, RefuseADeviceInAChild) {
  Queue queue("queues");
  double x = 1;
  DeviceMemory memory(queue, sizeof x);
  const Call call = parse_call("dtrsv n=1");
  const auto all = [&] {  // one bit each
    int refused = 0, at = 1;
    const auto attempt = [&](const auto& action) {
      try {
        action();
      } catch (const backend_error& e) {
        if (std::string(e.what()).find("child") != std::string::npos) refused |= at;
      }
      at *= 2;
    };
    attempt([&] { Queue another("queues"); });
    attempt([&] { Queue adopted("queues", &x); });
    attempt([&] { queue.finish(); });
    attempt([&] { DeviceMemory more(queue, sizeof x); });
    attempt([&] { memory.write(&x, sizeof x); });
    attempt([&] { memory.read(&x, sizeof x); });
    attempt([&] {
      Call submitted = call;
      submitted.a = submitted.b = &x;
      execute(submitted, {}, queue);
    });
    return refused;
  };
  EXPECT_EQ(all(), 0);
  EXPECT_EQ(in_child(all), 0x7f);
  EXPECT_EQ(all(), 0);
}

/// A thread that is to be cancelled is so when it has done what it called, wherever drivers wait.
TEST(Plugins, CancelNoThreadInACallOfADevice) {
  EXPECT_EQ(in_child([] {
              static bool done = false;
              pthread_t thread;
              pthread_create(
                  &thread, nullptr,
                  [](void*) -> void* {
                    pthread_cancel(pthread_self());
                    double x = 1;
                    {
                      const Queue queue("queues"), adopted("queues", &x);
                      DeviceMemory memory(queue, sizeof x);
                      memory.write(&x, sizeof x);
                      memory.read(&x, sizeof x);
                      Call call = parse_call("dtrsv n=1");
                      call.a = call.b = &x;
                      workspace_bytes(call, queue);
                      execute(call, {}, queue);
                      queue.finish();
                    }
                    done = true;
                    pthread_testcancel();
                    return nullptr;
                  },
                  nullptr);
              void* result = nullptr;
              pthread_join(thread, &result);
              return done && result == PTHREAD_CANCELED ? 0 : 1;
            }),
            0);
}

/// A small call of every operation; the first failure in words.
std::string judged() {
  for (const Operation op : all_operations()) {
    Case c{variants(op, Precision::ComplexDouble).back()};
    set_sizes(c.call, 17, 5, 4);
    c.call.beta = 0.5;
    const Outcome outcome = run_case([](const Call& call) { execute(call); }, c);
    if (!outcome.ok()) return outcome.words;
  }
  return {};
}

TEST(Plugins, DISABLED_CarryCallsOut) {
  EXPECT_EQ(judged(), "");
  Call call = variants(Operation::Trsm, Precision::Double).front();
  call.m = call.n = call.lda = call.ldb = 5;
  EXPECT_EQ(explain(call).backend, std::getenv("TRIGON_BACKEND"));
}

TEST(Plugins, DISABLED_LeaveTheChildToTheCpu) {
  const Call call = parse_call("dtrsm m=5 n=5");
  EXPECT_EQ(explain(call).backend, "loops");
  const pid_t child = fork();
  if (child == 0) _exit(explain(call).backend == "cpu" && judged().empty() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(explain(call).backend, "loops");
}

TEST(Plugins, DISABLED_AskTogether) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([] {
      EXPECT_EQ(info("forks").detail, "its driver forked");
      EXPECT_TRUE(info("loops").available);
    });
  for (std::thread& t : threads) t.join();
}

/// A child of a process whose backend is not there has none either.
TEST(Plugins, DISABLED_LeaveAnUnavailableBackendSo) {
  const auto refused = [] {
    try {
      explain(parse_call("dtrsm m=5 n=5"));
      return false;
    } catch (const backend_error&) {
      return true;
    }
  };
  EXPECT_TRUE(refused());
  const pid_t child = fork();
  if (child == 0) _exit(refused() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

/// What lies where a relative path to the library leads later on is not opened.
TEST(Plugins, DISABLED_AreNotSoughtInTheWorkingDirectory) {
  ASSERT_EQ(chdir("/"), 0);
  EXPECT_TRUE(info("loops").available);
}

TEST(Plugins, AreSoughtWhereTheLibraryWasLoadedFrom) {
  const std::string folder = std::getenv("LD_LIBRARY_PATH");
  ASSERT_EQ(chdir(folder.c_str()), 0);
  const Finished done =
      run_program(sibling("plugins_test"),
                  {"--gtest_also_run_disabled_tests", "--gtest_filter=*DISABLED_AreNotSoughtInTheWorkingDirectory"},
                  {{"LD_LIBRARY_PATH", "."}});
  EXPECT_EQ(done.exit_code, 0) << done.output;
  expect_says(done.output, "PASSED  ] 1 test");
}

TEST(Plugins, LeaveAnUnavailableBackendSo) {
  const Finished done = again("DISABLED_LeaveAnUnavailableBackendSo", "absent");
  EXPECT_EQ(done.exit_code, 0) << done.output;
  expect_says(done.output, "PASSED  ] 1 test");
}

TEST(Plugins, CarryCallsOut) {
  for (const char* name : {"cpu", "loops"}) {
    const Finished done = again("DISABLED_CarryCallsOut", name);
    EXPECT_EQ(done.exit_code, 0) << done.output;
    expect_says(done.output, "PASSED  ] 1 test");
  }
}

TEST(Plugins, LeaveTheChildToTheCpu) {
  const Finished done = again("DISABLED_LeaveTheChildToTheCpu", "loops");
  EXPECT_EQ(done.exit_code, 0) << done.output;
  expect_says(done.output, "PASSED  ] 1 test");
}

TEST(Plugins, ThatCannotBeUsedSayWhy) {
  const std::pair<const char*, const char*> reasons[] = {{"absent", "not available, because it is not there"},
                                                         {"alien", "is no plug-in"},
                                                         {"old", "another version"},
                                                         {"cuda3000", "there is no "},
                                                         {"../lib/x", "no such backend"},
                                                         {"nested/loops", "no such backend"}};
  for (const auto& [name, words] : reasons) {
    const Finished done = again("DISABLED_CarryCallsOut", name);
    EXPECT_EQ(done.exit_code, 1) << name;
    expect_says(done.output, std::string("TRIGON_BACKEND=") + name);
    expect_says(done.output, words);
  }
}

}  // namespace
}  // namespace trigon::test
