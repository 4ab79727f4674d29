// Drivers that fail: this program has the OpenCL calls that fail when they are told to.
#include "clblas/world.hpp"

#include <gtest/gtest.h>

#include <dlfcn.h>

namespace {

/// What fails, with which error; what devices lack.
struct Faults {
  bool doubles = false, compiler = false;
  cl_int build = CL_SUCCESS, memory = CL_SUCCESS, launches = CL_SUCCESS, markers = CL_SUCCESS;
};
Faults faults;

template <class F>
F* next(F*, const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

#define DRIVERS(name) static auto* const driver = next(&name, #name)
#define VISIBLE extern "C" __attribute__((visibility("default")))

VISIBLE cl_int clBuildProgram(cl_program program, cl_uint devices, const cl_device_id* list, const char* options,
                              void (*notify)(cl_program, void*), void* data) {
  DRIVERS(clBuildProgram);
  return faults.build != CL_SUCCESS ? faults.build : driver(program, devices, list, options, notify, data);
}

VISIBLE cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* error) {
  DRIVERS(clCreateBuffer);
  if (faults.memory == CL_SUCCESS) return driver(context, flags, size, host, error);
  if (error) *error = faults.memory;
  return nullptr;
}

VISIBLE cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void* value, size_t* returned) {
  DRIVERS(clGetDeviceInfo);
  const cl_int error = driver(device, what, size, value, returned);
  if (value && faults.doubles && what == CL_DEVICE_DOUBLE_FP_CONFIG) *static_cast<cl_device_fp_config*>(value) = 0;
  if (value && faults.compiler && what == CL_DEVICE_COMPILER_AVAILABLE) *static_cast<cl_bool*>(value) = CL_FALSE;
  return error;
}

VISIBLE cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint waits, const cl_event* list,
                                           cl_event* event) {
  DRIVERS(clEnqueueMarkerWithWaitList);
  return faults.markers != CL_SUCCESS && waits > 0 ? faults.markers : driver(queue, waits, list, event);
}

VISIBLE cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* at,
                                      const size_t* items, const size_t* group, cl_uint waits, const cl_event* list,
                                      cl_event* event) {
  DRIVERS(clEnqueueNDRangeKernel);
  return faults.launches != CL_SUCCESS ? faults.launches
                                       : driver(queue, kernel, dimensions, at, items, group, waits, list, event);
}

namespace trigon::test {
namespace {

/// Errors of the driver, and what they are to the program.
constexpr std::pair<cl_int, clblasStatus> shortages[] = {{CL_MEM_OBJECT_ALLOCATION_FAILURE, clblasOutOfResources},
                                                         {CL_OUT_OF_RESOURCES, clblasOutOfResources},
                                                         {CL_OUT_OF_HOST_MEMORY, clblasOutOfHostMemory}};

class Drivers : public testing::Test {
 protected:
  void TearDown() override { faults = {}; }
  const Session session_;
  World world_;
};

TEST_F(Drivers, ThatCannotCompile) {
  cl_command_queue queue = world_.queue();
  DeviceVector<double> two(queue, {2, 2}, 1, 0), x(queue, {1, 2, 3}, 1, 0), y(queue, {1}, -1, 0);
  cl_event event = nullptr;
  for (const auto& [error, status] : {std::pair{CL_COMPILER_NOT_AVAILABLE, clblasCompilerNotAvailable},
                                      {CL_OUT_OF_HOST_MEMORY, clblasOutOfHostMemory},
                                      {CL_OUT_OF_RESOURCES, clblasOutOfResources}}) {
    faults.build = error;
    EXPECT_EQ(doubled(two, x, 3, {1, &queue, 0, nullptr, &event}), status) << trigon_clblas_message();
    EXPECT_EQ(clblasDscal(3, 2, x.memory, 0, 1, 1, &queue, 0, nullptr, &event), status) << trigon_clblas_message();
  }
  faults.build = CL_BUILD_PROGRAM_FAILURE;
  EXPECT_EQ(doubled(two, x, 3, {1, &queue, 0, nullptr, &event}), clblasBuildProgramFailure) << trigon_clblas_message();
  EXPECT_EQ(clblasDscal(3, 2, x.memory, 0, 1, 1, &queue, 0, nullptr, &event), clblasBuildProgramFailure)
      << trigon_clblas_message();
  EXPECT_EQ(clblasDgemv(clblasRowMajor, clblasNoTrans, 1, 1, 1, two.memory, 0, 1, x.memory, 0, 1, 1, y.memory, 0, -1, 1,
                        &queue, 0, nullptr, &event),
            clblasBuildProgramFailure);
  faults.build = CL_SUCCESS;
  // The vectors can be copied now, the product not.
  ASSERT_EQ(clblasDcopy(1, two.memory, 0, 1, two.memory, 1, 1, 1, &queue, 0, nullptr, nullptr), clblasSuccess);
  faults.build = CL_BUILD_PROGRAM_FAILURE;
  EXPECT_EQ(clblasDgemv(clblasRowMajor, clblasNoTrans, 1, 1, 1, two.memory, 0, 1, x.memory, 0, 1, 1, y.memory, 0, -1, 1,
                        &queue, 0, nullptr, &event),
            clblasBuildProgramFailure);
  EXPECT_EQ(event, nullptr);
  EXPECT_TRUE(x.untouched() && y.untouched());
  faults.build = CL_SUCCESS;
  EXPECT_EQ(doubled(two, x, 3, {1, &queue, 0, nullptr, nullptr}), clblasSuccess) << "what failed is tried again";
}

TEST_F(Drivers, ThatHaveNoMemory) {
  cl_command_queue queue = world_.queue();
  DeviceVector<double> two(queue, {2}, 1, 0), x(queue, {1, 2, 3}, 1, 0), y(queue, {1}, -1, 0);
  for (const auto& [error, status] : shortages) {
    faults.memory = error;
    EXPECT_EQ(doubled(two, x, 3, {1, &queue, 0, nullptr, nullptr}), status) << trigon_clblas_message();
    EXPECT_EQ(clblasDdot(1, y.memory, 0, x.memory, 0, 1, x.memory, 0, 1, nullptr, 1, &queue, 0, nullptr, nullptr),
              status);
    EXPECT_EQ(clblasDgemv(clblasRowMajor, clblasNoTrans, 1, 1, 1, two.memory, 0, 1, x.memory, 0, 1, 1, y.memory, 0, -1,
                          1, &queue, 0, nullptr, nullptr),
              status);
  }
  EXPECT_TRUE(x.untouched() && y.untouched());
  faults.memory = CL_SUCCESS;
  EXPECT_EQ(doubled(two, x, 3, {1, &queue, 0, nullptr, nullptr}), clblasSuccess);
}

TEST_F(Drivers, ThatCannotLaunch) {
  cl_command_queue queue = world_.queue();
  DeviceVector<double> two(queue, {2}, 1, 0), x(queue, {1, 2, 3}, 1, 0);
  const auto expect = [&](cl_int error, clblasStatus status) {
    faults.launches = error;
    cl_event event = nullptr;
    EXPECT_EQ(doubled(two, x, 3, {1, &queue, 0, nullptr, &event}), status) << trigon_clblas_message();
    EXPECT_EQ(clblasDscal(3, 2, x.memory, 0, 1, 1, &queue, 0, nullptr, &event), status) << trigon_clblas_message();
    EXPECT_EQ(event, nullptr);
  };
  for (const auto& [error, status] : shortages) expect(error, status);
  expect(CL_INVALID_KERNEL_ARGS, clblasInvalidOperation);
  EXPECT_TRUE(x.untouched());
}

/// They say so before they are asked to.
TEST_F(Drivers, ThatHaveNoCompiler) {
  cl_command_queue queue = world_.queue();
  DeviceVector<double> two(queue, {2}, 1, 0), x(queue, {1, 2, 3}, 1, 0);
  faults.compiler = true;
  EXPECT_EQ(doubled(two, x, 3, {1, &queue, 0, nullptr, nullptr}), clblasCompilerNotAvailable)
      << trigon_clblas_message();
  EXPECT_EQ(clblasDscal(3, 2, x.memory, 0, 1, 1, &queue, 0, nullptr, nullptr), clblasCompilerNotAvailable)
      << trigon_clblas_message();
  EXPECT_TRUE(x.untouched());
  faults.compiler = false;
  EXPECT_EQ(doubled(two, x, 3, {1, &queue, 0, nullptr, nullptr}), clblasSuccess) << trigon_clblas_message();
}

/// The C++ door knows one shortage of memory.
TEST_F(Drivers, ThatCannotLaunchAreOutOfMemory) {
  const Queue queue("opencl", world_.queue());
  const auto native = static_cast<cl_command_queue>(queue.native());
  DeviceVector<double> two(native, {2}, 1, 0), x(native, {1, 2, 3}, 1, 0);
  Call call = parse_call("dtrmm m=1 n=3");
  call.a = two.memory, call.b = x.memory;
  for (const auto& [error, status] : shortages) {
    faults.launches = error;
    EXPECT_THROW(execute(call, {}, queue), out_of_memory);
  }
  EXPECT_TRUE(x.untouched());
}

TEST_F(Drivers, ThatHaveNoDoublePrecision) {
  cl_command_queue queue = world_.queue();
  DeviceVector<double> two(queue, {2}, 1, 0), x(queue, {1, 2, 3}, 1, 0);
  faults.doubles = true;
  EXPECT_EQ(doubled(two, x, 3, {1, &queue, 0, nullptr, nullptr}), clblasInvalidDevice);
  EXPECT_EQ(clblasZdscal(1, 2, x.memory, 0, 1, 1, &queue, 0, nullptr, nullptr), clblasInvalidDevice);
  EXPECT_TRUE(x.untouched());
  DeviceVector<float> y(queue, {1, 2}, 1, 0);
  EXPECT_EQ(clblasSscal(2, 2, y.memory, 0, 1, 1, &queue, 0, nullptr, nullptr), clblasSuccess);
  EXPECT_EQ(y.read(), (std::vector<float>{2, 4}));
}

TEST_F(Drivers, ThatCannotMakeASecondQueueWait) {
  cl_command_queue queues[] = {world_.queue(), world_.queue()};
  DeviceVector<double> two(queues[0], {2}, 1, 0), x(queues[0], {1, 2, 3}, 1, 0);
  for (const auto& [error, status] : shortages) {
    faults.markers = error;
    cl_event events[2] = {};
    EXPECT_EQ(doubled(two, x, 3, {2, queues, 0, nullptr, events}), status) << trigon_clblas_message();
    EXPECT_EQ(events[0], nullptr);
    EXPECT_EQ(events[1], nullptr);
  }
}

}  // namespace
}  // namespace trigon::test
