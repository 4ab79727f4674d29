// The CUDA backend over the CPU shim, through the C++ doors: host-resident calls, device-resident ones, and errors.
#include "cuda/shim/stream.hpp"
#include "support/child.hpp"
#include "support/harness.hpp"
#include "support/variants.hpp"

#include <trigon/device.hpp>
#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <thread>

namespace trigon::test {
namespace {

const Queue& queue() {
  static const Queue q("cuda_shim");
  return q;
}

/// The operands' own memory is the shim's device memory.
void run_resident(const Call& call) {
  execute(call, {}, queue());
  queue().finish();
}

TEST(CudaBackend, IsListed) {
  for (const BackendInfo& b : backends())
    if (b.name == "cuda_shim") {
      EXPECT_TRUE(b.available) << b.detail;
      EXPECT_EQ(b.devices.size(), 1u);
      return;
    }
  FAIL() << "cuda_shim is not listed";
}

TEST(CudaBackend, DeviceResidentCallsAreRight) {
  std::mt19937_64 random(5);
  for (const Operation op : all_operations())
    for (const Precision p : all_precisions)
      for (const Call& variant : variants(op, p)) {
        Case c{variant};
        set_sizes(c.call, 1 + static_cast<index>(random() % 150), 1 + static_cast<index>(random() % 40), 20);
        c.call.alpha = -0.5, c.call.beta = random() % 2 ? 0.75 : 0;
        c.call.incx = random() % 2 ? -2 : 1;
        c.operands.seed = random();
        c.sample = {4, random()};
        if (random() % 4 != 0) continue;
        const Outcome outcome = run_case(run_resident, c);
        ASSERT_TRUE(outcome.ok()) << outcome.failure << ": " << outcome.words;
      }
}

TEST(CudaBackend, OffsetsCountElements) {
  const index n = 40, rhs = 3, skip_a = 7, skip_b = 5;
  std::vector<double> a(static_cast<std::size_t>(skip_a + n * n), 0.01),
      b(static_cast<std::size_t>(skip_b + n * rhs), 1);
  for (index i = 0; i < n; ++i) a[static_cast<std::size_t>(skip_a + i + i * n)] = 2;
  std::vector<double> expected(b);
  trsm(Layout::ColMajor, Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, n, rhs, 1.0, a.data() + skip_a, n,
       expected.data() + skip_b, n);
  trsm<double>(Layout::ColMajor, Side::Left, Uplo::Lower, Op::NoTrans, Diag::NonUnit, n, rhs, 1.0, {a.data(), skip_a},
               n, {b.data(), skip_b}, n, queue());
  queue().finish();
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(b[i], expected[i], 1e-14) << i;
}

TEST(CudaBackend, HasMemoryForProgramsWithoutADriversInterface) {
  const double sent[] = {1, 2, 3, 4};
  double back[] = {0, 0, 0, 0};
  DeviceMemory memory(queue(), sizeof sent), nothing(queue(), 0);
  EXPECT_NE(memory.handle(), nullptr);
  EXPECT_NE(nothing.handle(), nullptr);
  nothing.write(sent, 0);
  memory.write(sent, sizeof sent);
  memory.write(sent, 2 * sizeof(double), 2 * sizeof(double));
  memory.read(back, 3 * sizeof(double), sizeof(double));
  EXPECT_EQ(std::vector(back, back + 4), (std::vector{2.0, 1.0, 2.0, 0.0}));
  EXPECT_THROW(DeviceMemory(queue(), std::size_t{1} << 60), out_of_memory);

  simt::NativeStream stream{.capturing = true};
  const Queue captured("cuda_shim", &stream);
  try {
    const DeviceMemory none(captured, 8);
    ADD_FAILURE() << "memory was made";
  } catch (const out_of_memory&) {
    ADD_FAILURE() << "more memory would not cure it";
  } catch (const backend_error&) {
  }
  stream.capturing = false;
  DeviceMemory there(captured, 8);
  there.write(sent, 8);
  EXPECT_EQ(stream.copies, 0) << "the copy is done on return";
  stream.capturing = true;
  EXPECT_THROW(there.write(sent, 8), backend_error);
  EXPECT_THROW(there.read(back, 8), backend_error);
}

TEST(CudaBackend, TakesTheCallersWorkspaceOrRefusesIt) {
  Operands o(parse_call("dtrsv n=200"));
  const std::size_t bytes = workspace_bytes(o.call(), queue());
  ASSERT_GT(bytes, 0u);
  std::vector<std::byte> memory(bytes);
  Submission on(queue());
  on.workspace = memory.data(), on.workspace_bytes = bytes - 1;
  EXPECT_THROW(execute(o.call(), {}, on), backend_error);
  EXPECT_EQ(o.intrusion(), "");
  on.workspace_bytes = bytes;
  execute(o.call(), {}, on);
  queue().finish();
  EXPECT_TRUE(o.verify().ok());
}

/// Refused before an event is waited for, and with a reason.
TEST(CudaBackend, ChecksAddressesFirst) {
  simt::NativeStream stream;
  const Queue own("cuda_shim", &stream);
  Operands o(parse_call("dtrsv n=200"));
  const std::size_t bytes = workspace_bytes(o.call(), own);
  std::vector<int> memory(bytes / sizeof(int) + 1);
  void* const event = nullptr;
  const auto words_of = [&](void* workspace, const void* unknown) -> std::string {
    Submission on(own, {&event, 1});
    on.workspace = workspace, on.workspace_bytes = bytes;
    stream.unknown = unknown;
    try {
      execute(o.call(), {}, on);
    } catch (const backend_error& e) {
      return e.what();
    }
    return {};
  };
  EXPECT_NE(words_of(memory.data(), memory.data()).find("the workspace: an address"), std::string::npos);
  EXPECT_NE(words_of(reinterpret_cast<std::byte*>(memory.data()) + 1, nullptr).find("no multiple of 4"),
            std::string::npos);
  EXPECT_NE(words_of(memory.data(), o.call().a).find("A: an address"), std::string::npos);
  EXPECT_NE(words_of(memory.data(), o.result()).find("B: an address"), std::string::npos);
  EXPECT_EQ(stream.events, 0);
  EXPECT_EQ(o.intrusion(), "");
  EXPECT_EQ(words_of(memory.data(), nullptr), "");
  EXPECT_EQ(stream.events, 1);
  EXPECT_TRUE(o.verify().ok());
}

/// Whatever the path; and nothing is waited for or allocated.
TEST(CudaBackend, WorksBetweenItsWaitListAndItsEvent) {
  simt::NativeStream stream;
  const Queue own("cuda_shim", &stream);
  for (const char* text : {"dtrsv n=200", "strmv n=90", "dtrsm m=300 n=100", "ztrmm m=300 n=100", "dtrsm m=300 n=5",
                           "dgemm m=70 n=60 k=50", "csyrk n=70 k=30", "dgemm m=5 n=5 k=0 beta=2", "dtrmm m=0 n=3"}) {
    Operands o(parse_call(text));
    std::vector<std::byte> memory(workspace_bytes(o.call(), own));
    void* events[2] = {};
    void* event = &event;
    Submission on(own, events, &event);
    on.workspace = memory.data(), on.workspace_bytes = memory.size();
    stream.log.clear();
    execute(o.call(), {}, on);
    std::vector<std::string> work = stream.log;
    ASSERT_GE(work.size(), 3u) << text;
    EXPECT_EQ(std::vector(work.begin(), work.begin() + 2), std::vector<std::string>(2, "event")) << text;
    EXPECT_EQ(work.back(), "record") << text;
    EXPECT_EQ(event, nullptr) << text << ": it is the shim's";
    work.pop_back(), work.erase(work.begin(), work.begin() + 2);
    EXPECT_EQ(work.empty(), std::string(text) == "dtrmm m=0 n=3") << text;
    for (const std::string& word : work) EXPECT_TRUE(word == "launch" || word == "clear") << text << ": " << word;
    EXPECT_TRUE(o.verify().ok()) << text;
  }
}

/// What is asked for covers smaller calls; this very call takes no more than it uses.
TEST(CudaBackend, WideCallsNeedNoWorkspace) {
  const Operands narrower(parse_call("dtrsm m=100 n=64"));
  Operands o(parse_call("dtrsm m=100 n=65"));
  EXPECT_EQ(workspace_bytes(o.call(), queue()), workspace_bytes(narrower.call(), queue()));
  EXPECT_GT(workspace_bytes(o.call(), queue()), sizeof(int));
  std::vector<int> memory(1);
  Submission on(queue());
  on.workspace = memory.data(), on.workspace_bytes = sizeof(int);
  EXPECT_NO_THROW(execute(o.call(), {}, on));
  queue().finish();
  EXPECT_TRUE(o.verify().ok());
}

/// Asked for with the call; its workspace is the caller's or the queue's.
TEST(CudaBackend, InvertsDiagonalTilesOnRequest) {
  Operands exact(parse_call("dtrsm m=150 n=70")), inverted(parse_call("dtrsm m=150 n=70"));
  execute(exact.call(), {}, queue());
  const std::size_t bytes = workspace_bytes(inverted.call(), queue(), Solve::Inverted);
  EXPECT_EQ(bytes, 5u * 32 * 32 * sizeof(double));
  std::vector<double> memory(bytes / sizeof(double) + 1);
  Submission on(queue());
  on.solve = Solve::Inverted;
  on.workspace = reinterpret_cast<std::byte*>(memory.data()) + sizeof(int), on.workspace_bytes = bytes;
  EXPECT_THROW(execute(inverted.call(), {}, on), backend_error) << "no multiple of 8";
  EXPECT_EQ(inverted.intrusion(), "");
  on.workspace = memory.data();
  execute(inverted.call(), {}, on);
  queue().finish();
  EXPECT_TRUE(exact.verify().ok());
  EXPECT_TRUE(inverted.verify().ok());
  EXPECT_NE(std::memcmp(exact.result(), inverted.result(), 150 * sizeof(double)), 0);
  std::vector<std::byte> first(150 * sizeof(double));
  std::memcpy(first.data(), inverted.result(), first.size());
  inverted.restore();
  on.workspace = nullptr;
  execute(inverted.call(), {}, on);
  queue().finish();
  EXPECT_EQ(std::memcmp(first.data(), inverted.result(), first.size()), 0);
}

/// A complex number is aligned as its parts are, in a workspace as in an operand.
TEST(CudaBackend, TakesAComplexWorkspaceAlignedToItsParts) {
  Operands o(parse_call("ztrsm m=70 n=100"));
  Submission on(queue());
  on.solve = Solve::Inverted;
  on.workspace_bytes = workspace_bytes(o.call(), queue(), Solve::Inverted);
  std::vector<std::max_align_t> memory(on.workspace_bytes / sizeof(std::max_align_t) + 2);
  on.workspace = reinterpret_cast<std::byte*>(memory.data()) + sizeof(double);
  execute(o.call(), {}, on);
  queue().finish();
  EXPECT_TRUE(o.verify().ok());
}

TEST(CudaBackend, RefusesTheStreamPerThread) {
  try {
    Queue("cuda_shim", reinterpret_cast<void*>(2));
    FAIL() << "cudaStreamPerThread became a queue";
  } catch (const backend_error& e) {
    EXPECT_NE(std::string(e.what()).find("another one in every thread"), std::string::npos) << e.what();
  }
}

/// A graph would keep the address of the queue's own workspace.
TEST(CudaBackend, CapturedCallsTakeTheCallersWorkspace) {
  simt::NativeStream stream{.capturing = true};
  const Queue captured("cuda_shim", &stream);
  EXPECT_EQ(captured.native(), &stream);
  Operands o(parse_call("dtrsv n=200"));
  std::vector<std::byte> memory(workspace_bytes(o.call(), captured));
  Submission on(captured);
  EXPECT_THROW(execute(o.call(), {}, on), backend_error);
  on.workspace = memory.data(), on.workspace_bytes = memory.size();
  EXPECT_NO_THROW(execute(o.call(), {}, on));
  EXPECT_TRUE(o.verify().ok());
  Operands product(parse_call("dgemm m=40 n=40 k=40"));
  EXPECT_NO_THROW(execute(product.call(), {}, captured));
  EXPECT_TRUE(product.verify().ok());
}

/// Who waits for an event of a stream that is captured is captured as well, from then on.
TEST(CudaBackend, CallsThatAWaitMakesCapturedTakeTheCallersWorkspace) {
  simt::NativeStream stream;
  const Queue forked("cuda_shim", &stream);
  Operands o(parse_call("dtrsv n=200"));
  execute(o.call(), {}, forked);  // the queue has workspace of its own
  o.restore();
  void* event = &event;
  stream.captured = event;
  Submission on(forked, {&event, 1});
  EXPECT_THROW(execute(o.call(), {}, on), backend_error);
  EXPECT_EQ(o.intrusion(), "");
  std::vector<std::byte> memory(workspace_bytes(o.call(), forked));
  on.workspace = memory.data(), on.workspace_bytes = memory.size();
  stream.capturing = false;
  EXPECT_NO_THROW(execute(o.call(), {}, on));
  EXPECT_TRUE(stream.capturing);
  EXPECT_TRUE(o.verify().ok());
}

/// The stream would refuse to wait, and its capture would be lost.
TEST(CudaBackend, IsNotFinishedWhileItIsCaptured) {
  simt::NativeStream stream{.capturing = true};
  const Queue captured("cuda_shim", &stream);
  try {
    captured.finish();
    ADD_FAILURE() << "it waited";
  } catch (const backend_error& e) {
    EXPECT_NE(std::string(e.what()).find("the stream is being captured"), std::string::npos) << e.what();
  }
  stream.capturing = false;
  EXPECT_NO_THROW(captured.finish());
}

TEST(CudaBackend, DISABLED_HostCallsBeyondMemory) {
  double entry = 7;
  Call call = parse_call("dgemm m=268435456 n=268435456 k=268435456");
  call.a = call.b = call.c = &entry;  // nothing is read before there is memory for all of it
  EXPECT_THROW(execute(call), out_of_memory);
  call.m = call.n = call.lda = call.ldc = 4, call.k = call.ldb = index{1} << 62;  // 4 k is 0 in 64 bits
  EXPECT_THROW(execute(call), out_of_memory);
  EXPECT_EQ(entry, 7);
  Operands o(parse_call("dtrsm m=40 n=5"));
  execute(o.call());
  EXPECT_TRUE(o.verify().ok());
}

TEST(CudaBackend, SurvivesHostCallsBeyondMemory) {
  const Finished done =
      run_program(sibling("cuda_backend_test"),
                  {"--gtest_also_run_disabled_tests", "--gtest_filter=*.DISABLED_HostCallsBeyondMemory"},
                  {{"TRIGON_BACKEND", "cuda_shim"}});
  EXPECT_EQ(done.exit_code, 0) << done.output;
  EXPECT_NE(done.output.find("PASSED  ] 1 test"), std::string::npos) << done.output;
}

/// Panels and products, few right-hand sides in the queue's workspace, an event, and memory.
void computes_on(const Queue& queue) {
  for (const char* text : {"dtrsm m=300 n=100", "dtrsv n=200"}) {
    Operands o(parse_call(text));
    void* event = nullptr;
    execute(o.call(), {}, {queue, {}, &event});
    queue.finish();
    EXPECT_TRUE(o.verify().ok()) << text;
  }
  const double sent = 3;
  double back = 0;
  DeviceMemory memory(queue, sizeof sent);
  memory.write(&sent, sizeof sent);
  memory.read(&back, sizeof back);
  EXPECT_EQ(back, sent);
}

TEST(CudaBackend, DISABLED_OfSeveralDevices) {
  for (const BackendInfo& b : backends())
    if (b.name == "cuda_shim") {
      EXPECT_TRUE(b.available) << b.detail;
      EXPECT_NE(b.detail.find("New"), std::string::npos) << b.detail;
      EXPECT_EQ(b.devices.size(), 3u);
    }
  const auto why_no_queue = [](const char* name) -> std::string {
    try {
      const Queue q(name);
      return "";
    } catch (const backend_error& e) {
      return e.what();
    }
  };
  EXPECT_NE(why_no_queue("cuda_shim:0").find("Old GPU! cannot be used: too old"), std::string::npos);
  EXPECT_NE(why_no_queue("cuda_shim:Old").find("too old"), std::string::npos);
  for (const char* name : {"cuda_shim", "cuda_shim:1", "cuda_shim:GPU"}) EXPECT_EQ(why_no_queue(name), "") << name;
  const auto host_call = [] {
    Operands o(parse_call("dtrsm m=40 n=5"));
    execute(o.call());
    EXPECT_TRUE(o.verify().ok());
  };
  host_call();
  Operands timed(parse_call("dtrsm m=300 n=100"));
  EXPECT_FALSE(execute_timed(timed.call()).empty());
  EXPECT_TRUE(timed.verify().ok());
  // Each thread has a device of its own, which is neither queue's.
  const Queue one("cuda_shim:1");
  computes_on(one);
  std::thread([&] {
    const Queue other("cuda_shim:2");
    for (const Queue& queue : {other, one, other}) computes_on(queue);
    host_call();
  }).join();
  computes_on(one);
}

std::string test_of_devices(const char* name, const char* devices,
                            std::map<std::string, std::string> environment = {}) {
  environment["TRIGON_SHIM_DEVICES"] = devices;
  const Finished done =
      run_program(sibling("cuda_backend_test"),
                  {"--gtest_also_run_disabled_tests", std::string("--gtest_filter=*.DISABLED_") + name}, environment);
  const bool passed = done.exit_code == 0 && done.output.find("PASSED  ] 1 test") != std::string::npos;
  return passed ? "" : done.output;
}

TEST(CudaBackend, TakesTheFirstDeviceThatCanBeUsed) {
  const char* const devices = "Old GPU!|New GPU|Other GPU";
  EXPECT_EQ(test_of_devices("OfSeveralDevices", devices, {{"TRIGON_BACKEND", "cuda_shim"}}), "");
  EXPECT_EQ(test_of_devices("OfSeveralDevices", devices,
                            {{"TRIGON_BACKEND", "cuda_shim"}, {"TRIGON_PROVIDER", FAKE_CUBLAS "/libcublas.so.13"}}),
            "");
}

TEST(CudaBackend, DISABLED_AQueueOfTheFirstDevice) { computes_on(Queue("cuda_shim:0")); }
TEST(CudaBackend, DISABLED_AQueueOfTheSecondDevice) { computes_on(Queue("cuda_shim:1")); }
TEST(CudaBackend, DISABLED_AStreamOfTheSecondDevice) {
  simt::NativeStream stream{.device = 1};
  computes_on(Queue("cuda_shim", &stream));
}
TEST(CudaBackend, DISABLED_AHostCall) {
  Operands o(parse_call("dtrsm m=300 n=100"));
  execute(o.call());
  EXPECT_TRUE(o.verify().ok());
}

/// A device that is opened has less memory, and may be refused to others.
TEST(CudaBackend, OpensNoDeviceButTheOneInUse) {
  const char* const devices = "Somebody's GPU?|New GPU";
  EXPECT_NE(test_of_devices("AQueueOfTheFirstDevice", devices).find("Somebody's GPU? was opened"), std::string::npos);
  EXPECT_EQ(test_of_devices("AQueueOfTheSecondDevice", devices), "");
  EXPECT_EQ(test_of_devices("AStreamOfTheSecondDevice", devices), "");
  EXPECT_EQ(test_of_devices("AHostCall", devices, {{"TRIGON_BACKEND", "cuda_shim"}, {"TRIGON_DEVICE", "1"}}), "");
  // Where the table says that cuBLAS is faster, it is tried on the queue's device.
  const char* const folders = std::getenv("LD_LIBRARY_PATH");
  const std::map<std::string, std::string> faster{
      {"TRIGON_TUNING", CUBLAS_TUNING}, {"LD_LIBRARY_PATH", std::string(folders ? folders : "") + ":" FAKE_CUBLAS}};
  EXPECT_EQ(test_of_devices("AQueueOfTheSecondDevice", devices, faster), "");
  EXPECT_EQ(test_of_devices("AStreamOfTheSecondDevice", devices, faster), "");
}

TEST(CudaBackend, DISABLED_OfABusyDevice) {
  const std::string why = "Busy GPU~ cannot be used: another process has it";
  for (const BackendInfo& b : backends())
    if (b.name == "cuda_shim") {
      EXPECT_FALSE(b.available);
      EXPECT_EQ(b.detail, why);
    }
  for (const auto& use : {std::function<void()>([] { Queue("cuda_shim"); }), {[] { explain(parse_call("dtrsv")); }}}) {
    try {
      use();
      ADD_FAILURE() << "it is used";
    } catch (const backend_error& e) {
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
      EXPECT_EQ(std::string(e.what()).find("TRIGON_DEVICE"), std::string::npos) << e.what();
    }
  }
}

/// That turns out when it is opened.
TEST(CudaBackend, SaysThatAnotherProcessHasItsOnlyDevice) {
  EXPECT_EQ(test_of_devices("OfABusyDevice", "Busy GPU~", {{"TRIGON_BACKEND", "cuda_shim"}}), "");
  EXPECT_EQ(test_of_devices("AHostCall", "Busy GPU~|New GPU", {{"TRIGON_BACKEND", "cuda_shim"}}), "");
}

/// A kernel would find out, and be the last one of the process.
TEST(CudaBackend, RefusesAddressesBetweenElements) {
  std::vector<double> a(30, 1), b(30, 1);
  Call c = parse_call("dtrmm m=4 n=3");
  c.lda = c.ldb = 5;
  c.a = reinterpret_cast<const char*>(a.data()) + 4, c.b = b.data();
  EXPECT_THROW(execute(c, {}, queue()), backend_error);
  c.a = a.data() + 1;
  EXPECT_NO_THROW(execute(c, {}, queue()));
  queue().finish();
}

TEST(CudaBackend, NamesWhatItHasNot) {
  EXPECT_THROW(Queue("cuda_shim:1"), backend_error);
  EXPECT_THROW(Queue("cuda_shim:H200"), backend_error);
  EXPECT_NO_THROW(Queue("cuda_shim:shim"));
  EXPECT_THROW(execute(parse_call("dtrsm m=-1 n=2"), {}, queue()), argument_error);
}

}  // namespace
}  // namespace trigon::test
