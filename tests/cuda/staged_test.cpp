// Host operands whose call fails half-way: the copies that were submitted end before their memory does.
#include "cuda/staged.hpp"
#include "core/canonical.hpp"
#include "cuda/plan.hpp"
#include "cuda/shim/stream.hpp"

#include <trigon/operands.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace trigon::cuda {
namespace {

TEST(CudaStaged, WaitsForItsCopiesWhenTheCallFails) {
  Operands o(parse_call("dgemm m=5 n=6 k=7 beta=2"));
  const core::Request r = core::canonical(o.call());
  simt::NativeStream native;
  const Stream stream{&native, 0, 2};
  const auto refuse = [&](const core::Request&) {
    EXPECT_EQ(native.copies, 3);
    throw failure(core::Status::DeviceError, "refused");
  };
  EXPECT_THROW(staged<double>(stream, r, plan(r, {}), refuse), failure);
  EXPECT_EQ(native.copies, 0);
  EXPECT_EQ(o.intrusion(), "");
  EXPECT_EQ(std::memcmp(o.result(), o.before().c, 5 * sizeof(double)), 0);
}

/// The shim's own: where another device is current nothing can be done.
TEST(CudaStaged, NeedsTheDeviceOfItsStream) {
  Operands o(parse_call("dtrsm m=5 n=6"));
  const core::Request r = core::canonical(o.call());
  const Stream stream{nullptr, 1, 2};
  const auto run = [](const core::Request&) {};
  const auto call = [&] { staged<double>(stream, r, plan(r, {}), run); };
  EXPECT_THROW(call(), failure);
  {
    const OnDevice scope(stream);
    EXPECT_NO_THROW(call());
    EXPECT_THROW(staged<double>({nullptr, 0, 2}, r, plan(r, {}), run), failure);
  }
  EXPECT_THROW(call(), failure);
  EXPECT_NO_THROW(staged<double>({nullptr, 0, 2}, r, plan(r, {}), run));
}

TEST(CudaStaged, WaitsBeforeItPutsBack) {
  Operands o(parse_call("dtrsm m=5 n=6"));
  const core::Request r = core::canonical(o.call());
  simt::NativeStream native;
  staged<double>({&native, 0, 2}, r, plan(r, {}), [&](const core::Request&) { EXPECT_EQ(native.copies, 2); });
  EXPECT_EQ(native.copies, 0);
}

/// A device's pool gives back what was released before the last wait; the rest stays reserved, while no call runs.
TEST(CudaStaged, LeavesNoMemoryBehind) {
  Operands o(parse_call("dgemm m=5 n=6 k=7 beta=2"));
  const core::Request r = core::canonical(o.call());
  simt::NativeStream native;
  const auto count = [&](const char* word) { return std::count(native.log.begin(), native.log.end(), word); };
  staged<double>({&native, 0, 2}, r, plan(r, {}), [](const core::Request&) {});
  EXPECT_EQ(count("allocate"), 3);
  EXPECT_EQ(count("release"), 3);
  EXPECT_EQ(count("wait"), 1);
  EXPECT_EQ(native.log.back(), "wait");
  native.log.clear();
  const auto refuse = [](const core::Request&) { throw failure(core::Status::DeviceError, "refused"); };
  EXPECT_THROW(staged<double>({&native, 0, 2}, r, plan(r, {}), refuse), failure);
  EXPECT_EQ(count("release"), 3);
  EXPECT_EQ(native.log.back(), "wait");
}

}  // namespace
}  // namespace trigon::cuda
