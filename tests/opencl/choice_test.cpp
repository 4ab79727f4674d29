// Which device queues and host operands get: by name, by the environment, or none.
#include "opencl/again.hpp"
#include "opencl/on_device.hpp"

#include <trigon/error.hpp>
#include <trigon/inspect.hpp>

#include <gtest/gtest.h>

namespace trigon::test {
namespace {

TEST(Queues, AreMadeByName) {
  const std::vector<BackendInfo> all = backends();
  for (const BackendInfo& b : all) {
    if (b.name != "opencl") continue;
    ASSERT_FALSE(b.devices.empty());
    const std::string word = b.devices[0].substr(0, b.devices[0].find_first_of(" ,"));
    EXPECT_NE(Queue("opencl:" + word).native(), nullptr);
  }
  EXPECT_NE(Queue("opencl:0").native(), nullptr);
  EXPECT_THROW(Queue("opencl:99"), backend_error);
  EXPECT_THROW(Queue("opencl:no such device"), backend_error);
  EXPECT_THROW(Queue("opencl", nullptr), backend_error);
}

TEST(Queues, DISABLED_WithoutADevice) {
  try {
    const Queue queue("opencl");
    FAIL() << "there is a device";
  } catch (const backend_error& error) {
    expect_says(error.what(), "opencl: not available, because no OpenCL device");
  }
  try {
    execute(parse_call("dtrsv n=0"));
    FAIL() << "there is a device";
  } catch (const backend_error& error) {
    expect_says(error.what(), "TRIGON_BACKEND=opencl: not available, because no OpenCL device");
  }
}

TEST(Queues, SayThatThereIsNoDevice) {
  expect_again("WithoutADevice", {{"OCL_ICD_VENDORS", "/nowhere"}, {"TRIGON_BACKEND", "opencl"}});
}

std::string why_no_queue(const std::string& name) {
  try {
    const Queue queue(name);
    return "";
  } catch (const backend_error& error) {
    return error.what();
  }
}

/// TRIGON_DEVICE is about host operands, and about queues that name no device.
TEST(Queues, DISABLED_WithoutThatDevice) {
  expect_says(why_no_queue("opencl"), "there is no OpenCL device 'no such'");
  const Queue named("opencl:0");
  EXPECT_NO_THROW(Queue("opencl", named.native()));
  try {
    execute(parse_call("dtrsv n=0"));
    FAIL() << "there is such a device";
  } catch (const backend_error& error) {
    expect_says(error.what(), "TRIGON_BACKEND=opencl: not available, because no OpenCL device is like TRIGON_DEVICE");
  }
  for (const BackendInfo& b : backends())
    if (b.name == "opencl") expect_says(b.detail, "no OpenCL device is like TRIGON_DEVICE=no such");
}

TEST(Queues, DISABLED_WithTheDeviceOfAnotherBackend) {
  EXPECT_EQ(why_no_queue("opencl"), "");
  const Queue named("opencl:0");
  EXPECT_NO_THROW(Queue("opencl", named.native()));
}

TEST(Queues, DISABLED_OnTheDeviceThatIsNamed) {
  const auto device = [](const Queue& queue) {
    cl_device_id id = nullptr;
    must(clGetCommandQueueInfo(static_cast<cl_command_queue>(queue.native()), CL_QUEUE_DEVICE, sizeof id, &id, nullptr),
         "device");
    return id;
  };
  EXPECT_EQ(device(Queue("opencl")), device(Queue("opencl:1")));
  EXPECT_NE(device(Queue("opencl")), device(Queue("opencl:0")));
}

TEST(Queues, TakeTheDeviceOfTheirBackendAlone) {
  expect_again("WithoutThatDevice", {{"TRIGON_BACKEND", "opencl"}, {"TRIGON_DEVICE", "no such"}});
  expect_again("WithTheDeviceOfAnotherBackend", {{"TRIGON_BACKEND", "cuda"}, {"TRIGON_DEVICE", "no such"}});
  expect_again("OnTheDeviceThatIsNamed",
               {{"TRIGON_BACKEND", "opencl"}, {"TRIGON_DEVICE", "1"}, {"POCL_DEVICES", "pthread pthread"}});
}

}  // namespace
}  // namespace trigon::test
