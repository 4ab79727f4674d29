// Lines more than 2^31 reals apart, in device memory.
#include "support/far.hpp"

namespace trigon::test {
namespace {

template <class T>
class Strides : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Strides, Types);

TYPED_TEST(Strides, BeyondThirtyOneBits) {
  const Queue queue("cuda_shim");
  FarLines<TypeParam> a, b, c;
  if (!a.exists() || !b.exists() || !c.exists()) GTEST_SKIP() << "there are no such addresses";
  expect_right_on<TypeParam>(queue, a, b, c);
}

}  // namespace
}  // namespace trigon::test
