// What a device cannot do: said in words, and nothing is written. Devices that nobody here has are made of the first
// one.
#include "core/canonical.hpp"
#include "opencl/execute.hpp"
#include "opencl/host.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

namespace {
std::size_t memory_is_out_from = 0;
}

/// In front of the loader's: PoCL itself ends in an assertion where the machine has no more memory.
extern "C" cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* error) {
  static const auto real = reinterpret_cast<decltype(&clCreateBuffer)>(dlsym(RTLD_NEXT, "clCreateBuffer"));
  if (memory_is_out_from == 0 || size < memory_is_out_from) return real(context, flags, size, host, error);
  *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return nullptr;
}

namespace trigon::opencl {
namespace {

class Refusals : public testing::Test {
 protected:
  static constexpr index order = 40;

  void SetUp() override {
    environment_.cache = "/dev/null/none";
    host() = new core::Host{core::plugin_abi, environment_, tuning_};
    ASSERT_FALSE(devices().empty());
    device_ = *devices().front();
  }

  /// What the call says on the device as it has been made; fails where B is not what it was.
  std::string outcome(const std::string& text, core::Status expected) {
    Failure failure;
    const std::unique_ptr<Lane> lane = Lane::create(device_, failure);
    if (!lane) return failure.words;
    cl_int error = CL_SUCCESS;
    const std::vector<char> before(order * order * 16, 1);
    const cl_mem b = clCreateBuffer(lane->context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, before.size(),
                                    const_cast<char*>(before.data()), &error);
    const Call call = parse_call(text);
    memory_is_out_from = denied_;
    core::Request r = core::canonical(call);
    char words[4096] = "";
    r.a.handle = r.b.handle = r.c.handle = b;
    r.memory = core::Memory::Device, r.queue = lane.get(), r.message = {words, sizeof words};
    EXPECT_EQ(execute(r, plan(r)), expected) << text << ": " << words;
    memory_is_out_from = 0;
    std::vector<char> after(before.size());
    clEnqueueReadBuffer(lane->queue(), b, CL_TRUE, 0, after.size(), after.data(), 0, nullptr, nullptr);
    EXPECT_EQ(after == before, expected != core::Status::Success) << text;
    clReleaseMemObject(b);
    return words;
  }

  core::Environment environment_;
  core::Tuning tuning_;
  Device device_;
  std::size_t denied_ = 0;  ///< bytes from which on there is no memory for the call; 0: as there is
};

TEST_F(Refusals, OfDoublePrecisionWhereThereIsNone) {
  device_.has_double = false;
  for (const char* call : {"dtrsm m=40 n=40", "zgemm m=4 n=4 k=4", "dsyrk n=9 k=0", "ztrmv n=5"})
    EXPECT_EQ(outcome(call, core::Status::Unavailable), device_.name + " has no double precision");
  EXPECT_EQ(outcome("strmm m=40 n=40 alpha=2", core::Status::Success), "");
  EXPECT_EQ(outcome("cherk n=40 k=40 alpha=2", core::Status::Success), "");
}

/// What such a device compiles may not say "double" anywhere, nor have a literal of that type.
TEST(Sources, OfSinglePrecisionHaveNoDouble) {
  const std::regex comment("//[^\n]*"), literal(R"((^|[^\w.])(\d+\.\d*|\d*\.\d+|\d+[eE])([eE]?[-+]?\d+)?[^\w.])");
  for (int f = 0; f < family_count; ++f) {
    const std::string text = std::regex_replace(source(static_cast<Family>(f)), comment, "");
    std::smatch found;
    EXPECT_FALSE(std::regex_search(text, found, literal)) << "family " << f << ": " << found.str();
    EXPECT_FALSE(std::regex_search(text, std::regex(R"(\bdouble\d*\b)"))) << "family " << f;
  }
}

TEST_F(Refusals, OfATableThatDoesNotSuitTheDevice) {
  device_.settings[1].wrong = "opencl.tile_m.d 60 is no multiple of opencl.item_m 8";
  EXPECT_EQ(outcome("dgemm m=40 n=40 k=40", core::Status::Unavailable),
            "the tuning table (built-in defaults) does not suit " + device_.name + ": " + device_.settings[1].wrong);
  EXPECT_EQ(outcome("sgemm m=40 n=40 k=40", core::Status::Success), "") << "another precision's";
}

TEST_F(Refusals, OfACallForWhichThereIsNoMemory) {
  denied_ = 1;
  EXPECT_EQ(outcome("dtrsm m=40 n=40", core::Status::OutOfMemory),
            "counters: CL_MEM_OBJECT_ALLOCATION_FAILURE on " + device_.name);
  denied_ = Lane::counters_bytes + 1;
  EXPECT_EQ(outcome("dtrsm m=40 n=40", core::Status::OutOfMemory),
            "workspace: CL_MEM_OBJECT_ALLOCATION_FAILURE on " + device_.name);
  device_.settings[1].kernels = Kernels::Tiles;
  EXPECT_EQ(outcome("dtrsm m=40 n=40 diag=U alpha=2", core::Status::Success), "") << "takes none";
}

TEST_F(Refusals, OfAKernelThatDoesNotCompile) {
  device_.settings[1].shape.width = 5;  // there is no double5
  const std::string words = outcome("dtrsm m=40 n=40", core::Status::DeviceError);
  EXPECT_NE(words.find("cannot be built"), std::string::npos) << words;
  EXPECT_NE(words.find("CL_BUILD_PROGRAM_FAILURE"), std::string::npos) << words;
}

}  // namespace
}  // namespace trigon::opencl
