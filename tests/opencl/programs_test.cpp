// The plug-in from inside: the cache of programs, kernels that cannot be built, operands that fill the workspace twice.
#include "opencl/backend.hpp"
#include "opencl/cache.hpp"
#include "opencl/host.hpp"
#include "opencl/keeper.hpp"
#include "opencl/lane.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace {
/// Another device, which programs seem to have before their own.
std::atomic<cl_device_id> device_before = nullptr;
}  // namespace

/// In front of the loader's: PoCL itself takes room for one answer where OpenCL demands room for all.
extern "C" cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void* value, size_t* needed) {
  static const auto real = reinterpret_cast<decltype(&clGetProgramInfo)>(dlsym(RTLD_NEXT, "clGetProgramInfo"));
  const bool of_each = what == CL_PROGRAM_DEVICES || what == CL_PROGRAM_BINARY_SIZES || what == CL_PROGRAM_BINARIES;
  if (!device_before || (!of_each && what != CL_PROGRAM_NUM_DEVICES)) return real(program, what, size, value, needed);
  if (what == CL_PROGRAM_NUM_DEVICES) return *static_cast<cl_uint*>(value) = 2, CL_SUCCESS;
  if (size < 2 * sizeof(void*)) return CL_INVALID_VALUE;
  if (what == CL_PROGRAM_DEVICES) *static_cast<cl_device_id*>(value) = device_before;
  if (what == CL_PROGRAM_BINARY_SIZES) *static_cast<size_t*>(value) = 0;
  return real(program, what, sizeof(void*), static_cast<void**>(value) + 1, nullptr);
}

namespace trigon::opencl {
namespace {

namespace fs = std::filesystem;

class Cache : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("trigon-cache-" + std::to_string(getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path only_file() const {
    for (const auto& entry : fs::directory_iterator(folder_)) return entry.path();
    return {};
  }
  static std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }
  static void overwrite(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }

  fs::path folder_;
  const std::string key_ = "device\noptions\nsource", binary_ = std::string("\0binary\n\xff", 9);
};

TEST_F(Cache, KeepsWhatItIsGiven) {
  EXPECT_EQ(cache::read(folder_, key_), "");
  cache::write(folder_, key_, binary_);
  EXPECT_EQ(cache::read(folder_, key_), binary_);
  EXPECT_EQ(cache::read(folder_, key_ + "2"), "");
  cache::write(folder_, key_, "other");
  EXPECT_EQ(cache::read(folder_, key_), "other");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << "a draft was left";
}

TEST_F(Cache, IgnoresWhatIsDamaged) {
  cache::write(folder_, key_, binary_);
  const fs::path file = only_file();
  const std::string good = contents(file);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] ^= 1;
    overwrite(file, bad);
    EXPECT_EQ(cache::read(folder_, key_), "") << "byte " << i;
    overwrite(file, good.substr(0, i));
    EXPECT_EQ(cache::read(folder_, key_), "") << i << " bytes";
  }
  overwrite(file, good + "x");
  EXPECT_EQ(cache::read(folder_, key_), "");
  overwrite(file, good);
  EXPECT_EQ(cache::read(folder_, key_), binary_);
}

/// Somebody else's: in a folder that two containers share, processes have the same id.
TEST_F(Cache, LeavesOtherDraftsAlone) {
  cache::write(folder_, key_, binary_);
  const fs::path file = only_file();
  const auto draft = [&](int i) { return file.string() + "." + std::to_string(getpid()) + "." + std::to_string(i); };
  for (int i = 0; i < 500; ++i) overwrite(draft(i), "half of it");
  cache::write(folder_, key_, "other");
  for (int i = 0; i < 500; ++i) ASSERT_EQ(contents(draft(i)), "half of it") << i;
  EXPECT_EQ(cache::read(folder_, key_), "other");
}

TEST_F(Cache, FollowsNoLinkAndWaitsForNoPipe) {
  cache::write(folder_, key_, binary_);
  const fs::path file = only_file(), other = folder_ / "somebody's";
  overwrite(other, "precious");
  fs::remove(file);
  fs::create_symlink(other, file);
  cache::write(folder_, key_, "what follows");
  EXPECT_EQ(contents(other), "precious");
  EXPECT_EQ(cache::read(folder_, key_), "what follows");
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_EQ(cache::read(folder_, key_), "");
}

TEST_F(Cache, DoesWithoutAFolder) {
  for (const fs::path& nowhere : {fs::path("/dev/null/trigon"), fs::path()}) {
    cache::write(nowhere, key_, binary_);
    EXPECT_EQ(cache::read(nowhere, key_), "");
  }
  EXPECT_EQ(cache::folder("/chosen"), "/chosen");
}

class Building : public Cache {
 protected:
  void SetUp() override {
    Cache::SetUp();
    environment_.cache = folder_;
    host() = new core::Host{core::plugin_abi, environment_, tuning_};
    ASSERT_FALSE(devices().empty());
    Failure failure;
    lane_ = Lane::create(*devices().front(), failure);
    ASSERT_TRUE(lane_) << failure.words;
    device_ = lane_->device();
    device_.key = "a device whose programs are kept";
  }

  core::Environment environment_;
  core::Tuning tuning_;
  Device device_;
  std::unique_ptr<Lane> lane_;
};

TEST_F(Building, OfABadKernelFailsInWords) {
  Device broken = lane_->device();
  broken.settings[1].shape.width = 5;  // there is no double5
  Programs programs(lane_->context(), broken, folder_);
  Failure failure;
  EXPECT_EQ(programs.get(Family::Scale, Precision::Double, failure), nullptr);
  EXPECT_NE(failure.words.find("CL_BUILD_PROGRAM_FAILURE"), std::string::npos) << failure.words;
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(Building, FillsTheCacheInTheBackgroundAndReadsIt) {
  fs::create_directories(folder_);
  Failure failure;
  Programs first(lane_->context(), device_, folder_);
  ASSERT_NE(first.get(Family::Scale, Precision::Single, failure), nullptr) << failure.words;
  for (int i = 0; i < 300 && only_file().extension() != ".clbin"; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const fs::path file = only_file();
  ASSERT_EQ(file.extension(), ".clbin");
  // From what was kept, and from source because that is damaged.
  for (int round = 0; round < 2; ++round) {
    Programs again(lane_->context(), device_, folder_);
    const cl_program program = again.get(Family::Scale, Precision::Single, failure);
    ASSERT_NE(program, nullptr) << failure.words;
    cl_int error = CL_SUCCESS;
    const cl_kernel kernel = clCreateKernel(program, "scale", &error);
    EXPECT_EQ(error, CL_SUCCESS);
    clReleaseKernel(kernel);
    overwrite(file, "nonsense");
  }
}

/// A program of a context with two devices has a binary of each.
TEST_F(Building, KeepsTheBinaryOfItsOwnDevice) {
  fs::create_directories(folder_);
  Failure failure;
  Programs programs(lane_->context(), device_, folder_);
  device_before = reinterpret_cast<cl_device_id>(&failure);
  EXPECT_NE(programs.get(Family::Scale, Precision::ComplexDouble, failure), nullptr) << failure.words;
  std::string kept;
  for (int i = 0; i < 100 && kept.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    kept = cache::read(folder_, programs.key(Family::Scale, Precision::ComplexDouble));
  }
  device_before = nullptr;
  EXPECT_EQ(kept.substr(0, 4), "pocl");
}

TEST_F(Building, LeavesAChildThatEndsAlone) {
  Failure failure;
  Programs programs(lane_->context(), device_, folder_);
  ASSERT_NE(programs.get(Family::Scale, Precision::ComplexSingle, failure), nullptr)
      << failure.words;  // the keeper's thread runs
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    std::exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

/// The file is whole, and its contents are no program.
TEST_F(Building, IgnoresABinaryThatTheDriverRefuses) {
  const std::string first = [&] {
    Programs programs(lane_->context(), device_, folder_);
    return programs.key(Family::Scale, Precision::Double);
  }();
  cache::write(folder_, first, "no program at all");
  Programs programs(lane_->context(), device_, folder_);
  Failure failure;
  EXPECT_NE(programs.get(Family::Scale, Precision::Double, failure), nullptr) << failure.words;
}

/// Operands in one buffer: A, B and C of at most 1200 × 1200, one behind the other.
class Parts : public Building {
 protected:
  static constexpr index side = 1200, enough = index{1} << 28, little = index{1} << 22;

  static std::vector<double> numbers() {
    std::vector<double> values(3 * side * side);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 7919 % 1013) / 1013 - 0.5;
    for (index i = 0; i < side; ++i) values[static_cast<std::size_t>(i * (side + 1))] = 60;
    return values;
  }

  /// What comes is as on another device.
  template <class Change>
  void on(Change&& change) {
    Device other = *devices().front();
    change(other);
    Failure failure;
    lane_ = Lane::create(other, failure);
    ASSERT_TRUE(lane_) << failure.words;
  }

  /// The bits of B and C after `work` with so much workspace.
  template <class Work>
  std::vector<double> after(index bytes, Work&& work, std::vector<double> values = numbers()) {
    cl_int error = CL_SUCCESS;
    const cl_mem memory = clCreateBuffer(lane_->context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                         values.size() * sizeof(double), values.data(), &error);
    EXPECT_EQ(error, CL_SUCCESS);
    {
      core::Request none;
      Commands commands(*lane_, none);
      Backend<double> backend(commands, 1 << 20, Solve::Exact, bytes);
      work(backend, memory);
      commands.wait();
      EXPECT_FALSE(commands.failed());
      if (bytes < index{1} << 28) EXPECT_LE(commands.most_workspace(), std::size_t{9} << 20);
    }
    clEnqueueReadBuffer(lane_->queue(), memory, CL_TRUE, 0, values.size() * sizeof(double), values.data(), 0, nullptr,
                        nullptr);
    clReleaseMemObject(memory);
    return values;
  }

  static Matrix<Ref> matrix(cl_mem memory, index number, index rows, index cols) {
    return {{memory, number * side * side}, rows, cols, 1, side};
  }
};

TEST_F(Parts, OfTheWorkspaceGiveTheSameBits) {
  const auto product = [](Backend<double>& be, cl_mem m) {
    be.gemm(0.5, matrix(m, 0, 1100, 1200), matrix(m, 1, 1200, 1150), 2.0, matrix(m, 2, 1100, 1150));
  };
  const auto symmetric = [](Backend<double>& be, cl_mem m) {
    be.product<Mirror::Symmetric>(0.5, Triangle{matrix(m, 0, 300, 300), Uplo::Upper}, matrix(m, 1, 300, 1200), 2.0,
                                  matrix(m, 2, 300, 1200));
  };
  const auto solve = [](Backend<double>& be, cl_mem m) {
    be.solve(0.5, Triangle{matrix(m, 0, 500, 500), Uplo::Upper, Diag::NonUnit}, matrix(m, 1, 500, 1200));
  };
  const auto multiply = [](Backend<double>& be, cl_mem m) {
    be.multiply(0.5, Triangle{matrix(m, 0, 500, 500), Uplo::Lower, Diag::Unit}, matrix(m, 1, 500, 1200));
  };
  EXPECT_EQ(after(little, product), after(enough, product));
  EXPECT_EQ(after(little, symmetric), after(enough, symmetric));
  EXPECT_EQ(after(little, solve), after(enough, solve));
  EXPECT_EQ(after(little, multiply), after(enough, multiply));
}

/// Sums of two views come in another order when they are cut, so that where that is may not depend on units.
TEST_F(Parts, OfTwoViewsGiveTheSameBitsOnAnyNumberOfUnits) {
  const auto update = [](Backend<double>& be, cl_mem m) {
    be.update2<Mirror::Symmetric>(0.5, matrix(m, 0, 400, 1200), matrix(m, 1, 400, 1200), 2.0,
                                  Triangle{matrix(m, 2, 400, 400), Uplo::Lower});
  };
  const auto on_units = [&](int units) {
    on([&](Device& d) {
      d.reproducible = true, d.compute_units = units;
      d.settings[1].gemm_m = 16, d.settings[1].gemm_k = 64;
    });
    return after(little, update);
  };
  const std::vector<double> of_one = on_units(1);
  // Not EXPECT_EQ, which would print millions of numbers.
  for (const int units : {2, 7}) EXPECT_TRUE(on_units(units) == of_one) << units;
}

/// C := -0 - A B, where all products are -0: the first steps leave it as it is, all others make it +0. A launch has no
/// more than what is summed at once.
TEST_F(Parts, OfTheWorkspaceGiveTheSameZeros) {
  on([](Device& d) { d.settings[1].gemm_k = 256; });
  std::vector<double> values(3 * side * side, 0);
  std::fill_n(values.begin() + side * side, side * side, -1);
  std::fill_n(values.begin() + 2 * side * side, side * side, -0.0);
  const auto product = [](Backend<double>& be, cl_mem m) {
    be.gemm(-1, matrix(m, 0, 700, 1200), matrix(m, 1, 1200, 700), 1, matrix(m, 2, 700, 700));
  };
  const auto negative = [&](index bytes) {
    const std::vector<double> result = after(bytes, product, values);
    return std::count_if(result.begin(), result.end(), [](double x) { return x == 0 && std::signbit(x); });
  };
  EXPECT_EQ(negative(enough), side * side - 700 * 700);
  EXPECT_EQ(negative(little), side * side - 700 * 700);
}

/// Pieces of a vector's product are taken from the first on and from the last on in turn, however many launches a call
/// has, and whatever there is between two of them.
TEST_F(Parts, OfAVectorComeInTurnsFromEitherEnd) {
  const auto vector = [](Backend<double>& be, cl_mem m) {
    be.multiply(0.5, Triangle{matrix(m, 0, 500, 500), Uplo::Lower, Diag::NonUnit}, matrix(m, 1, 500, 1));
  };
  const auto product = [](Backend<double>& be, cl_mem m) {
    be.gemm(0.5, matrix(m, 0, 200, 200), matrix(m, 1, 200, 200), 2.0, matrix(m, 2, 200, 200));
  };
  const auto back = [&] {
    cl_int counters[Lane::counters_bytes / sizeof(cl_int)], error = CL_SUCCESS;
    clEnqueueReadBuffer(lane_->queue(), lane_->counters(error), CL_TRUE, 0, sizeof counters, counters, 0, nullptr,
                        nullptr);
    return counters[320];  // BACK of take.cl
  };
  for (const int launches : {1, 2}) {
    on([&](Device& d) { d.settings[1].launches = launches; });
    for (int call = 1; call <= 3; ++call) {
      after(enough, vector);
      EXPECT_EQ(back(), call % 2) << launches;
      after(enough, product);
      EXPECT_EQ(back(), call % 2) << launches;
    }
  }
}

}  // namespace
}  // namespace trigon::opencl
