// libtrigon-cuda.so as nvcc made it, or libtrigon-hip.so as hipcc: it loads anywhere, says why it cannot be used, and
// computes where there is a GPU.
#include "support/child.hpp"

#include <trigon/device.hpp>
#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <fstream>

namespace trigon::test {
namespace {

const std::string name = TRIGON_DEVICE_NAME;

BackendInfo backend() {
  for (const BackendInfo& b : backends())
    if (b.name == name) return b;
  ADD_FAILURE() << name << " is not listed";
  return {};
}

bool mapped(const std::string& file) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(file) != std::string::npos) return true;
  return false;
}

TEST(DeviceLibrary, NeedsNeitherDriverNorCublas) {
  // Where it was built, or, on a machine that the programs were carried to, where libraries are looked for.
  const std::string built = TRIGON_DEVICE_LIBRARY, carried = "libtrigon-" + name + ".so";
  void* const library = dlopen((std::ifstream(built) ? built : carried).c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_NE(dlsym(library, "trigon_plugin"), nullptr);
  EXPECT_TRUE(mapped("libtrigon-" + name + ".so"));
  for (const char* other : {"libcuda.so", "libcudart.so", "libcublas"}) EXPECT_FALSE(mapped(other)) << other;
}

/// Where a cuBLAS is installed, it has what src/cuda/cublas.cpp looks up.
TEST(DeviceLibrary, KnowsTheNamesOfCublas) {
  void* library = nullptr;
  for (const char* file : {"libcublas.so.13", "/usr/local/cuda/lib64/libcublas.so.13", "libcublas.so.12"})
    if (!library) library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (!library) GTEST_SKIP() << dlerror();
  for (const char* symbol :
       {"cublasCreate_v2", "cublasDestroy_v2", "cublasSetStream_v2", "cublasSetWorkspace_v2", "cublasSetMathMode",
        "cublasSetAtomicsMode", "cublasSetPointerMode_v2", "cublasGetStatusString", "cublasSgemm_v2_64",
        "cublasDgemm_v2_64", "cublasCgemm_v2_64", "cublasZgemm_v2_64"})
    EXPECT_NE(dlsym(library, symbol), nullptr) << symbol;
}

TEST(DeviceLibrary, SaysWhatItSees) {
  const BackendInfo b = backend();
  EXPECT_FALSE(b.detail.empty());
  if (b.available) EXPECT_FALSE(b.devices.empty());
}

TEST(DeviceLibrary, SaysWhyItCannotBeUsed) {
  const BackendInfo b = backend();
  if (b.available) GTEST_SKIP() << b.detail;
  try {
    Queue(name + ":0");
    FAIL() << "a queue without a device";
  } catch (const backend_error& e) {
    EXPECT_NE(std::string(e.what()).find(b.detail), std::string::npos) << e.what();
  }
  const Finished refused = run_program(sibling("sweep_test"), {"--gtest_filter=*MeetsItsBound/dtrsv"},
                                       {{"TRIGON_BACKEND", name}, {"TRIGON_TEST_SWEEP", "10"}});
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_NE(refused.output.find("TRIGON_BACKEND=" + name + ": not available, because " + b.detail), std::string::npos)
      << refused.output;
}

TEST(DeviceLibrary, ComputesWhereThereIsADevice) {
  const BackendInfo b = backend();
  if (!b.available) GTEST_SKIP() << b.detail;
  for (const char* suite : {"sweep_test", "numerics_test"}) {
    // What is about the CPU is left out.
    const Finished done = run_program(sibling(suite), {"--gtest_filter=-*Large*:*Control*"},
                                      {{"TRIGON_BACKEND", name}, {"TRIGON_TEST_SWEEP", "40"}});
    EXPECT_EQ(done.exit_code, 0) << done.output;
  }
}

}  // namespace
}  // namespace trigon::test
